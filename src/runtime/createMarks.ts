import { INTERVAL_MS, type Interval } from '../contract/index.ts';

/** The last price of a symbol, from the last bar that closed. */
export interface Mark {
  readonly price: number;
  /** When the bar closed, epoch milliseconds. */
  readonly time: number;
  readonly intervalMs: number;
}

/** Last prices by symbol: what guards value exposure with, and how they know the age of data. */
export interface Marks {
  set(symbol: string, interval: Interval, bar: { time: number; close: number }): void;
  /** The mark as it stands; the next bar writes it anew, so whoever keeps it has the next one too. */
  of(symbol: string): Mark | undefined;
}

export function createMarks(): Marks {
  const marks = new Map<string, { -readonly [K in keyof Mark]: Mark[K] }>();
  return {
    set(symbol, interval, bar) {
      const intervalMs = INTERVAL_MS[interval];
      const time = bar.time + intervalMs;
      const mark = marks.get(symbol);
      if (mark === undefined) {
        marks.set(symbol, { price: bar.close, time, intervalMs });
        return;
      }
      mark.price = bar.close;
      mark.time = time;
      mark.intervalMs = intervalMs;
    },
    of: (symbol) => marks.get(symbol),
  };
}
