import { expect, test } from 'vitest';
import { createRandom } from '../../src/env/index.ts';
import {
  drawdownPeriods,
  histogram,
  quantile,
  worstDrawdown,
  type TimedValue,
} from '../../src/statistics/index.ts';
import { naiveDrawdowns } from '../operate/naiveFigures.ts';

test('drawdown periods equal those found between each peak and the next, on curves of any shape', () => {
  const random = createRandom(31);
  for (let course = 0; course < 200; course++) {
    let [time, value] = [0, 100];
    const curve: [number, number][] = [[0, 100]];
    for (let count = course % 50; count > 0; count--) {
      time += 1 + Math.floor(random.next() * 5);
      value = Math.max(1, value + Math.round(random.next() * 6 - 2.7));
      curve.push([time, value]);
    }
    const found = drawdownPeriods(curve as readonly TimedValue[]);
    const expected = naiveDrawdowns(curve);
    expect(
      found.map(({ start, valley, end, durationMs, depth }) => [
        start,
        valley,
        end,
        durationMs,
        depth,
      ]),
    ).toEqual(
      expected.map(({ start, valley, end, days, depth }) => [start, valley, end, days, depth]),
    );
  }
});

test('a drawdown without equity at its peak has an amount and no share', () => {
  expect(
    drawdownPeriods([
      [0, 0],
      [1, -5],
    ]),
  ).toEqual([{ start: 0, valley: 1, end: null, durationMs: 1, amount: 5, depth: 0 }]);
  expect(drawdownPeriods([])).toEqual([]);
});

test('quantiles lie between the two nearest ranks, as NumPy has them', () => {
  const values = [4, 1, 3, 2];
  expect([0, 0.05, 0.5, 0.95, 1].map((share) => quantile(values, share))).toEqual([
    1, 1.15, 2.5, 3.8499999999999996, 4,
  ]);
  expect(quantile([], 0.5)).toBeNaN();
});

test('a histogram counts every value once, the largest in the last bin', () => {
  expect(histogram([0, 1, 2, 3, 4], 4)).toEqual({ from: 0, width: 1, counts: [1, 1, 1, 2] });
  expect(histogram([7, 7], 4)).toEqual({ from: 7, width: 0, counts: [2] });
  expect(histogram([], 4)).toBeNull();
});

test('of equal lows the first is the trough, however their parts were added up', () => {
  const low = 0.1 + 0.2 + 0.3;
  const same = 0.3 + 0.2 + 0.1;
  expect(low).not.toBe(same);
  for (const [first, second] of [
    [low, same],
    [same, low],
    [low, low],
  ] as const) {
    const curve: TimedValue[] = [
      [0, 0],
      [1, 1],
      [2, first],
      [3, 0.9],
      [4, second],
    ];
    expect(worstDrawdown([...curve, [5, 1]])).toMatchObject({ peakTime: 1, troughTime: 2 });
    expect(worstDrawdown(curve)).toMatchObject({
      troughTime: 2,
      depth: 1 - Math.min(first, second),
    });
  }
  const deeper: TimedValue[] = [
    [0, 100],
    [1, 99],
    [2, 98.999],
  ];
  expect(worstDrawdown(deeper).troughTime).toBe(2);
});
