/** What a target makes of a pair: sizes, the step, and how much of an imbalance the venue's grid explains. */
import { expect, test } from 'vitest';
import { sizePair } from '../../../src/strategy/pairs/sizePair.ts';
import { toInstrumentView } from '../../../src/strategy/toInstrumentView.ts';
import { listInstruments } from '../../../src/testing/listInstruments.ts';

const legsOf = (least: number, decimals = 5) =>
  ['ETH', 'BTC'].map((symbol) => {
    const record = listInstruments(['ETH', 'BTC'], {}).get(symbol)!;
    const given = { ...record, size_decimals: decimals, min_order_value: least };
    return { instrument: toInstrumentView(given) };
  }) as unknown as Parameters<typeof sizePair>[1];
const prices = [2_000, 50_000] as const;

test.each([1, -1])('sizes are in the ratio, and slack is twice what is too small: %d', (sign) => {
  const target = { value: 3_000 * sign, hedge_ratio: 0.5 };
  const { legs, most, slack } = sizePair(target, legsOf(10), { prices, max_naked: 500 });
  // An order of 11 is possible after a fall of the price, too; of ETH it counts half.
  expect(legs).toEqual([
    { target: 1.5 * sign, unit: 1_000, dust: 11 / 2_000 },
    { target: -0.03 * sign, unit: 50_000, dust: 11 / 50_000 },
  ]);
  expect(most).toBe(500);
  expect(slack).toBeCloseTo(2 * (11 / 2 + 11), 9);
});

test('a coarse grid is what is too small, and of a flat leg nothing is', () => {
  const given = { prices, max_naked: 6_000 };
  const { legs, slack } = sizePair({ value: 10_000, hedge_ratio: 1 }, legsOf(10, 1), given);
  expect(legs.map(({ dust }) => dust)).toEqual([0.1, 0.1]);
  expect(slack).toBeCloseTo(2 * (0.1 * 2_000 + 0.1 * 50_000), 9);
  const flat = sizePair({ value: 0, hedge_ratio: 1 }, legsOf(10, 1), given);
  expect(flat.legs.map(({ dust }) => dust)).toEqual([0.05, 0.05]);
  expect(flat.slack).toBeCloseTo(slack, 9);
});
