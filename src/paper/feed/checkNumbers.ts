import type { Candles } from './barsOfTrades.ts';
import type { CandleFault } from './checkCandle.ts';

const NAMES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

/** The first column of a row that holds no number: empty cells, text, what is beyond all doubles. */
export function checkNumbers(columns: Candles, row: number): CandleFault | null {
  const { time, open, high, low, close, volume } = columns;
  // Finite numbers have a finite sum, up to sizes that no market knows; almost every row ends here.
  const sum = time[row]! + open[row]! + high[row]! + low[row]! + close[row]! + volume[row]!;
  if (Number.isFinite(sum)) return null;
  const name = NAMES.find((each) => !Number.isFinite(columns[each][row]!));
  if (name === undefined) return null;
  const remedy = 'Numbers only (the timestamp may be a TIMESTAMP), and none may be empty.';
  const column = name === 'time' ? 'timestamp' : name;
  return { column, value: null, message: 'holds no number.', remedy };
}
