/** Closed bars as columns, ascending by open time, epoch milliseconds. */
export interface BarColumns {
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** Takes bars as rows of columns, in order and without a hole: each is taken or passed over. */
export interface BarTaker {
  /** Known of each row beforehand: it has to take it, or need not; left out where only `next` knows. */
  readonly takes?: 'each' | 'none' | undefined;
  /** The first row in [from, to) that it has to take; `to` if there is none. Rows before it may be passed over. */
  next(bars: BarColumns, from: number, to: number): number;
  /** A bar closed just now: market time is its close. */
  take(bars: BarColumns, at: number): void;
  /** The rows [from, to) closed, and it has to take none of them. */
  pass(bars: BarColumns, from: number, to: number): void;
}

/** Where the closed bars of one subscription go. Each row stands for the frame that would have come. */
export interface BarLane extends BarTaker {
  /** Whether its bars may come as columns now; else each must come as a frame. */
  isReady(): boolean;
  /** Whether the subscription still stands: what was on its way to one that was withdrawn is dropped. */
  isOpen(): boolean;
}
