import type { BarInput } from '../../../backtest/programs/index.ts';

export const MINUTE = 60_000;
/** Open of the first bar, epoch milliseconds. */
export const START = Date.UTC(2025, 0, 1);

/** Minutes whose price rises by one a bar. */
export const risingBars = (count: number): BarInput[] =>
  Array.from({ length: count }, (_none, index) => ({
    time: START + index * MINUTE,
    open: 100 + index,
    high: 101 + index,
    low: 100 + index,
    close: 101 + index,
    volume: 1_000,
  }));
