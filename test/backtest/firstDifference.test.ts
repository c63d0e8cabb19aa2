/** Where two runs that should be equal part, within a tolerance for numbers. */
import { expect, test } from 'vitest';
import { firstDifference } from '../../backtest/check/firstDifference.ts';
import type { DecidedIntent } from '../../backtest/check/runIntents.ts';

const ladder = (sizes: readonly number[]): DecidedIntent =>
  ({
    instance: 'plant',
    decisionKey: 'main/plant/bar:BTC:1m:60000#0',
    time: 60_000,
    intent: { kind: 'place_batch', orders: sizes.map((size) => ({ size })) },
  }) as never;

const TOLERATED = 0.001;

test('one number of many that differs beyond the tolerance is found, and is what is told', () => {
  const before = ladder([100, 100, 100, 100, 100, 100, 1]);
  const drifted = [100.01, 100.01, 100.01, 100.01, 100.01, 100.01];
  expect(firstDifference([before], [ladder([...drifted, 1])], TOLERATED)).toBeUndefined();
  const found = firstDifference([before], [ladder([...drifted, 10])], TOLERATED);
  expect(found?.words).toEqual(['intent.orders.6.size: 1 → 10']);
});

test('an intent that differs is found behind others that are near enough', () => {
  const near = [ladder([100.01]), ladder([7]), ladder([50.02])];
  const before = [ladder([100]), ladder([7]), ladder([50]), ladder([3])];
  expect(firstDifference(before.slice(0, 3), near, TOLERATED)).toBeUndefined();
  const found = firstDifference(before, [...near, ladder([4])], TOLERATED);
  expect(found).toMatchObject({ one: before[3], words: ['intent.orders.0.size: 3 → 4'] });
  // So is one that only the second run has.
  expect(firstDifference(before.slice(0, 3), [...near, ladder([4])], TOLERATED)).toMatchObject({
    one: undefined,
    other: ladder([4]),
  });
});

test('at most five of many differences are told', () => {
  const found = firstDifference([ladder([1, 2, 3, 4, 5, 6])], [ladder([2, 3, 4, 5, 6, 7])]);
  expect(found?.words).toHaveLength(5);
  expect(found?.words[0]).toBe('intent.orders.0.size: 1 → 2');
});

test.each([
  [1_000, 1_000.9, true],
  [1_000, 1_002, false],
  // The greater of the two is the measure: one a hair beyond a thousandth of the lesser is near.
  [999, 1_000, true],
  [-999, -1_000, true],
  [0, 0.000_1, false],
])('%d and %d count as equal: %s', (one, other, isNear) => {
  const found = firstDifference([ladder([one])], [ladder([other])], TOLERATED);
  expect(found === undefined).toBe(isNear);
});
