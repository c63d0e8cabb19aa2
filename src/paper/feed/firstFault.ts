import { INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { Candles } from './barsOfTrades.ts';
import { checkCandle, LATEST, type CandleFault } from './checkCandle.ts';
import { checkNumbers } from './checkNumbers.ts';

/** The first row of candles that can't be traded on, and what is wrong with it; null if all are valid. */
export function firstFault(
  columns: Candles,
  interval: Interval,
): (CandleFault & { row: number }) | null {
  for (let row = soundRows(columns, interval); row < columns.time.length; row++) {
    const found = checkNumbers(columns, row) ?? checkCandle(columns, row, interval);
    if (found !== null) return { row, ...found };
  }
  return null;
}

/**
 * How many rows from the first on are plainly sound: each bar opens when the one before closes, and every number is
 * finite and in its place. Each backtest reads millions of rows, and nearly all of them end here.
 */
function soundRows(columns: Candles, interval: Interval): number {
  const { time, open, high, low, close, volume } = columns;
  const rows = time.length;
  if (rows === 0 || (checkNumbers(columns, 0) ?? checkCandle(columns, 0, interval)) !== null)
    return 0;
  const lengthMs = INTERVAL_MS[interval];
  for (let row = 1; row < rows; row++) {
    const least = low[row]!;
    const most = high[row]!;
    if (
      lengthMs === time[row]! - time[row - 1]! &&
      time[row]! < LATEST &&
      least > 0 &&
      most < Infinity &&
      open[row]! >= least &&
      open[row]! <= most &&
      close[row]! >= least &&
      close[row]! <= most &&
      volume[row]! >= 0 &&
      volume[row]! < Infinity
    ) {
      continue;
    }
    return row;
  }
  return rows;
}
