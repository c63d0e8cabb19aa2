import { INTERVAL_MS, type Interval } from '../contract/index.ts';

/** The last price of a symbol, from the last bar that closed. */
export interface Mark {
  price: number;
  /** When the bar closed, epoch milliseconds. */
  time: number;
  intervalMs: number;
}

/** Last prices by symbol: what guards value exposure with, and how they know the age of data. */
export interface Marks {
  set(symbol: string, interval: Interval, bar: { time: number; close: number }): void;
  of(symbol: string): Mark | undefined;
}

export function createMarks(): Marks {
  const marks = new Map<string, Mark>();
  return {
    set(symbol, interval, bar) {
      const intervalMs = INTERVAL_MS[interval];
      marks.set(symbol, { price: bar.close, time: bar.time + intervalMs, intervalMs });
    },
    of: (symbol) => marks.get(symbol),
  };
}
