import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkFunding } from '../../../backtest/data/checkFunding.ts';
import { largestMove } from '../../../backtest/data/checkBars.ts';
import { findGaps, orderOf } from '../../../backtest/data/findGaps.ts';
import { watchOrder } from '../../../backtest/data/watchOrder.ts';
import { holdLaw } from '../../holdLaw.ts';

const HOUR = 3_600_000;

test('each row is new, a repetition of any before it, or behind a later one', async () => {
  const times = fc.array(fc.oneof(fc.nat({ max: 9 }), fc.constant(Number.NaN)), { maxLength: 14 });
  await holdLaw(400, times, (drawn) => {
    const order = watchOrder(Float64Array.from(drawn));
    for (const [row, time] of drawn.entries()) {
      const before = drawn.slice(0, row).filter((each) => !Number.isNaN(each));
      const isNew = Number.isNaN(time) || time > Math.max(-1, ...before);
      const kind = before.includes(time) ? 'duplicate' : 'out_of_order';
      expect(order(row)?.kind ?? null, `row ${row} of ${drawn}`).toBe(isNew ? null : kind);
    }
  });
});

test('rows are in the order of their times, those of one time in that of the file', async () => {
  const time = fc.oneof(fc.nat({ max: 5 }), fc.constant(Number.NaN));
  await holdLaw(400, fc.array(time, { maxLength: 14 }), (times) => {
    const rows = times.map((_time, row) => row).filter((row) => !Number.isNaN(times[row]));
    const expected = rows.toSorted((a, b) => times[a]! - times[b]! || a - b);
    expect([...orderOf(Float64Array.from(times))]).toEqual(expected);
  });
});

test('what is missing between two rows is counted in whole steps', async () => {
  const steps = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: -4, max: 4 })),
    {
      maxLength: 8,
    },
  );
  await holdLaw(300, steps, (drawn) => {
    // Each is up to four of ten parts of a step late or early.
    let at = 0;
    const times = [0, ...drawn.map(([count, late]) => (at += 10 * count) + late / 2)];
    const found = findGaps(Float64Array.from(times), () => 10);
    const expected = drawn.flatMap(([count], row) =>
      count > 1 ? [{ index: row + 1, missing: count - 1 }] : [],
    );
    expect(found).toEqual(expected);
  });
});

test('of a funding file too short for a rule the shortest of equally frequent steps is the usual one', () => {
  const gaps = (hours: readonly number[]) => {
    const time = Float64Array.from(hours, (hour) => hour * HOUR);
    const line = Float64Array.from(hours, (_hour, row) => row + 2);
    return checkFunding({ line, columns: { time, rate: time.map(() => 0.000_1) } }).map(
      ({ kind, rows, time: at }) => [kind, rows, at / HOUR],
    );
  };
  expect(gaps([100, 101, 109])).toEqual([['gap', 7, 102]]);
  expect(gaps([100, 108, 109])).toEqual([['gap', 7, 101]]);
  expect(gaps([100, 108, 116, 117])).toEqual([]);
});

test('a close of 0 is no largest move', () => {
  const columns = (closes: readonly number[]) => {
    const close = Float64Array.from(closes);
    return { time: close, open: close, high: close, low: close, close, volume: close };
  };
  expect(largestMove(columns([100, 110, 99]))).toBeCloseTo(0.1, 12);
  expect(largestMove(columns([100, 110, 0, 100]))).toBe(1);
  expect(largestMove(columns([0, 0, 5]))).toBe(0);
});
