/** What assets without a price are worth: what the service's equity has beyond all that has one. */
import { expect, test } from 'vitest';
import { createUnpriced } from '../../../src/runtime/wallet/createUnpriced.ts';
import type { AccountModel } from '../../../src/streams/index.ts';

const POSITIONS = {
  BTC: { side: 'long', size: 1, entry_price: 100, mark_price: 115 },
  ETH: { side: 'short', size: 2, entry_price: 50, mark_price: 45 },
  SOL: { side: 'short', size: 4, entry_price: 10, mark_price: 11 },
};
/** Open profit of those, quote units. */
const PROFIT = 15 + 10 - 4;

function modelOf(
  equity: number,
  totals: Readonly<Record<string, number>>,
  positions: object = POSITIONS,
): AccountModel {
  const balances = Object.entries(totals).map(([asset, total]) => [asset, { asset, total }]);
  return {
    account: { equity },
    positions: new Map(Object.entries(positions)),
    balances: new Map(balances as never),
  } as unknown as AccountModel;
}

function open(known: Readonly<Record<string, number>> = {}) {
  const prices = new Map(Object.entries(known));
  return { prices, ...createUnpriced((symbol) => prices.get(symbol)) };
}

test('of one asset it is all that is left, positions of both sides and priced assets aside', () => {
  const { shown, priceOf } = open({ 'BAR/USDC': 5 });
  expect(priceOf('FOO')).toBeUndefined();
  shown(modelOf(1_000 + PROFIT + 2 * 5 + 4 * 20, { USDC: 1_000, BAR: 2, FOO: 4 }));
  expect(priceOf('FOO')).toBeCloseTo(20, 9);
  expect([priceOf('BAR'), priceOf('USDC'), priceOf('OTHER')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('several are taken for equal parts, until one of them has a price', () => {
  const { shown, priceOf, prices } = open();
  shown(modelOf(1_000 + 90, { USDC: 1_000, FOO: 1, BAR: 3, BAZ: 5, NONE: 0 }, {}));
  const each = () => ['FOO', 'BAR', 'BAZ', 'NONE'].map(priceOf);
  expect(each()).toEqual([30, 10, 6, undefined]);
  prices.set('BAR/USDC', 20);
  expect(each()).toEqual([15, undefined, 3, undefined]);
  prices.delete('BAR/USDC');
  expect(each()).toEqual([30, 10, 6, undefined]);
});

test('each account record is divided anew, and what is short of its parts is worth nothing', () => {
  const { shown, priceOf } = open();
  for (const [equity, price] of [
    [1_100, 50],
    [1_060, 30],
    [990, 0],
    [1_002, 1],
  ] as const) {
    shown(modelOf(equity, { USDC: 1_000, FOO: 2 }, {}));
    expect(priceOf('FOO')).toBe(price);
  }
});
