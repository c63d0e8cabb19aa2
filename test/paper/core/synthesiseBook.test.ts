import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isValidPrice, tickAt, toValidPrice } from '../../../src/contract/index.ts';
import { synthesiseBook } from '../../../src/paper/core/synthesiseBook.ts';

const grid = (price_decimals: number) => ({
  price_decimals,
  price_significant_figures: 5,
  size_decimals: 3,
});

const bookOf = (bid: number, ask: number, price_decimals: number, depth: number) =>
  synthesiseBook({
    instrument: { symbol: 'BTC', ...grid(price_decimals) } as never,
    touch: { bid, ask },
    typicalVolume: 100,
    depth,
    time: 0,
  });
const pricesOf = (levels: ReadonlyArray<readonly [number, number]>) =>
  levels.map(([price]) => price);

test.each([
  [9999.9, 10_000, 6, [9999.9, 9999.8, 9999.7, 9999.6], [10_000, 10_001, 10_002, 10_003]],
  [10_001, 9999.8, 6, [10_001, 10_000, 9999.9, 9999.8], [9999.8, 9999.9, 10_000, 10_001]],
  [1.0001, 0.99998, 6, [1.0001, 1, 0.99999, 0.99998], [0.99998, 0.99999, 1, 1.0001]],
  [100_001, 99_999, 6, [100_001, 100_000, 99_999, 99_998], [99_999, 100_000, 100_001, 100_002]],
  [0.02, 0.03, 2, [0.02, 0.01], [0.03, 0.04, 0.05, 0.06]],
])(
  'levels from %f and %f, with %i decimals, leave no valid price out',
  (bid, ask, most, bids, asks) => {
    const book = bookOf(bid, ask, most, 4);
    expect([pricesOf(book.bids), pricesOf(book.asks)]).toEqual([bids, asks]);
  },
);

test('MKT-6: at any price, as many levels as asked for, and no valid price between two', () => {
  const drawn = fc.record({
    power: fc.integer({ min: -4, max: 6 }),
    steps: fc.integer({ min: -30, max: 30 }),
    decimals: fc.integer({ min: 0, max: 8 }),
    depth: fc.integer({ min: 1, max: 50 }),
  });
  fc.assert(
    fc.property(drawn, ({ power, steps, decimals, depth }) => {
      const rules = grid(decimals);
      const near = 10 ** power * (1 + steps / 10_000);
      const touch = toValidPrice(near, rules, 'up');
      const book = bookOf(touch, touch, decimals, depth);
      for (const [side, sign] of [
        [book.asks, 1],
        [book.bids, -1],
      ] as const) {
        const prices = pricesOf(side);
        expect(prices[0]).toBe(touch);
        // Below the smallest price there is none.
        const isOver = sign < 0 && prices.at(-1)! <= 10 ** -decimals * 1.000_001;
        if (!isOver) expect(prices).toHaveLength(depth);
        for (const [at, price] of prices.entries()) {
          expect(isValidPrice(price, rules), String(price)).toBe(true);
          if (at === 0) continue;
          const [low, high] = [price, prices[at - 1]!].toSorted((a, b) => a - b) as [
            number,
            number,
          ];
          // The finer tick of the two is the lower one's.
          expect((high - low) / tickAt(low, rules)).toBeCloseTo(1, 3);
          expect(Math.sign(price - prices[at - 1]!)).toBe(sign);
        }
      }
    }),
    { numRuns: 500 },
  );
});
