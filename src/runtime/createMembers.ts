import { Subject, type Observable } from 'rxjs';
import type { AccountRecord } from '../contract/index.ts';
import { createRandom, type Env, type MarketClock } from '../env/index.ts';
import type { JournalStore } from '../journal/index.ts';
import {
  createStrategyHost,
  type Emission,
  type Outcome,
  type StrategyFault,
  type StrategyHost,
  type StrategyHostOptions,
} from '../strategy/index.ts';
import { recordHost, type RecordedLine } from '../strategy/recording/index.ts';
import type { Streams } from '../streams/index.ts';
import type { BotPlan, PlannedStrategy } from './BotPlan.ts';
import { createLedger, type Ledger } from './createLedger.ts';
import { createSources } from './createSources.ts';
import { createStateStore } from './createStateStore.ts';
import { createSupervisedHost } from './createSupervisedHost.ts';
import type { LifeEvent } from './RestartPolicy.ts';

/** A strategy instance in a bot: its host, what it hears of its intents, what it earned. */
export interface Member {
  planned: PlannedStrategy;
  host: StrategyHost;
  outcomes$: Subject<Outcome>;
  ledger: Ledger;
}

export interface MembersOptions {
  plan: BotPlan;
  env: Env;
  market: MarketClock;
  streams: Streams;
  store: JournalStore;
  accountOf(wallet: string): Observable<AccountRecord>;
  priceOf(symbol: string): number | undefined;
  onIntent(emission: Emission): void;
  onFault(fault: StrategyFault): void;
  onLife(event: LifeEvent): void;
  /** Is given all that goes into an instance, and what comes out. */
  record?: ((instance: string, line: RecordedLine) => void) | undefined;
  /** What must be durable was not. */
  onFatal(error: unknown): void;
}

/** The members of a bot by name, in the order of its plan. */
export function createMembers(options: MembersOptions): ReadonlyMap<string, Member> {
  const { strategies } = options.plan;
  return new Map(strategies.map((planned) => [planned.name, createMember(planned, options)]));
}

function createMember(planned: PlannedStrategy, options: MembersOptions): Member {
  const { plan, env, market, streams, store, priceOf, onFault, onLife } = options;
  const { name, wallet, strategy, params, symbols, capitalShare, restart } = planned;
  const outcomes$ = new Subject<Outcome>();
  const account$ = options.accountOf(wallet);
  const host = createSupervisedHost({
    instance: name,
    market,
    restart,
    createHost(life) {
      const given: StrategyHostOptions = {
        strategy,
        params,
        instance: name,
        wallet,
        symbols,
        capitalShare,
        market,
        sources: createSources({
          streams,
          market,
          wallet,
          account$,
          outcomes$,
          priceOf,
          tellsStanding: life.isRestart,
        }),
        state: createStateStore(store, name, options.onFatal),
        random: createRandom(`${plan.seed}/${name}`),
        log: env.log.with({ strategy: name }),
        instrument: (symbol) => plan.instruments.find((record) => record.symbol === symbol),
        onIntent: (emission) => options.onIntent(emission),
        onFault: (fault) => life.onFault(fault),
      };
      const { record } = options;
      if (record === undefined) return createStrategyHost(given);
      return createStrategyHost(recordHost(given, (line) => record(name, line)));
    },
    onFault,
    onLife,
  });
  return { planned, host, outcomes$, ledger: createLedger() };
}
