import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  gridSize,
  parseParamRange,
  parseValues,
  pointsOf,
  stepsAt,
  noteFirstEnd,
  tradableSpan,
  explainNoWindow,
  windowsOf,
} from '../../../backtest/index.ts';

describe('values of a parameter', () => {
  test.each([
    ['fast=5..20:5', ['5', '10', '15', '20']],
    ['n=1..3', ['1', '2', '3']],
    ['x=0.1..0.3:0.1', ['0.1', '0.2', '0.3']],
    ['x=-1..1:0.5', ['-1', '-0.5', '0', '0.5', '1']],
    ['x=7..7', ['7']],
    ['trend.mode=fast, slow', ['fast', 'slow']],
    ['flag=true,false', ['true', 'false']],
    ['feed=../a.csv,../b.csv', ['../a.csv', '../b.csv']],
    ['feed=../a.csv', ['../a.csv']],
  ])('%s', (text, values) => {
    expect(parseParamRange(text)).toEqual({
      ok: true,
      range: { name: text.split('=')[0], values },
    });
  });

  test.each([
    ['fast', 'it is not NAME=VALUES'],
    ['=5', 'it is not NAME=VALUES'],
    ['fast=', 'it is not NAME=VALUES'],
    ['fast=5..1', 'it decreases from 5 to 1'],
    ['fast=1..5:0', 'its step is 0'],
    ['x=0.05..0.3', 'its step 1 leaves only 0.05; use a smaller one'],
    ['fast=5..22:5', 'its step 5 misses its end 22: it has 5, 10, 15, 20; end it at 20 or 25'],
    [
      'n=0.5..100',
      'its step 1 misses its end 100: it has 0.5, 1.5, 2.5, 3.5 … 99.5; end it at 99.5 or 100.5',
    ],
    ['fast=x..y', 'not a range'],
    ['fast=5..', 'not a range'],
    ['fast=0..1:0.000001', 'it has 1000001 values'],
    ['mode=a,,b', 'one of its values is empty'],
    ['mode=a,b,a', 'it has a twice'],
    ['n=2,1,1.0', 'it has 1 twice, once as 1.0'],
    ['look=4..8:4,30', 'it has the range 4..8:4 in a list; list each value instead: 4,8,30'],
    ['n=1,0..99', 'it has the range 0..99 in a list; list each value instead'],
  ])('%s is refused: %s', (text, reason) => {
    expect(parseParamRange(text)).toEqual({ ok: false, reason });
  });

  test('a range never exceeds its end despite rounding', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 0, max: 60 }),
        fc.constantFrom(1, 2, 5),
        fc.integer({ min: 0, max: 4 }),
        (from, steps, by, decimals) => {
          const scaled = (value: number): string => (value / 10 ** decimals).toFixed(decimals);
          const text = `${scaled(from)}..${scaled(from + steps * by)}:${scaled(by)}`;
          const read = parseValues(text) as { list: string[] };
          expect(read.list).toHaveLength(steps + 1);
          expect(Number(read.list.at(-1))).toBe(Number(scaled(from + steps * by)));
        },
      ),
    );
  });
});

describe('points', () => {
  const params = [
    { name: 'a', values: ['1', '2', '3'] },
    { name: 'b', values: ['x', 'y'] },
  ];

  test('the grid in order, the last parameter fastest', () => {
    expect(gridSize(params)).toBe(6);
    const steps = Array.from({ length: 6 }, (_none, point) => stepsAt(params, point).join(''));
    expect(steps).toEqual(['00', '01', '10', '11', '20', '21']);
  });

  test('drawn points are distinct points of the grid, equal for a seed, and every point can be drawn', () => {
    const seen = new Set<number>();
    for (let seed = 0; seed < 60; seed++) {
      const plan = { params, random: 3, seed: String(seed) };
      const points = [...pointsOf(plan)];
      expect([...pointsOf(plan)]).toEqual(points);
      expect(new Set(points).size).toBe(3);
      expect(points).toEqual(points.toSorted((a, b) => a - b));
      for (const point of points) seen.add(point);
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(pointsOf({ params, random: 99, seed: null })).toHaveLength(6);
  });
});

const NONE = new Float64Array();
const NO_COLUMNS = {
  symbol: 'BTC',
  interval: '1d' as const,
  open: NONE,
  high: NONE,
  low: NONE,
  close: NONE,
  volume: NONE,
};

describe('windows of a walk-forward', () => {
  const span = { from: 0, until: 100 };

  test('rolling: training and test move on together', () => {
    expect(windowsOf({ kind: 'rolling', trainMs: 40, testMs: 25 }, span)).toEqual([
      { train: { from: 0, until: 40 }, test: { from: 40, until: 65 } },
      { train: { from: 25, until: 65 }, test: { from: 65, until: 90 } },
    ]);
  });

  test('anchored: training grows', () => {
    const windows = windowsOf({ kind: 'anchored', trainMs: 40, testMs: 30 }, span);
    expect(windows.map(({ train }) => train)).toEqual([
      { from: 0, until: 40 },
      { from: 0, until: 70 },
    ]);
    expect(windowsOf({ kind: 'anchored', trainMs: 90, testMs: 30 }, span)).toEqual([]);
  });

  test('align with the longest bars: training and test share no bar', () => {
    const DAY = 86_400_000;
    const feeds = [
      { ...NO_COLUMNS, time: Float64Array.from({ length: 20 }, (_none, at) => at * DAY) },
    ];
    const range = { from: 2.5 * DAY, until: 12.5 * DAY };
    const span = tradableSpan({ range, walk: null }, { feeds }, 1);
    expect(span).toEqual({ from: 3 * DAY, until: 12.5 * DAY });
    const walk = { kind: 'rolling' as const, trainMs: 4 * DAY, testMs: 2 * DAY };
    const windows = windowsOf(walk, span);
    expect(windows.map(({ test }) => test.until / DAY)).toEqual([9, 11]);
    expect(windows.every(({ train, test }) => train.until === test.from)).toBe(true);
    const fits = (trainMs: number): string | null =>
      explainNoWindow({ range, walk: { ...walk, trainMs } }, { feeds }, 1);
    expect(fits(4 * DAY)).toBeNull();
    expect(fits(1.5 * DAY)).toContain('--train (train_days) is 1.5d, no whole number');
    expect(fits(8 * DAY)).toContain('--train 8d and --test 2d need 10d, and 9.5d of the tape');
  });

  describe('of several feeds', () => {
    const HOUR = 3_600_000;
    const feedOf = (symbol: string, first: number, bars: number) => ({
      ...NO_COLUMNS,
      symbol,
      interval: '1h' as const,
      time: Float64Array.from({ length: bars }, (_none, at) => (first + at) * HOUR),
    });
    const walk = { kind: 'rolling', trainMs: 4 * HOUR, testMs: 2 * HOUR } as const;
    const [early, late] = [feedOf('ETH', 0, 15), feedOf('BTC', 3, 20)];

    test.each([[[early, late]], [[late, early]]])(
      'begin with the last and end with the first',
      (feeds) => {
        const from = 5 * HOUR;
        expect(tradableSpan({ range: {}, walk }, { feeds }, 2)).toEqual({ from, until: 15 * HOUR });
        // A run goes on after one has ended.
        expect(tradableSpan({ range: {}, walk: null }, { feeds }, 2)).toEqual({
          from,
          until: 23 * HOUR,
        });
        // A range that ends later adds no bars to test on.
        expect(tradableSpan({ range: { until: 99 * HOUR }, walk }, { feeds }, 2)).toEqual({
          from,
          until: 15 * HOUR,
        });
      },
    );

    test('the windows that it costs are told', () => {
      const data = { feeds: [early, late] };
      expect(noteFirstEnd({ range: {}, walk }, data, 2)).toBe(
        'feeds: ETH@1h ends 1970-01-01 15:00 UTC, and BTC@1h 1970-01-01 23:00: the walk-forward ends with the first, 4 windows earlier.',
      );
      expect(noteFirstEnd({ range: { until: 15 * HOUR }, walk }, data, 2)).toBeNull();
      expect(noteFirstEnd({ range: {}, walk: null }, data, 2)).toBeNull();
      expect(noteFirstEnd({ range: {}, walk }, { feeds: [late] }, 2)).toBeNull();
    });
  });
});
