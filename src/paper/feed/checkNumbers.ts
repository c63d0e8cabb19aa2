import type { Candles } from './barsOfTrades.ts';
import type { CandleFault } from './checkCandle.ts';

/** How a time is written. */
export const TIME_REMEDY =
  'Times are in one column, as epoch numbers or as 2024-01-31 08:00:00 (Parquet: or as TIMESTAMP).';

const NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/**
 * The first column of a row without a number: an empty cell, text, or a value beyond the range of
 * doubles.
 */
export function checkNumbers(columns: Candles, row: number): CandleFault | null {
  const { time, open, high, low, close, volume } = columns;
  // Finite numbers of any realistic size have a finite sum; almost every row ends here.
  const sum = time[row]! + open[row]! + high[row]! + low[row]! + close[row]! + volume[row]!;
  if (Number.isFinite(sum)) return null;
  const name = NAMES.find((each) => !Number.isFinite(columns[each][row]!));
  if (name === undefined) return null;
  if (name === 'time') {
    return { column: 'timestamp', value: null, message: 'is not a time.', remedy: TIME_REMEDY };
  }
  const remedy = 'Numbers only, and none may be empty.';
  return { column: name, value: null, message: 'holds no number.', remedy };
}
