import type { Observable } from 'rxjs';
import type { AccountRecord, FillRecord } from '../../contract/index.ts';
import {
  createRandom,
  type Env,
  type MarketClock,
  type OpenThread,
  type SpanControl,
} from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import {
  createStrategyHost,
  createThreadHost,
  type Emission,
  type Outcome,
  type PlotLine,
  type PlotSink,
  type StrategyFault,
  type StrategyHost,
  type StrategyNotice,
} from '../../strategy/index.ts';
import { recordHost, type RecordedLine } from '../../strategy/recording/index.ts';
import { Emitter, type Streams } from '../../streams/index.ts';
import type { BotPlan, PlannedStrategy } from '../BotPlan.ts';
import type { AskedStreams, RefLog } from '../wallet/index.ts';
import { createLedger, type Ledger } from '../record/index.ts';
import { createSources, type SourcesOptions } from './createSources.ts';
import { createStateStore } from './createStateStore.ts';
import { createSupervisedHost, type SupervisedHost } from './createSupervisedHost.ts';
import type { LifeEvent } from '../RestartPolicy.ts';

/** A strategy instance in a bot: its host, the outcomes of its intents, its earnings. */
export interface Member {
  planned: PlannedStrategy;
  host: SupervisedHost;
  outcomes$: Emitter<Outcome>;
  ledger: Ledger;
}

/** The threads in which isolated strategies run. */
export interface Threads {
  openThread: OpenThread;
  /** Whether the bot waits for the end of each turn, as a replay at maximum speed must. */
  waits: boolean;
}

export interface MembersOptions {
  /** What a replay in the same process has put off. */
  spans: SpanControl;
  plan: BotPlan;
  env: Env;
  market: MarketClock;
  streams: Streams;
  store: JournalStore;
  /** The version of an instance that trades. */
  stages: { planned(instance: string): PlannedStrategy };
  accountOf(wallet: string): Observable<AccountRecord>;
  equityOf(wallet: string): Observable<number>;
  /** A wallet's fills since the process began. */
  fillsOf(wallet: string): Observable<FillRecord>;
  marks: SourcesOptions['marks'];
  asked: AskedStreams;
  /** By instance. */
  refLogs: ReadonlyMap<string, RefLog>;
  onIntent(emission: Emission): void;
  onFault(fault: StrategyFault): void;
  onNotice(instance: string, notice: StrategyNotice): void;
  onLife(event: LifeEvent): void;
  /** Receives what each instance computes, for a report. */
  onPlot?: ((instance: string, line: PlotLine, time: number, value: number) => void) | undefined;
  /** Receives everything that goes into an instance and everything that comes out. */
  record?: ((instance: string, line: RecordedLine) => void) | undefined;
  threads?: Threads | undefined;
  /** Something that must be durable could not be written. */
  onFatal(error: unknown): void;
}

/** The members of a bot by name, in the order of its plan. */
export function createMembers(options: MembersOptions): ReadonlyMap<string, Member> {
  const { strategies } = options.plan;
  return new Map(strategies.map((planned) => [planned.name, createMember(planned, options)]));
}

function createMember(planned: PlannedStrategy, options: MembersOptions): Member {
  const { market, onFault, onLife } = options;
  const { name, restart } = planned;
  const outcomes$ = new Emitter<Outcome>();
  const host = createSupervisedHost({
    instance: name,
    market,
    restart,
    createHost: (life) =>
      createHost(options.stages.planned(name), { ...options, ...life, outcomes$ }),
    onFault,
    onLife,
  });
  return { planned, host, outcomes$, ledger: createLedger() };
}

function toSink(name: string, onPlot: MembersOptions['onPlot']): PlotSink | undefined {
  return onPlot && ((line, time, value) => onPlot(name, line, time, value));
}

/** One life of an instance, in the bot's thread or in its own. */
function createHost(
  planned: PlannedStrategy,
  options: MembersOptions & { isRestart: boolean; outcomes$: Observable<Outcome> },
): StrategyHost {
  const { plan, env, market, streams, store, marks, outcomes$, threads } = options;
  const { name, wallet, strategy, params, symbols, capitalShare, isolation, version } = planned;
  const account$ = options.accountOf(wallet);
  const emitsExisting = options.isRestart;
  const onAsked: SourcesOptions['onAsked'] = (subscription, stack) =>
    options.asked.note(name, subscription, stack);
  const refs = options.refLogs.get(name)!;
  const from = {
    streams,
    market,
    timers: env.timers,
    instruments: plan.instruments,
    wallet,
    account$,
    equity$: options.equityOf(wallet),
    fills$: options.fillsOf(wallet),
    outcomes$,
    marks,
    refs,
    emitsExisting,
    onAsked,
    spans: options.spans,
  };
  const given = {
    instance: name,
    wallet,
    symbols,
    capitalShare,
    pacemakerMinSeconds: plan.dialect.limits.pacemakerMinSeconds,
    market,
    sources: createSources(from),
    ...(version === undefined ? {} : { account: `${wallet}+${version}` }),
    state: createStateStore(store, planned, options.onFatal),
    log: env.log.with({ strategy: name }),
    onIntent: (emission: Emission) => options.onIntent(emission),
    onFault: (fault: StrategyFault) => options.onFault(fault),
    frameTime: () => streams.frameTime(),
    onNotice: (notice: StrategyNotice) => options.onNotice(name, notice),
    onPlot: toSink(name, options.onPlot),
  };
  const { record } = options;
  const shared = record === undefined ? given : recordHost(given, (line) => record(name, line));
  const seed = `${plan.seed}/${name}`;
  const { instruments } = plan;
  if (isolation === undefined) {
    const instrument = (symbol: string) => instruments.find((one) => one.symbol === symbol);
    return createStrategyHost({
      ...shared,
      strategy,
      params,
      random: createRandom(seed),
      instrument,
    });
  }
  if (threads === undefined)
    throw new Error(`${name} is to run in a thread, and no threads are available.`);
  const { timers } = env;
  return createThreadHost({ ...shared, isolation, instruments, seed, timers, ...threads });
}
