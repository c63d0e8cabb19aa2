/** Trades in the order of their times (epoch milliseconds); sizes in base units. */
export interface TradeTape {
  time: Float64Array;
  price: Float64Array;
  size: Float64Array;
}

/** Whole books, or their best levels, each of which replaces the one before. */
export interface BookRows {
  kind: 'rows';
  /** Epoch milliseconds, ascending. */
  time: Float64Array;
  /** Levels a row has on each side. */
  depth: number;
  /** For each row and level: bid price, bid size, ask price, ask size; NaN if there is none. */
  cells: Float64Array;
}

/** A book and its changes, message by message; the first message is the whole book. */
export interface BookChanges {
  kind: 'changes';
  /** Of each message, epoch milliseconds, ascending. */
  time: Float64Array;
  /** Index of each message's first change. */
  first: Float64Array;
  /** The venue's sequence number of each message. */
  updateId: Float64Array;
  isBid: Uint8Array;
  price: Float64Array;
  /** The level's size from now on; 0 removes it. */
  size: Float64Array;
}

export type BookTape = BookRows | BookChanges;

/**
 * The recording of a market. It applies to the bars that it covers completely, from the open of the first
 * to the close of the last.
 */
export interface Tape {
  /** Open time of the first bar that it covers, epoch milliseconds. */
  from: number;
  /** Close time of the last. */
  until: number;
  trades: TradeTape | null;
  book: BookTape | null;
}
