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
 * A bar as the streams tell it; `history` marks what had closed before the subscription went live, and
 * `catchUp` what came late, since the line was gone. `loaded` ends a history of fewer bars than asked for.
 */
export type CandleEvent =
  | { kind: 'closed'; bar: ClosedBar; history: boolean; catchUp?: true }
  | { kind: 'forming'; bar: FormingBar; catchUp?: true }
  | { kind: 'loaded'; bars: number };

/**
 * What the runtime gives a host: one wallet's streams. State (`account$`, `position`, `price`)
 * repeats its last value to a new subscriber; events don't.
 */
export interface StrategySources {
  account$: Observable<AccountRecord>;
  /** null while there is no position. */
  position(symbol: string): Observable<PositionRecord | null>;
  fills$: Observable<FillRecord>;
  /** Rows and executions that stand at the subscription come as `snapshot` events. */
  watch$: Observable<WatchEvent>;
  executions$: Observable<ExecutionEvent>;
  /**
   * Closed bars of the past first, as many as `history`, then live ones; no bar twice. `stack` is that of
   * the plugin's call: where the service refuses the stream, a person is told who asked, and where.
   */
  candles(
    symbol: string,
    interval: Interval,
    options: { history: number; forming: boolean; stack?: string },
  ): Observable<CandleEvent>;
  price(symbol: string, stack?: string): Observable<PriceRecord>;
  /** Of this instance's own intents. */
  outcomes$: Observable<Outcome>;
}
