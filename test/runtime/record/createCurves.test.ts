import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/contract/durations.ts';
import { createCurves } from '../../../src/runtime/record/createCurves.ts';
import { valuesAtPeriods } from '../../../src/statistics/index.ts';

const MINUTE_MS = 60_000;

test('each name and the sum get their points at the same times', () => {
  const curves = createCurves(['one', 'other']);
  expect(curves.hourlySum()).toEqual([]);
  const values = [1, 2];
  curves.add(10, values, 3);
  // The list belongs to the caller, which keeps writing to it.
  values[0] = 5;
  curves.add(20, values, 7);
  expect(curves.of('one')).toEqual([
    [10, 1],
    [20, 5],
  ]);
  expect(curves.sum([30, 8])).toEqual([
    [10, 3],
    [20, 7],
    [30, 8],
  ]);
  expect(curves.of('nobody')).toEqual([]);
});

test('an hour retains its last point, including one at its end, replaced by the newest', () => {
  const curves = createCurves(['one']);
  const at = (hours: number, value: number) => curves.add(hours * HOUR_MS, [value], value);
  at(0.5, 1);
  at(1, 2);
  at(1.5, 3);
  expect(curves.hourlyOf('one')).toEqual([
    [HOUR_MS, 2],
    [1.5 * HOUR_MS, 3],
  ]);
  expect(curves.hourlySum([2 * HOUR_MS, 4])).toEqual([
    [HOUR_MS, 2],
    [2 * HOUR_MS, 4],
  ]);
  expect(curves.hourlySum([3 * HOUR_MS, 5])).toEqual([
    [HOUR_MS, 2],
    [1.5 * HOUR_MS, 3],
    [3 * HOUR_MS, 5],
  ]);
});

test('a run too long for a chart still has every hour', () => {
  const curves = createCurves(['one']);
  const hours = 2_000;
  for (let minute = 0; minute <= hours * 60; minute++) {
    const value = Math.floor(minute / 60) ** 2;
    curves.add(minute * MINUTE_MS, [value], value);
  }
  expect(curves.sum().length).toBeLessThan(20_000);
  const values = valuesAtPeriods(curves.hourlySum(), HOUR_MS);
  expect(values).toEqual(Array.from({ length: hours + 1 }, (_none, hour) => hour ** 2));
});
