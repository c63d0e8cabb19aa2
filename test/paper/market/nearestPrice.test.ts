import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toValidPrice } from '../../../src/contract/index.ts';
import { nearestPrice } from '../../../src/paper/market/nearestPrice.ts';

test('it equals exact decimal rounding, ties included', () => {
  const grids = fc.record({
    price_decimals: fc.integer({ min: 0, max: 8 }),
    price_significant_figures: fc.constant(5),
    size_decimals: fc.constant(5),
  });
  const prices = fc.oneof(
    fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    fc.integer({ min: 1, max: 20_000_000 }).map((units) => units / 2_000),
  );
  fc.assert(
    fc.property(prices, grids, (price, grid) => {
      expect(nearestPrice(price, grid)).toBe(toValidPrice(price, grid));
    }),
    { numRuns: 2_000 },
  );
});
