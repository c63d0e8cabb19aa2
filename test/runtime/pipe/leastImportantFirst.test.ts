import { expect, test } from 'vitest';
import { distanceBps, leastImportantFirst } from '../../../src/runtime/pipe/leastImportantFirst.ts';

const priceOf = (symbol: string): number | undefined => ({ BTC: 100, ETH: 10 })[symbol];
const entry = (orderId: string, symbol: string, price: number, createdTime = 0) => ({
  orderId,
  symbol,
  price,
  createdTime,
});
const order = (...entries: Array<ReturnType<typeof entry>>): string[] =>
  leastImportantFirst(entries, priceOf).map(({ orderId }) => orderId);

test('farthest from the market first, on either side and by share of the price', () => {
  expect(
    order(entry('near', 'BTC', 99), entry('far', 'BTC', 104), entry('eth', 'ETH', 9.7)),
  ).toEqual(['far', 'eth', 'near']);
});

test('ties go to the older, then to the lower id', () => {
  expect(order(entry('young', 'BTC', 95, 2), entry('old', 'BTC', 105, 1))).toEqual([
    'old',
    'young',
  ]);
  expect(order(entry('b', 'BTC', 95), entry('a', 'BTC', 95), entry('c', 'BTC', 95))).toEqual([
    'a',
    'b',
    'c',
  ]);
});

test('orders without a measurable price come last', () => {
  expect(order(entry('unknown', 'SOL', 1), entry('touching', 'BTC', 100))).toEqual([
    'touching',
    'unknown',
  ]);
  expect(distanceBps({ symbol: 'BTC', price: 95 }, priceOf)).toBeCloseTo(500, 9);
});
