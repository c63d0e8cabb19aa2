import { defaultDialect, type Dialect } from '../../contract/index.ts';
import type { Engine, EngineEvent, MarketInterest } from '../core/Engine.ts';
import type { Feed } from '../feed/Feed.ts';
import type { InstrumentOverrides } from '../market/createInstrument.ts';
import type { SymbolFunding } from '../market/FundingSchedule.ts';
import { feedBars } from '../market/feedBars.ts';
import { IndicatorReads } from '../market/IndicatorReads.ts';
import { PaperMarket } from '../market/PaperMarket.ts';
import { interruptExecutions } from '../algos/controls.ts';
import type { Recorder } from '../state/Change.ts';
import { restoreEngine } from '../state/restoreEngine.ts';
import { saveEngine } from '../state/saveEngine.ts';
import type { SavedEngine } from '../state/SavedEngine.ts';
import { createAccount, type Account } from '../venue/Account.ts';
import { checkTransfer, transferFunds } from '../venue/transferFunds.ts';
import { BarHooks } from './BarHooks.ts';
import { EngineTimers } from './EngineTimers.ts';
import { createRouteTable } from './routes/createRouteTable.ts';
import { MarketFeedback } from './MarketFeedback.ts';
import { goOnAfterGrowth } from './goOnAfterGrowth.ts';
import { quietUntil, skipTo } from './quietUntil.ts';
import { runDue } from './runDue.ts';
import { scheduleFunding } from './funding.ts';
import { createReactions, dispatchTimer } from './reactions.ts';
import { snapshotOf } from './snapshotOf.ts';
import { feesOf, type FeeSettings } from '../venue/venueFees.ts';
import type { VenueSettings, EngineState } from './EngineState.ts';

export interface EngineOptions {
  feeds: readonly Feed[];
  /** Overrides of instruments, by symbol. */
  instruments?: Readonly<Record<string, InstrumentOverrides>>;
  /** Funding settlements, by symbol; absent: the default rate every hour. */
  fundingRates?: Readonly<Record<string, SymbolFunding>>;
  /** Default: the open of the first bar at which every feed has a price. */
  startTime?: number;
  halfSpreadBps?: number;
  /** Default: the venue's own for all, the service's by tier. */
  fees?: FeeSettings;
  /** Share of a bar's volume that fills may use (0.1). */
  volumeShare?: number;
  /** What a taker pays beyond the best price, per share of the bar's volume (10). */
  impactBps?: number;
  touchFills?: boolean;
  defaultLeverage?: number;
  /** Terminal records retained per kind and wallet (100,000). */
  retention?: number;
  /** Secret from which webhook tokens are derived; the default is for runs without outside callers. */
  tokenSecret?: string;
  /** Receives every move of time, transfer and interruption before it happens. */
  record?: Recorder;
  /** State of an earlier engine on the same tape. */
  saved?: SavedEngine;
  dialect?: Dialect;
}

function toSettings(options: EngineOptions, dialect: Dialect, market: PaperMarket): VenueSettings {
  const { fees = { all: {}, symbols: {} } } = options;
  const isSpot = (kind: string): boolean => kind === 'spot';
  return {
    fees: new Map(
      market.instruments.map(({ symbol, kind }) => [symbol, feesOf(fees, symbol, isSpot(kind))]),
    ),
    volumeShare: options.volumeShare ?? 0.1,
    impactBps: options.impactBps ?? 10,
    touchFills: options.touchFills ?? false,
    defaultLeverage: options.defaultLeverage ?? 10,
    defaultSlippageBps: dialect.venue.marketSlippageBps,
    retention: options.retention ?? 100_000,
  };
}

function createMarket(options: EngineOptions, dialect: Dialect): PaperMarket {
  const { minOrderValue, algoMinValue } = dialect.venue;
  return new PaperMarket(
    {
      feeds: options.feeds,
      instruments: options.instruments ?? {},
      fundingRates: options.fundingRates ?? {},
      halfSpreadBps: options.halfSpreadBps ?? 1,
      minimums: { minOrderValue, algoMinValue },
    },
    options.saved?.startTime ?? options.startTime,
  );
}

/**
 * The paper service's core: a deterministic state machine without I/O.
 *
 * feeds → market (marks, bars) → watches, closed bars, timers → orders, legs, algorithms → events.
 * Requests come in between, at the current time, through `handlers`.
 */
export function createEngine(options: EngineOptions): Engine {
  const dialect = options.dialect ?? defaultDialect;
  const market = createMarket(options, dialect);
  const timers = new EngineTimers(market.startTime, ({ topic, wallet, id }) =>
    dispatchTimer(engine, topic, wallet, id),
  );
  const accounts = new Map<string, Account>();
  const counters = new Map<string, number>();
  const settings = toSettings(options, dialect, market);

  const engine: ListenableEngine = {
    dialect,
    settings,
    market,
    reads: new IndicatorReads(market),
    barHooks: new BarHooks(market),
    accounts,
    reactions: createReactions(() => engine),
    webhookTokens: new Map(),
    tokenSecret: options.saved?.tokenSecret ?? options.tokenSecret ?? '',
    nextId(prefix) {
      const next = (counters.get(prefix) ?? 0) + 1;
      counters.set(prefix, next);
      return `${prefix}_${next}`;
    },
    // An instant in the past runs now: time never goes back.
    at: (time, topic, wallet, id) =>
      timers.at({ time: Math.max(time, market.now), topic, wallet, id }),
    emit: () => {},
    hasListener: false,
  };
  const feedback = new MarketFeedback(engine);
  const { record, saved } = options;
  if (saved === undefined) scheduleFunding(engine);
  else restoreEngine({ engine, timers, counters }, saved);

  return Object.assign(new Standing(market), {
    handlers: createRouteTable(engine),
    addAccount(wallet: string, balance: number) {
      if (accounts.has(wallet)) throw new Error(`The wallet ${wallet} has an account already.`);
      accounts.set(wallet, createAccount(wallet, balance, settings));
    },
    advanceTo(time: number, isOver?: () => boolean) {
      if (isOver === undefined) {
        if (record !== undefined && time > market.now) record({ time });
        return runDue(engine, timers, feedback, time);
      }
      // The end of the step is not known in advance: each instant is recorded before it happens.
      const onInstant = record && ((instant: number) => record({ time: instant }));
      runDue(engine, timers, feedback, time, { isOver, onInstant });
    },
    quietUntil: (limit: number) =>
      // Each instant that passes is recorded, bar by bar.
      record === undefined ? quietUntil(engine, timers, feedback, limit) : market.now,
    skipTo: (time: number) => skipTo(engine, timers, feedback, time),
    publishedBars: () =>
      engine.barHooks.published().map(({ symbol, interval, source }) => {
        const bars = feedBars(source.path.feed, interval);
        return { symbol, interval, bars };
      }),
    listen(listener: (event: EngineEvent) => void) {
      if (engine.hasListener) throw new Error('The engine has one listener; fan out from there.');
      engine.hasListener = true;
      engine.emit = listener;
      feedback.publishAll();
    },
    setMarketInterest: (interest: MarketInterest) => feedback.publish(interest),
    snapshot: (...[channel, wallet, params]: Parameters<Engine['snapshot']>) =>
      snapshotOf(engine, channel, wallet, params),
    feedsGrew() {
      market.feedsGrew();
      engine.barHooks.feedsGrew();
      feedback.feedsGrew();
      goOnAfterGrowth(engine, timers);
    },
    transfer(wallet: string, amount: number) {
      const account = accounts.get(wallet);
      if (account === undefined) throw new Error(`The wallet ${wallet} has no account.`);
      checkTransfer(engine, account, amount);
      record?.({ transfer: { wallet, amount } });
      transferFunds(engine, account, amount);
    },
    interruptExecutions() {
      record?.({ interrupted: true });
      interruptExecutions(engine);
    },
    save: () => saveEngine({ engine, timers, counters }),
  });
}

interface ListenableEngine extends EngineState {
  hasListener: boolean;
  emit(event: EngineEvent): void;
}

/**
 * The replay's current time. A class, because it is read at every bar and V8 keeps an object literal with
 * a getter in a slow form.
 */
class Standing {
  readonly market: PaperMarket;
  readonly startTime: number;

  constructor(market: PaperMarket) {
    this.market = market;
    this.startTime = market.startTime;
  }

  get now(): number {
    return this.market.now;
  }

  get endTime(): number {
    return this.market.endTime;
  }
}
