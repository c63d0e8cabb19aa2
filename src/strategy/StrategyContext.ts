import type { Observable, SchedulerLike } from 'rxjs';
import type {
  AccountRecord,
  FillRecord,
  IndicatorId,
  IndicatorParams,
  InstrumentRecord,
  Interval,
  PositionRecord,
  PriceRecord,
} from '../contract/index.ts';
import type { Log } from '../env/index.ts';
import type { ExecutionEvent, WatchEvent } from '../streams/createWalletStreams.ts';
import type { ClosedBar, FormingBar } from './Bar.ts';
import type { IndicatorPoint } from './indicatorPoints.ts';
import type { Outcome } from './Outcome.ts';
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
  readonly params: Params;
  /** The symbols that this instance owns on its wallet; an intent on another one is denied. */
  readonly symbols: readonly string[];
  /** The first of them, for strategies of one symbol. */
  readonly symbol: string;
  /** Connection id. */
  readonly wallet: string;
  /** Its share of the wallet's equity, quote units: the latest, 0 until the account is known. */
  capital(): number;
  readonly capital$: Observable<number>;

  /**
   * Closed bars, oldest first. The warm-up history comes first; what is proposed upon it is counted and not
   * sent, so that a restart never decides an old bar again.
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

  readonly account$: Observable<AccountRecord>;
  /** null while there is none; the present state comes first. */
  position(symbol: string): Observable<PositionRecord | null>;
  /** Fills of the instance's symbols. */
  readonly fills$: Observable<FillRecord>;
  /** Legs and tracked entries of the instance's symbols (STR-3). */
  readonly watch$: Observable<WatchEvent>;
  /** Executions of the instance's symbols. */
  readonly executions$: Observable<ExecutionEvent>;
  /** Every step of every intent that the instance proposed. */
  readonly outcomes$: Observable<Outcome>;
  /** Steps of the intent with this `ref`: the last known one first, then each as it comes. */
  outcome(ref: string): Observable<Outcome>;

  /** Ticks at the interval's boundaries, before a bar that closes at that time is delivered. */
  every(interval: Interval): Observable<{ time: number }>;
  /** Market time for RxJS's time operators: `debounceTime(5_000, ctx.scheduler)`. */
  readonly scheduler: SchedulerLike;
  now(): number;
  /** Uniform in [0, 1), seeded by instance: the same run gives the same numbers. */
  random(): number;
  /**
   * What happens to a decision that is made now. `warm_up`: upon a bar that closed before the bot was live;
   * counted, not sent. `catch_up`: upon a bar that closed while the connection was lost; entries are denied,
   * and of what can only reduce, the newest of its kind is sent. `live`: it is sent.
   */
  liveness(): DecisionLiveness;
  /** What survives a restart; its shape is the definition's `state`. Write it when `liveness()` is `live`. */
  readonly state: StateHandle<State>;
  readonly log: Log;
  /** @throws Error for a symbol that the service doesn't list */
  instrument(symbol: string): InstrumentView;
}
