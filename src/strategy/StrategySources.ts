import type { Observable } from 'rxjs';
import type {
  AccountRecord,
  FillRecord,
  Interval,
  PositionRecord,
  PriceRecord,
} from '../contract/index.ts';
import type { ClosedBar, FormingBar } from './Bar.ts';
import type { ExecutionEvent, WatchEvent } from '../streams/createWalletStreams.ts';
import type { Outcome } from './Outcome.ts';

/**
 * A bar as the streams deliver it; `history` marks what had closed before the subscription went live, and
 * `catchUp` what arrived late because the connection was lost. `loaded` ends a history of fewer bars than
 * requested.
 */
export type CandleEvent =
  | { kind: 'closed'; bar: ClosedBar; history: boolean; catchUp?: true }
  | { kind: 'forming'; bar: FormingBar; catchUp?: true }
  | { kind: 'loaded'; bars: number };

/**
 * What the runtime gives a host: one wallet's streams. State (`account$`, `position`, `price`) repeats its last
 * value to a new subscriber; events don't.
 */
export interface StrategySources {
  account$: Observable<AccountRecord>;
  /** null while there is no position. */
  position(symbol: string): Observable<PositionRecord | null>;
  fills$: Observable<FillRecord>;
  /** Rows and executions that exist at the subscription come as `snapshot` events. */
  watch$: Observable<WatchEvent>;
  executions$: Observable<ExecutionEvent>;
  /**
   * Past closed bars first, as many as `history`, then live ones; no bar twice. `stack` is that of the plugin's
   * call: if the service refuses the stream, the fault shows the caller and the place.
   */
  candles(
    symbol: string,
    interval: Interval,
    options: { history: number; forming: boolean; stack?: string },
  ): Observable<CandleEvent>;
  price(symbol: string, stack?: string): Observable<PriceRecord>;
  /** Outcomes of this instance's intents. */
  outcomes$: Observable<Outcome>;
}
