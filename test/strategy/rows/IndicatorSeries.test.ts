import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIndicator } from '../../../src/indicators/index.ts';
import { generateFeed } from '../../../src/paper/index.ts';
import { IndicatorSeries, sharedSeries } from '../../../src/strategy/rows/IndicatorSeries.ts';

const bars = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: 40_000,
  seed: 4,
  startTime: 0,
  startPrice: 100,
});

/** What a kernel that takes each bar in turn shows at each row. */
function byKernel(id: 'sma' | 'macd' | 'atr', first: number): { lines: number[][]; ready: number } {
  const kernel = createIndicator(id, {});
  const lines: number[][] = [];
  let ready = Infinity;
  for (let row = first; row < bars.time.length; row++) {
    const { time, open, high, low, close, volume } = bars;
    const isReady = kernel.next(
      time[row]!,
      open[row]!,
      high[row]!,
      low[row]!,
      close[row]!,
      volume[row]!,
    );
    if (isReady && ready === Infinity) ready = row;
    lines[row] = [...kernel.values];
  }
  return { lines, ready };
}

test('its columns are what a kernel gives bar by bar, however they are read', () => {
  for (const id of ['sma', 'macd', 'atr'] as const) {
    const first = 17;
    const { lines, ready } = byKernel(id, first);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3_000), fc.integer({ min: 1, max: 4_096 })), { maxLength: 25 }),
        fc.boolean(),
        (steps, goesBack) => {
          const series = new IndicatorSeries(bars, first, () => createIndicator(id, {}));
          let present = first;
          const check = (row: number, length: number): void => {
            const to = Math.min(row + length, bars.time.length);
            series.fill(row, to);
            for (const at of new Set([row, (row + to) >> 1, to - 1])) {
              const shown = series.columns.map(({ values, base }) => values[at - base]!);
              expect(shown).toEqual(lines[at]);
            }
          };
          for (const [ahead, length] of steps) {
            present = Math.min(present + ahead, bars.time.length - 1);
            check(present, length);
          }
          if (present > ready) expect(series.readyRow).toBe(ready);
          // Somebody who reads from the beginning, after the others.
          if (goesBack) check(first, 100);
        },
      ),
      { numRuns: 25 },
    );
  }
});

test('it is shared where rows, parameters and first bar agree, and nowhere else', () => {
  const key = { indicator: 'sma', params: { period: 3 }, first: 5 } as const;
  const series = sharedSeries(bars, key);
  expect(sharedSeries(bars, { ...key, params: { period: 3 } })).toBe(series);
  expect(sharedSeries(bars, { ...key, first: 6 })).not.toBe(series);
  expect(sharedSeries(bars, { ...key, params: { period: 4 } })).not.toBe(series);
  expect(sharedSeries(bars, { ...key, indicator: 'ema' })).not.toBe(series);
  expect(sharedSeries({ ...bars }, key)).not.toBe(series);
});
