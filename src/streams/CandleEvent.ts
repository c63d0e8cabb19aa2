import type { CandleRecord } from '../contract/records.ts';

/**
 * A bar that closed, or the one in progress. `history` is true for bars that had closed before the
 * subscription, and false for all that a listener sees for the first time as they close, those that
 * closed during an outage included (MKT-1); `catchUp` marks these, and what comes late by a line that
 * stood still.
 */
export type CandleEvent =
  | { kind: 'closed'; bar: CandleRecord; history: boolean; catchUp?: true }
  | { kind: 'forming'; bar: CandleRecord; catchUp?: true };

export interface CandleOptions {
  /** Closed bars to begin with, 0 to 5,000. */
  history: number;
  /** Whether the bar in progress is wanted too; default no. */
  forming?: boolean;
  /** Runs when the history was given, with its number of bars: fewer than asked for where there are no more. */
  onLoaded?(bars: number): void;
}
