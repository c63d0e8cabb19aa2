import type { Candles } from './barsOfTrades.ts';
import type { CandleFault } from './checkCandle.ts';

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
  const remedy = 'Numbers only (the timestamp may be a TIMESTAMP), and none may be empty.';
  const column = name === 'time' ? 'timestamp' : name;
  return { column, value: null, message: 'holds no number.', remedy };
}
