import type { InstrumentRecord, Interval, PriceRecord } from '../../contract/index.ts';

/** Closed bars of a symbol and interval as columns, oldest first; `length` rows are valid. */
export interface BarSeries {
  readonly length: number;
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

export interface Bar {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Levels as `[price, size]`, best first. */
export interface RecordedBook {
  bids: Array<[number, number]>;
  asks: Array<[number, number]>;
}

/** The market as it is visible at the replay's time: nothing of a bar before it has run. */
export interface Market {
  readonly instruments: readonly InstrumentRecord[];
  instrument(symbol: string): InstrumentRecord | undefined;
  /** The feed's own interval; shorter ones can't be served. */
  feedInterval(symbol: string): Interval;
  quote(symbol: string): PriceRecord & { time: number };
  /** The recorded book; null if there is none and one has to be synthesised from the best bid and ask. */
  book(symbol: string, depth: number): RecordedBook | null;
  closedBars(symbol: string, interval: Interval): BarSeries;
  /** The bar in progress as far as the path has run; null on a boundary. */
  formingBar(symbol: string, interval: Interval): Bar | null;
  /** Rate of the last settlement and time of the next (a fraction, positive: longs pay); null for spot. */
  funding(symbol: string): { rate: number; nextTime: number } | null;
}
