import type { Observable } from 'rxjs';
import type {
  AccountRecord,
  BalanceRecord,
  FillRecord,
  Interval,
  PositionRecord,
  PriceRecord,
} from '../contract/index.ts';
import type { BarTaker, SpanControl } from '../env/index.ts';
import type { BookTick, MarketTick } from '../streams/index.ts';
import type { ClosedBar, FormingBar } from './Bar.ts';
import type { FundingPayment } from './createFunding.ts';
import type { Outcome } from './Outcome.ts';
import type {
  OwnExecutionEvent,
  OwnMonitorEvent,
  OwnOrderEvent,
  OwnWatchEvent,
} from './OwnEvents.ts';
import type { RefEvent, WithRef } from './refs/RefEvent.ts';

/**
 * A bar as the streams deliver it; `history` marks what had closed before the subscription went live, and
 * `catchUp` what arrived late because the connection was lost. `loaded` ends a history of fewer bars than
 * requested. `held`: bars of the past are here, and come once those of the other subscriptions are.
 */
export type CandleEvent =
  | { kind: 'closed'; bar: ClosedBar; history: boolean; catchUp?: true }
  | { kind: 'forming'; bar: FormingBar; catchUp?: true }
  | { kind: 'loaded'; bars: number }
  | { kind: 'held' };

/** What a subscription to candles begins with and includes. */
export interface CandlesAsked {
  history: number;
  forming: boolean;
  stack?: string;
  taker?: BarTaker | undefined;
}

/**
 * What the runtime gives a host: one wallet's streams. State (`account$`, `balances$`, `position`, `price`, `market`,
 * `book`) repeats its last value to a new subscriber; events don't. A record that belongs to an intent of this instance
 * carries that intent's `ref`, if it had one.
 */
export interface StrategySources {
  /** Of the present span, if there are spans. */
  spans?: SpanControl;
  /** The plugin is set up: the history of all candles that it subscribed to may come, merged by time. */
  begin?(): void;
  account$: Observable<AccountRecord>;
  /** The account's `equity` alone, at each of its changes; left out, it is read from `account$`. */
  equity$?: Observable<number>;
  /** null while there is no position. */
  position(symbol: string): Observable<PositionRecord | null>;
  /** All of the wallet's, on any symbol. */
  balances$: Observable<readonly BalanceRecord[]>;
  fills$: Observable<WithRef<FillRecord>>;
  /** Open orders come first, as `snapshot` events, synchronously. */
  orders$: Observable<OwnOrderEvent>;
  /** Rows, executions and monitors that exist at the subscription come as `snapshot` events. */
  watch$: Observable<OwnWatchEvent>;
  executions$: Observable<OwnExecutionEvent>;
  monitors$: Observable<OwnMonitorEvent>;
  /**
   * What concerns intents with a `ref`: what is known at the subscription first, synchronously, then each
   * change. An event comes before the same news on any other source. Outcomes are in it only if they came
   * before the subscription; later ones come on `outcomes$` alone.
   */
  refs$: Observable<RefEvent>;
  /**
   * Past closed bars first, as many as `history`, then live ones; no bar twice. `stack` is that of the plugin's
   * call: if the service refuses the stream, the fault shows the caller and the place. `taker` takes live closed bars
   * in place of events where a replay hands them on as columns; a source that can't leaves it alone.
   */
  candles(symbol: string, interval: Interval, options: CandlesAsked): Observable<CandleEvent>;
  price(symbol: string, stack?: string): Observable<PriceRecord>;
  /** The market record; each value carries its own time, by which a plugin sees its age. */
  market(symbol: string, stack?: string): Observable<MarketTick>;
  /** @param depth levels of each side, 1 to 50; 10 if left out */
  book(symbol: string, depth?: number, stack?: string): Observable<BookTick>;
  /** What the wallet paid or received as funding, on any symbol. */
  funding$: Observable<FundingPayment>;
  /** Outcomes of this instance's intents. */
  outcomes$: Observable<Outcome>;
}
