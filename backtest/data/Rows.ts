import type { Interval } from '../../src/contract/index.ts';
import type { Candles, FundingRates, TradeTape } from '../../src/paper/index.ts';

/** Where rows stand: what a finding names. */
interface Place {
  file: string;
  /** Of each row: the line of a text file; elsewhere the row or element, from 1. */
  line: Float64Array;
  /** What the data itself says of it; null where it doesn't. */
  symbol: string | null;
  /** What a user should know of how it was read, such as a unit of time. */
  notes: string[];
  /** Cells without a number as they stand there, by `LINE:COLUMN`; only of text. */
  written?: ReadonlyMap<string, string>;
}

/** One file's candles as they stand there, unjudged: NaN where no number is, in any order. */
export interface BarRows extends Place {
  kind: 'bars';
  interval: Interval | null;
  columns: Candles;
}

export interface FundingRows extends Place {
  kind: 'funding';
  columns: FundingRates;
}

/** Trades are judged and sorted by whoever reads them. */
export interface TradeRows extends Omit<Place, 'line'> {
  kind: 'trades';
  tape: TradeTape;
}

export type Rows = BarRows | FundingRows | TradeRows;

/** What is wrong with a file as a whole. */
export function fileFault(
  file: string,
  message: string,
  remedy: string,
  line: number | null = null,
) {
  const problem = { file, line, column: null, value: null, message, remedy };
  return { ok: false as const, problem };
}
