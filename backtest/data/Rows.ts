import type { Interval } from '../../src/contract/index.ts';
import type { Candles, FundingRates, TradeTape } from '../../src/paper/index.ts';

/** Locations of rows, for findings. */
interface Place {
  file: string;
  /** Of each row: the line of a text file; elsewhere the row or element, from 1. */
  line: Float64Array;
  /** As stated in the data itself; null if it is not. */
  symbol: string | null;
  /** Notes on how it was read, such as the unit of time. */
  notes: string[];
  /** Raw text of cells without a number, by `LINE:COLUMN`; only for text files. */
  written?: ReadonlyMap<string, string>;
}

/** One file's candles as stored, not validated: NaN for a missing number, in any order. */
export interface BarRows extends Place {
  kind: 'bars';
  interval: Interval | null;
  columns: Candles;
}

export interface FundingRows extends Place {
  kind: 'funding';
  columns: FundingRates;
}

/** Trades are validated and sorted by their reader. */
export interface TradeRows extends Omit<Place, 'line'> {
  kind: 'trades';
  tape: TradeTape;
}

export type Rows = BarRows | FundingRows | TradeRows;
