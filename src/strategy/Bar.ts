import type { Interval } from '../contract/index.ts';

/** One candle of one symbol; prices in quote units, volume in base units. */
export interface Bar {
  readonly symbol: string;
  readonly interval: Interval;
  /** Open time, epoch milliseconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** A bar that can no longer change: the only kind that an indicator or a signal may read (MKT-1, MKT-2). */
export interface ClosedBar extends Bar {
  readonly closed: true;
}

/** The bar in progress, with its values so far. */
export interface FormingBar extends Bar {
  readonly closed: false;
}
