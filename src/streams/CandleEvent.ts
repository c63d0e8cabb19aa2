import type { CandleRecord } from '../contract/records.ts';
import type { BarTaker } from '../env/BarSpan.ts';
import type { BarPlace } from './createBarSequence.ts';

/**
 * A bar that closed, or the one in progress. `history` is true for bars that had closed before the
 * subscription, and false for all that a listener first receives as they close, including those that closed
 * during an outage (MKT-1); `catchUp` marks the latter, and bars that arrive late because the connection
 * stalled.
 */
export type CandleEvent =
  | { kind: 'closed'; bar: CandleRecord; history: boolean; catchUp?: true }
  | { kind: 'forming'; bar: CandleRecord; catchUp?: true };

export interface CandleOptions {
  /** Number of closed bars of history, 0 to 5,000. */
  history: number;
  /** Whether to include the bar in progress; default no. */
  forming?: boolean;
  /** Runs after the history was delivered, with its number of bars: fewer than requested if there are no more. */
  onLoaded?(bars: number): void;
  /**
   * Takes bars that have just closed in place of events, where a link hands them on as columns. Default: each comes as
   * an event.
   */
  taker?: BarTaker | undefined;
  /** Nothing is decided by these bars: a replay goes on without waiting for what they cause. Default no. */
  passive?: boolean;
  /** Of the listener among those of its strategy, whose blocks of bars are merged by time. Default: each comes alone. */
  place?: BarPlace | undefined;
}
