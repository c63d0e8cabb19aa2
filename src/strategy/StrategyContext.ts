import type { Observable, SchedulerLike } from 'rxjs';
import type {
  AccountRecord,
  BalanceRecord,
  IndicatorId,
  IndicatorParams,
  InstrumentRecord,
  Interval,
  PositionRecord,
  PriceRecord,
} from '../contract/index.ts';
import type { Log } from '../env/index.ts';
import type { ClosedBar, FormingBar } from './Bar.ts';
import type { IndicatorPoint } from './indicatorPoints.ts';
import type { Outcome } from './Outcome.ts';
import type { BookTick, MarketTick } from '../streams/index.ts';
import type { Funding } from './createFunding.ts';
import type { OpenOrder } from './createOpenOrders.ts';
import type {
  OwnExecutionEvent,
  OwnFill,
  OwnMonitorEvent,
  OwnOrderEvent,
  OwnWatchEvent,
} from './OwnEvents.ts';
import type { PlotOptions } from './PlotLine.ts';
import type { RefView } from './refs/createByRef.ts';
import type { StateHandle } from './createState.ts';
import type { DecisionLiveness } from './createTurns.ts';

/** A symbol's grid and minima, and the rounding that its prices and sizes need (conventions §6). */
export interface InstrumentView extends InstrumentRecord {
  /** The largest valid size not above this one; 0 if nothing is left. */
  readonly roundSize: (size: number) => number;
  /** The valid price nearest to this one. */
  readonly roundPrice: (price: number, mode?: 'nearest' | 'down' | 'up') => number;
}

/**
 * Everything that a plugin receives. Every observable is cold for the plugin and ends with its instance; times
 * are market time, epoch milliseconds (conventions, *Two clocks*).
 */
export interface StrategyContext<Params = unknown, State = undefined> {
  /** Frozen to its depths: runs that are compared share one set of parameters. */
  readonly params: Readonly<Params>;
  /** The symbols that this instance owns on its wallet; an intent on another one is denied. */
  readonly symbols: readonly string[];
  /** The first of them, for strategies of one symbol. */
  readonly symbol: string;
  /** Connection id. */
  readonly wallet: string;
  /**
   * Its share of the wallet's equity, quote units: as of the account's last event (a fill, funding, an order), like
   * {@link account$}; 0 until the account is known.
   */
  capital(): number;
  readonly capital$: Observable<number>;

  /**
   * Closed bars, oldest first. The warm-up history comes first; what is proposed upon it is counted and not
   * sent, so that a restart never decides an old bar again. It comes after `setup`, by time across all candles that
   * `setup` subscribes to; later ones bring theirs at once.
   */
  candles(symbol: string, interval: Interval): Observable<ClosedBar>;
  /** As `candles`, plus updates of the bar in progress. */
  candlesWithForming(symbol: string, interval: Interval): Observable<ClosedBar | FormingBar>;
  /** An indicator's value at each closed bar, from its first one on (MKT-2). */
  indicator<I extends IndicatorId>(
    symbol: string,
    interval: Interval,
    id: I,
    params?: IndicatorParams<I>,
  ): Observable<IndicatorPoint<I>>;
  price(symbol: string): Observable<PriceRecord>;
  /**
   * Mark and index price, funding rate, volume of 24 hours, open interest: the latest at once, then at least each
   * closed minute. `index` is the mark, and `open_interest` null, where a tape has none.
   */
  market(symbol: string): Observable<MarketTick>;
  /**
   * The order book's whole levels as `[price, size]`, best first; `source` shows whether a venue showed it, a tape
   * recorded it, or it was synthesised.
   *
   * @param depth levels of each side, 1 to 50; 10 if left out
   * @throws RangeError for another depth
   */
  book(symbol: string, depth?: number): Observable<BookTick>;
  /** Funding rate and next settlement, and what the wallet paid: at each change of one of them. */
  funding(symbol: string): Observable<Funding>;

  /**
   * The account at each of its events: a fill, funding, an order, a snapshot. Equity and unrealized P&L are valued at
   * that moment and do not follow the price until the next event, so that a limit on them must value what is open by
   * a bar: `position.size * (bar.close - position.entry_price)` for a long.
   */
  readonly account$: Observable<AccountRecord>;
  /**
   * At each change of the position, null while there is none; the present state comes first. Its `mark_price`,
   * `notional` and `unrealized_pnl` are those of that change: between changes value it by a bar or `price(symbol)`.
   * On spot it is the balance of the base in that shape: long, its `entry_price` the mark at the last change, since a
   * balance has none, without profit. What was paid for it is in `fills$`.
   */
  position(symbol: string): Observable<PositionRecord | null>;
  /** The wallet's balances, all assets; the present state comes first. */
  readonly balances$: Observable<readonly BalanceRecord[]>;
  /**
   * Fills of the instance's symbols since the process began; a `ref` names the intent whose order or execution it filled. A
   * fill that comes before the answer to its `closePosition` or `launch` has none; {@link byRef} counts it later.
   */
  readonly fills$: Observable<OwnFill>;
  /** Orders of the instance's symbols: the open ones first, then each state, executions' child orders included. */
  readonly orders$: Observable<OwnOrderEvent>;
  /**
   * The open orders of one of the instance's symbols as the service shows them now, oldest first. One that was
   * just proposed is not among them until it is shown; {@link byRef} has it.
   */
  openOrders(symbol: string): readonly OpenOrder[];
  /** Legs and tracked entries of the instance's symbols (STR-3), with the `ref` of what they belong to. */
  readonly watch$: Observable<OwnWatchEvent>;
  /** Executions of the instance's symbols. */
  readonly executions$: Observable<OwnExecutionEvent>;
  /** Monitors that watch or trade one of the instance's symbols. */
  readonly monitors$: Observable<OwnMonitorEvent>;
  /**
   * What became of the intent with this `ref`: state, order or executions, fills, what remains. Its fields are
   * read at any time; of a ref that was never used they are empty. If a ref is used again, it is that of the
   * newest intent. After a restart of the bot, order and executions are those that the service still shows, and
   * fills of the process before are counted in `filled` and missing in `fills`.
   */
  byRef(ref: string): RefView;
  /** Every step of every intent that the instance proposed. */
  readonly outcomes$: Observable<Outcome>;
  /** Steps of the intent with this `ref`: the last known one first, then each as it comes. */
  outcome(ref: string): Observable<Outcome>;

  /** Whether a subscription of these bars has delivered as many closed ones as `warmup` asks for. */
  isWarm(symbol: string, interval: Interval): boolean;
  /** Ticks at the interval's boundaries, before a bar that closes at that time is delivered. */
  every(interval: Interval): Observable<{ time: number }>;
  /** Market time for RxJS's time operators: `debounceTime(5_000, ctx.scheduler)`. */
  readonly scheduler: SchedulerLike;
  now(): number;
  /** Uniform in [0, 1), seeded by instance: the same run gives the same numbers. */
  random(): number;
  /**
   * What happens to a decision that is made now. `warm_up`: upon a bar that closed before the bot was live;
   * counted, not sent. `catch_up`: upon a bar that closed, or a timer that fell due, while nothing could be
   * heard; entries are denied, and of what can only reduce, the newest of its kind is sent. `live`: it is sent.
   */
  liveness(): DecisionLiveness;
  /** What survives a restart; its shape is the definition's `state`. Write it when `liveness()` is `live`. */
  readonly state: StateHandle<State>;
  readonly log: Log;
  /**
   * A value for the report's candles, drawn as a line under this name, and recorded beside the intents of its bar as
   * an indicator's value is. One value a name and bar: the last of a turn counts. One that is not finite leaves a gap.
   * Without a report it costs an assignment, and in no case does it change what the run decides.
   *
   * ```ts
   * ctx.plot('spread', fast - slow, { pane: 'spread' });
   * ```
   *
   * @throws RangeError `TRIMTAB_PLOT` for an empty name or pane, another instance's symbol, or a 65th line
   */
  plot(name: string, value: number, options?: PlotOptions): void;
  /**
   * A market's price grid, size steps and smallest order, with functions that round to them:
   * `ctx.instrument(ctx.symbol).roundSize(0.123456)`.
   *
   * @throws Error for a symbol that the service doesn't list
   */
  instrument(symbol: string): InstrumentView;
}
