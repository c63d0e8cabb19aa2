import type { Feed } from '../../../src/paper/index.ts';

export const TAPE_START = Date.UTC(2025, 0, 1);
export const MINUTE = 60_000;

/**
 * A tape with known prices: each price is the close of a one-minute bar that opens where the last
 * one closed and goes straight there; null is a minute without a bar. Before them stand `quiet` bars
 * that alternate a little around the first price, so that indicators have something to measure.
 */
export function drawTape(
  prices: ReadonlyArray<number | null>,
  { symbol = 'BTC', quiet = 120, volume = 1_000 } = {},
): Feed {
  const first = prices[0] ?? 60_000;
  const swing = first / 3_000;
  const before = Array.from({ length: quiet }, (_, index) =>
    index === quiet - 1 ? first : first + (index % 2 === 0 ? swing : -swing),
  );
  let last = first;
  const bars = [...before, ...prices].flatMap((close, index) => {
    if (close === null) return [];
    const open = last;
    last = close;
    return [{ time: TAPE_START + index * MINUTE, open, close }];
  });
  const column = (value: (bar: (typeof bars)[number]) => number) => Float64Array.from(bars, value);
  return {
    symbol,
    interval: '1m',
    time: column(({ time }) => time),
    open: column(({ open }) => open),
    high: column(({ open, close }) => Math.max(open, close)),
    low: column(({ open, close }) => Math.min(open, close)),
    close: column(({ close }) => close),
    volume: column(() => volume),
  };
}

/** A constant price for some bars. */
export const still = (price: number, bars: number): number[] =>
  Array.from({ length: bars }, () => price);

/** A straight line from one price to another, inclusive. */
export const way = (from: number, to: number, bars: number): number[] =>
  Array.from({ length: bars }, (_, index) => Math.round(from + ((to - from) * index) / (bars - 1)));
