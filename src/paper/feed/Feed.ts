import type { Interval } from '../../contract/index.ts';
import type { Tape } from './Tape.ts';

/** One symbol's candles as columns, ascending by open time; gaps are allowed, duplicates are not. */
export interface Feed {
  symbol: string;
  interval: Interval;
  /** Open times, epoch milliseconds. */
  time: Float64Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
  /** Recorded trades and book; they take precedence for the bars that they cover. */
  tape?: Tape;
}
