import type { Observable } from 'rxjs';
import type {
  AccountRecord,
  BalanceRecord,
  ErrorCode,
  ExecutionRecord,
  FillRecord,
  Interval,
  MonitorRecord,
  PositionRecord,
  PriceRecord,
  WatchRow,
} from '../contract/index.ts';
import type {
  DecisionLiveness,
  Outcome,
  OutcomeState,
  PlotLine,
  Strategy,
  StrategyFault,
  StrategyNotice,
} from '../strategy/index.ts';
import type { BookTick, MarketTick } from '../streams/index.ts';
import type { TestBar } from './BarFeed.ts';
import type { LogLine } from './createTestLog.ts';
import type { PositionInput } from './createTestAccount.ts';
import type { TestInstrument } from './listInstruments.ts';
import type { Duration } from './parseDuration.ts';
import type { TestedIntent, TestedIntents } from './TestedIntent.ts';

/** How a strategy is set up for a test. Only `symbols` is needed. */
export interface StrategyTestOptions {
  /** The symbols that it owns, as in a configuration; the first is `ctx.symbol`. */
  symbols: readonly string[];
  /** Checked by the plugin's schema, which fills in the others. */
  params?: Readonly<Record<string, unknown>>;
  /**
   * Grids and minima by symbol, and further symbols that it only reads. Default: sizes of 5 decimals, prices of
   * 5 significant figures, orders from 10, algorithms from 100.
   */
  instruments?: Readonly<Record<string, TestInstrument>>;
  /** `ctx.capital()` at the start, quote units; default 10,000. */
  capital?: number;
  /** Connection id; default `main`. */
  wallet?: string;
  /** Name of the instance, part of decision keys; default: the plugin's name. */
  instance?: string;
  /** What an earlier run persisted. */
  state?: unknown;
  /** The version in which `state` was persisted; default: the plugin's own. */
  stateVersion?: number;
  /** Market time at the start, epoch milliseconds; default 2026-01-05, a Monday, 00:00 UTC. */
  startTime?: number;
  /** Of `ctx.random()`; default `test`. */
  seed?: string | number;
  /**
   * Whether intents wait for the test to answer them (`accept`, `fill`, `outcome`), which is the default, or
   * each is accepted in the turn of its decision, or refused where the service would refuse it.
   */
  answers?: 'by_test' | 'accept';
  /**
   * Whether a fault that ends the strategy, or a malformed intent, is thrown by the call that led to it, which is the
   * default, or only listed in `faults`.
   */
  onFault?: 'throw' | 'list';
}

/** An intent by its `ref`, by the order or execution that it became, or as it is listed in `intents`. */
export type IntentRef = string | TestedIntent;

export interface BarsOptions {
  /**
   * `warm_up`: history, which had closed before the strategy was live, and of which it gets the last `warmup` bars;
   * histories that are given one after the other are merged by time, as in a bot, and delivered at the next other call or
   * reading at the latest. `catch_up`: bars that closed while the connection was lost and arrive together, after the last
   * of them. Default `live`: each as it closes.
   */
  liveness?: DecisionLiveness;
}

export interface AdvanceOptions {
  /**
   * `catch_up`: no frame comes until the end, on a service whose frames alone tell the time. All timers run then, each at
   * its own time, and what was due more than 10 s before the end is decided in the catch-up. Default `live`.
   */
  liveness?: 'live' | 'catch_up';
}

/** The bars of one symbol and interval among others. */
export interface BarsOf {
  symbol: string;
  interval: Interval;
  bars: readonly TestBar[];
}

export interface FillInput {
  /** Quote units; default: the order's limit, or the last known price. */
  price?: number;
  /** Base units; default: all that remains. */
  size?: number;
  /** Quote units; default 0. */
  fee?: number;
  /** Default: `maker` for a limit order, else `taker`. */
  liquidity?: 'maker' | 'taker';
}

/** The levels of a book. */
export type BookInput = Pick<BookTick, 'bids' | 'asks'> & Partial<Pick<BookTick, 'source'>>;

/** What changes of a symbol's funding. */
export interface FundingInput {
  /** A fraction; above 0, longs pay. */
  rate?: number | null;
  /** Epoch milliseconds. */
  next_time?: number | null;
  /** Quote units that the wallet pays now; below 0 it receives. */
  paid?: number;
}

/** A fill of an order that the strategy did not place itself. */
export type ForeignFill = Pick<FillRecord, 'symbol' | 'side' | 'price' | 'size'> &
  Partial<Pick<FillRecord, 'fee' | 'order_id' | 'execution_id' | 'reduce_only' | 'liquidity'>>;

/**
 * Events of a leg or a tracked entry (STR-3); `snapshot` shows it after an outage, with the status that is given, and
 * `gone` says that the snapshot after an outage lacks it: the row is the last one known.
 */
export type LegEvent =
  | 'leg_armed'
  | 'trail_moved'
  | 'leg_triggered'
  | 'leg_retired'
  | 'leg_rejected'
  | 'entry_moved'
  | 'entry_hold'
  | 'entry_tracking_stopped'
  | 'entry_retired'
  | 'snapshot'
  | 'gone';

/** Events of a monitor; `snapshot` and `gone` as in {@link LegEvent}. */
export type MonitorEventName =
  'armed' | 'fired' | 'failed' | 'stopped' | 'paused' | 'resumed' | 'snapshot' | 'gone';

/** Events of an execution (EXE-8); `snapshot` and `gone` as in {@link LegEvent}. */
export type ExecutionEventName =
  'started' | 'progress' | 'status' | 'stale_warning' | 'ended' | 'snapshot' | 'gone';

/** A value that a report would draw. */
export interface TestedPlot extends PlotLine {
  /** Market time, epoch milliseconds: the close of its bar, if it has one. */
  time: number;
  value: number;
}

/**
 * A strategy on the real host, in virtual time: its market, wallet and answers are in the test's hands, and
 * nothing happens that the test does not ask for.
 *
 * Every call throws an error with the code `TRIMTAB_TEST_CALL` for what can't happen, and rethrows a fault that
 * ended the strategy (see {@link StrategyTestOptions.onFault}).
 */
export interface StrategyTest {
  /** Market time, epoch milliseconds. */
  readonly now: number;
  /** Intents that are sent, oldest first. */
  readonly intents: TestedIntents;
  /** Intents of warm-up, which are counted and not sent; their shape is not checked. */
  readonly suppressed: TestedIntents;
  /** Each intent that is sent, as it is decided. */
  readonly intents$: Observable<TestedIntent>;
  readonly logs: readonly LogLine[];
  /** What `ctx.plot` and the operators' indicators gave since the strategy is live, oldest first. */
  readonly plots: readonly TestedPlot[];
  /** What the strategy persisted last; before that, its first state; undefined if it declares none. */
  readonly state: unknown;
  /** Malformed intents, and the fault that ended it. */
  readonly faults: readonly StrategyFault[];
  /** Remarks that an operator sees, such as a history shorter than the warm-up. */
  readonly notices: readonly StrategyNotice[];
  /** The steps of its intents that the strategy received, oldest first. */
  readonly outcomes: readonly Outcome[];
  /** The position on a symbol now; null while there is none. */
  positionOf(symbol: string): PositionRecord | null;

  /**
   * Closes the next bars of a symbol and interval; market time goes to each one's close, and timers that are
   * due run first.
   */
  bars(
    symbol: string,
    interval: Interval,
    bars: readonly TestBar[],
    options?: BarsOptions,
  ): StrategyTest;
  /** Bars of several symbols or intervals, in the order in which they close. */
  feeds(feeds: readonly BarsOf[], options?: BarsOptions): StrategyTest;
  /** An update of the bar in progress, for `ctx.candlesWithForming`. */
  forming(symbol: string, interval: Interval, bar: TestBar): StrategyTest;
  /** A price for `ctx.price`; of a number, bid and ask are a basis point away. */
  price(symbol: string, price: number | Partial<PriceRecord>): StrategyTest;
  /** A market record for `ctx.market` and `ctx.funding`; what is left out stays as it was. */
  market(symbol: string, change: Partial<MarketTick>): StrategyTest;
  /** A book for `ctx.book`: levels as `[price, size]`, best first; `source` is `service` if left out. */
  book(symbol: string, book: BookInput): StrategyTest;
  /** A funding rate, a next settlement, or a payment at this instant, which the cash pays. */
  funding(symbol: string, funding: FundingInput): StrategyTest;
  /** Replaces a symbol's position: what someone else traded, or what an earlier run left. */
  position(symbol: string, position: PositionInput | null): StrategyTest;
  /** Changes the account: `account({ equity: 9_000 })` is what `ctx.capital()` returns next. */
  account(change: Partial<AccountRecord>): StrategyTest;
  /** Replaces `ctx.balances$`; without it they are the cash, and what is held on spot. */
  balances(balances: readonly BalanceRecord[]): StrategyTest;
  /**
   * The service accepts an intent. A cancel ends its order, a change changes it; nothing else follows. What the service would
   * refuse, such as a cancel of an order that has filled, is refused with the outcome to report instead.
   *
   * @param record what the service returns; default: the order or execution that it makes of the request
   */
  accept(ref: IntentRef, record?: unknown): StrategyTest;
  /**
   * Reports a step of an intent's life.
   *
   * @param why the service's error code if `rejected`, the guard if `denied`, else the reason
   */
  outcome(ref: IntentRef, state: 'rejected', why: ErrorCode): StrategyTest;
  outcome(ref: IntentRef, state: Exclude<OutcomeState, 'rejected'>, why?: string): StrategyTest;
  /**
   * Fills an order, an execution or a close, which is accepted first if it has no answer. The strategy receives
   * the fill, its order, the position, the account; of an execution, its progress or end as well. An execution's
   * own orders are not shown.
   */
  fill(ref: IntentRef, fill?: FillInput): StrategyTest;
  /** What happens to a monitor, which is accepted first if it has no answer. */
  monitor(ref: IntentRef, event: MonitorEventName, change?: Partial<MonitorRecord>): StrategyTest;
  /** A fill that belongs to no intent of this test, such as that of a stop. */
  foreignFill(fill: ForeignFill): StrategyTest;
  /** What happens to a leg or a tracked entry; `ref` names the intent that it belongs to. */
  leg(event: LegEvent, row: Partial<WatchRow> & { ref?: IntentRef }): StrategyTest;
  /** What happens to an execution: a launched one by its ref, or another with its record. */
  execution(
    ref: IntentRef,
    event: ExecutionEventName,
    change?: Partial<ExecutionRecord>,
  ): StrategyTest;
  /** Market time passes: timers run, nothing else happens. */
  advance(duration: Duration, options?: AdvanceOptions): StrategyTest;
  /**
   * Ends the instance and starts another one on the same account, with the persisted state. Bars that were
   * given so far are its history. As for a new process, `byRef` has no fills of before, and of what has ended the
   * record of the answer.
   *
   * @param plugin a newer version of the plugin, which migrates the state; default: the same
   */
  restart(plugin?: Strategy): StrategyTest;
  /** Ends the instance. */
  stop(): void;
}
