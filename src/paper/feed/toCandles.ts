import type { Candles } from './barsOfTrades.ts';

/** Candles whose columns are read from rows, value by value. */
export function toCandles<Row>(
  rows: readonly Row[],
  valueOf: (row: Row, name: keyof Candles) => number,
): Candles {
  const column = (name: keyof Candles) => Float64Array.from(rows, (row) => valueOf(row, name));
  return {
    time: column('time'),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}
