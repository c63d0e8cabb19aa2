import { INTERVAL_MS, type Interval } from '../../../src/contract/index.ts';
import type { ClosedBar } from '../../../src/strategy/Bar.ts';

/** A closed one-minute bar of BTC; what isn't given follows from the close. */
export function bar(close: number, fields: Partial<ClosedBar> = {}): ClosedBar {
  const { open = close, interval = '1m', time = 0 } = fields;
  const high = Math.max(open, close) + 1;
  const low = Math.min(open, close) - 1;
  return {
    symbol: 'BTC',
    interval,
    time,
    open,
    high,
    low,
    close,
    volume: 1,
    closed: true,
    ...fields,
  };
}

/** Consecutive bars that open at `startTime` and close at the given prices. */
export function bars(
  closes: number[],
  interval: Interval = '1m',
  startTime = Date.UTC(2025, 5, 2),
): ClosedBar[] {
  return closes.map((close, i) => {
    const time = startTime + i * INTERVAL_MS[interval];
    return bar(close, { time, interval, open: closes[i - 1] ?? close });
  });
}

/** A walk long enough for every default to warm up. */
export function walk(count: number): ClosedBar[] {
  return bars(Array.from({ length: count }, (_, i) => 100 + 5 * Math.sin(i / 3) + (i % 7) / 10));
}
