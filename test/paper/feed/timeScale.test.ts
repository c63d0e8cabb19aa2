/** The unit of a file's times, and rows of a file that is not in order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowsInOrder } from '../../../src/paper/feed/rowsInOrder.ts';
import { TimeScale } from '../../../src/paper/feed/TimeScale.ts';
import { holdLaw } from '../../holdLaw.ts';

/** From 1973 to 2255: of later ones a double has no whole microseconds. */
const instant = fc.integer({ min: 1e11, max: 9e12 });

test('a time is the same instant in each unit, to the millisecond', async () => {
  await holdLaw(500, instant, (ms) => {
    expect(new TimeScale().toMs(ms)).toBe(ms);
    expect(new TimeScale().toMs(ms * 1_000)).toBe(ms);
    expect(new TimeScale().toMs(ms * 1e6)).toBeCloseTo(ms, 1);
    expect(new TimeScale().toMs(ms / 1_000)).toBe(ms);
  });
});

test.each([
  [1e11 - 1, 'seconds'],
  [1e11, undefined],
  [1e14 - 1, undefined],
  [1e14, 'microseconds'],
  [1e17 - 16, 'microseconds'],
  [1e17, 'nanoseconds'],
])('a unit ends where the next one begins: %d', (time, unit) => {
  const scale = new TimeScale();
  scale.toMs(time);
  expect(scale.notes).toEqual(unit === undefined ? [] : [`Its times are ${unit}.`]);
});

test.each([
  [20240131, '2024-01-31'],
  [20240229, '2024-02-29'],
  [19871019, '1987-10-19'],
  [20991231, '2099-12-31'],
])('%d is the date that it is written as', (written, date) => {
  const scale = new TimeScale();
  expect(scale.toMs(written)).toBe(Date.parse(date));
  expect(scale.isOfDates).toBe(true);
  expect(scale.notes).toEqual(['Its times are dates such as 20240131.']);
  expect(scale.toMs(1_706_659_200)).toBeNull();
  expect(scale.mixed().message).toBe(
    'is not a time in dates such as 20240131, as the rows before it are.',
  );
});

test.each([20230229, 20241301, 20240100, 18991231, 21000101, 20240131.5])(
  '%d is no date',
  (written) => {
    const scale = new TimeScale();
    expect(scale.toMs(written)).toBe(Math.round(written * 1_000));
    expect(scale.isOfDates).toBe(false);
    expect(scale.toMs(20240131)).toBeNull();
  },
);

test('rows are sorted by time, and those of one millisecond keep their order', async () => {
  await holdLaw(200, fc.array(fc.nat(3), { maxLength: 8 }), (times) => {
    const depth = 1;
    const cells = Float64Array.from(times.flatMap((_time, at) => [at, 0, at, 0]));
    const sorted = rowsInOrder({ time: Float64Array.from(times), depth, cells });
    const expected = [...times.entries()].toSorted(([, a], [, b]) => a - b);
    expect([...sorted.time]).toEqual(expected.map(([, time]) => time));
    const order = expected.map((_row, at) => sorted.cells[at * 4]);
    expect(order).toEqual(expected.map(([at]) => at));
  });
});
