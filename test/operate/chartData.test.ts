import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barAt, onBars, toCharts } from '../../src/operate/report/chartData.ts';
import { thinCandles } from '../../src/operate/report/thinCandles.ts';
import type { ReportCandles, ReportLevel, ReportPlot } from '../../src/operate/report/index.ts';

const MINUTE = 60_000;
const minutes = (count: number): number[] => Array.from({ length: count }, (_, at) => at * MINUTE);

/** Closes as bars of a minute with a range of one around each. */
function candles(closes: readonly number[]): ReportCandles {
  const time = minutes(closes.length);
  const high = closes.map((close) => close + 1);
  const low = closes.map((close) => close - 1);
  return { interval: '1m', time, open: closes, high, low, close: closes };
}

function chartOf(
  closes: readonly number[],
  drawn: { plots?: readonly Partial<ReportPlot>[]; levels?: readonly Partial<ReportLevel>[] },
  mostBars = 1_000,
) {
  const symbols = { BTC: candles(closes) };
  const about = { strategy: 'trend', symbol: 'BTC', name: 'line', group: 'line', interval: '1m' };
  const plots = (drawn.plots ?? []).map((plot) => ({ ...about, times: [], values: [], ...plot }));
  const level = { strategy: 'trend', symbol: 'BTC', kind: 'stop', times: [], prices: [] };
  const levels = (drawn.levels ?? []).map((one) => ({ ...level, ...one }));
  const shown = { BTC: thinCandles(symbols.BTC, mostBars) };
  const data = { symbols, strategies: [], plots, levels } as never;
  return { ...toCharts(data, shown)['BTC']!, bars: shown.BTC };
}

describe('a line on bars', () => {
  test('has what was known at a bar’s close on that bar, and what came between on the bar of its time', () => {
    const times = [MINUTE, 2 * MINUTE, 3.5 * MINUTE];
    expect(onBars({ times, values: [1, 2, 3] }, minutes(5))).toEqual({
      bars: [0, 1, 3],
      values: [1, 2, 3],
    });
  });

  test('has nothing of what came before the first bar', () => {
    expect(onBars({ times: [0, MINUTE], values: [1, 2] }, minutes(3))).toEqual({
      bars: [0],
      values: [2],
    });
  });

  test('keeps the extremes of each two bars when bars hold several values', () => {
    const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 30, maxLength: 90 });
    fc.assert(
      fc.property(values, (drawn) => {
        const times = drawn.map((_, at) => (at + 1) * MINUTE);
        const bars = Array.from(
          { length: 1 + Math.floor(drawn.length / 5) },
          (_, at) => at * 5 * MINUTE,
        );
        const line = onBars({ times, values: drawn }, bars);
        expect(line.bars).toEqual([...new Set(line.bars)].toSorted((a, b) => a - b));
        // The chart has no bar beyond its last one.
        expect(Math.max(...line.bars)).toBeLessThan(bars.length);
        for (let pair = 0; pair * 2 < bars.length; pair++) {
          const raw = drawn.filter((_, at) => Math.floor(at / 10) === pair);
          const held = line.values.filter((_, at) => line.bars[at]! >> 1 === pair);
          // The last pair may have one bar, and then one value.
          if (pair * 2 + 1 === bars.length || raw.length === 0) continue;
          expect([Math.min(...held), Math.max(...held)]).toEqual([
            Math.min(...raw),
            Math.max(...raw),
          ]);
          expect(held.every((value) => raw.includes(value))).toBe(true);
        }
      }),
    );
  });

  test('a bar’s index is the plain search’s', () => {
    const sorted = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 1 });
    fc.assert(
      fc.property(sorted, fc.integer({ min: -5, max: 105 }), (given, time) => {
        const times = given.toSorted((a, b) => a - b);
        expect(barAt(times, time)).toBe(times.findLastIndex((open) => open <= time));
      }),
    );
  });
});

describe('panes and names', () => {
  const closes = [100, 101, 102, 103];
  const times = minutes(5).slice(1);

  test('a named pane counts; without one a group is on the candles if all of it is near the prices', () => {
    const { plots } = chartOf(closes, {
      plots: [
        { name: 'mean', group: 'mean', times, values: [100, 100, 101, 102] },
        { name: 'far', group: 'far', times, values: [1, 100, 101, 102] },
        { name: 'wide upper', group: 'wide', times, values: [150, 150, 150, 150] },
        { name: 'wide force', group: 'wide', times, values: [-1, 0, 1, 2] },
        { name: 'mine', group: 'mine', pane: 'price', times, values: [1, 1, 1, 1] },
        { name: 'force', group: 'force', pane: 'force', times, values: closes },
      ],
    });
    expect(plots.map(({ pane }) => pane)).toEqual([
      'price',
      'far',
      'wide',
      'wide',
      'price',
      'force',
    ]);
  });

  test('names an interval that is not the chart’s, and the strategy where there are two', () => {
    const long = chartOf(closes, { plots: [{ interval: '1h' }, {}] }).plots;
    expect(long.map(({ name }) => name)).toEqual(['line 1h', 'line']);
    const two = chartOf(closes, { plots: [{}, { strategy: 'other', interval: '1h' }] }).plots;
    expect(two.map(({ group }) => group)).toEqual(['line · trend', 'line 1h · other']);
  });
});

describe('a level', () => {
  test('moves from the bar of each move on, and ends with the bar in which it fired', () => {
    const { levels } = chartOf([100, 101, 102, 103], {
      levels: [
        {
          times: [0, 60_500, 61_000],
          prices: [90, 91, 92],
          end_time: 3.2 * MINUTE,
          end: 'triggered',
        },
        { times: [MINUTE], prices: [95] },
      ],
    });
    expect(levels).toMatchObject([
      { bars: [0, 1], prices: [90, 92], until: 3, end: 'triggered' },
      { bars: [1], prices: [95], until: null, end: null },
    ]);
  });
});
