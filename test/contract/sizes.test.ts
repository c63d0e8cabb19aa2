/** Sizes on the venue's grid, judged by their decimal text: no step is lost or won by a double's last digits. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSellable } from '../../src/contract/isSellable.ts';
import { floorSize, snapSize } from '../../src/contract/sizes.ts';
import { createBench, feedOf, flat, type Row } from '../paper/engine/bench.ts';

/** Sizes that a double tells from their neighbours by far. */
const MOST_STEPS = 10n ** 14n;

const drawn = fc.record({
  decimals: fc.integer({ min: 0, max: 8 }),
  // Of every magnitude.
  digits: fc.integer({ min: 1, max: 14 }),
  steps: fc.bigInt({ min: 1n, max: MOST_STEPS }),
});

const textOf = (steps: bigint, decimals: number): string => `${steps}e-${decimals}`;

/** The double next to a positive value. */
function besides(value: number, by: 1n | -1n): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + by);
  return view.getFloat64(0);
}

test('a size on the grid is kept whole, and so are its neighbours by a rounding', () => {
  fc.assert(
    fc.property(drawn, ({ decimals, digits, steps: any }) => {
      const steps = (any % 10n ** BigInt(digits)) + 1n;
      const size = Number(textOf(steps, decimals));
      for (const each of [size, besides(size, 1n), besides(size, -1n)]) {
        expect(floorSize(each, decimals), textOf(steps, decimals)).toBe(size);
        expect(snapSize(each, decimals), textOf(steps, decimals)).toBe(size);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a size between two steps is the lower one, however near it is to the next', () => {
  const part = fc.constantFrom('001', '01', '1', '4', '5', '6', '9', '99', '995');
  fc.assert(
    fc.property(drawn, part, ({ decimals, digits, steps: any }, more) => {
      // So small that a double has digits left for the part.
      const steps = any % 10n ** BigInt(Math.min(digits, 11));
      const between = Number(textOf(BigInt(`${steps}${more}`), decimals + more.length));
      expect(floorSize(between, decimals)).toBe(Number(textOf(steps, decimals)));
    }),
    { numRuns: 2_000 },
  );
});

describe.each(['BTC', 'HYPE/USDC'])('a large size of %s', (symbol) => {
  const PLENTY = 1e12;
  const at = (price: number, bars: number, volume = PLENTY): Row[] => flat(price, bars, volume);

  function open(rows: Row[]) {
    const options = {
      feeds: [feedOf(rows, { symbol })],
      instruments: { [symbol]: { price_decimals: 4, size_decimals: 5 } },
      impactBps: 0,
      volumeShare: 1,
    };
    const bench = createBench(options, { balance: 1e10 });
    bench.run(2);
    const market = (side: string, size: number) =>
      bench.order({ symbol, side, size, order_type: 'market' });
    const sellAt = (price: number, size: number) =>
      bench.order({ symbol, side: 'sell', size, order_type: 'limit', price });
    const held = () =>
      symbol === 'BTC'
        ? (bench.call('positions.list').items[0]?.size ?? 0)
        : (bench.call('account.balances').items[1]?.total ?? 0);
    return { ...bench, market, sellAt, held };
  }

  test.each([270_000.03487, 300_000.03487, 530_000.06023, 1_100_000.00317])(
    'is bought and sold whole: %s',
    (size) => {
      const { market, held } = open(at(1, 9));
      expect(market('buy', size)).toMatchObject({ status: 'filled', filled_size: size });
      expect(held()).toBe(size);
      expect(market('sell', size)).toMatchObject({ status: 'filled', filled_size: size });
      expect(held()).toBe(0);
    },
  );

  test('that filled all but a small rest fills that whole, too', () => {
    const [whole, part] = [1_101_000.00317, 1_100_989.00316];
    const { market, sellAt, held, run, call } = open([
      ...at(1, 3),
      ...at(1.1, 1, part),
      ...at(1.1, 4),
    ]);
    market('buy', whole);
    const { order_id: id } = sellAt(1.05, whole);
    const order = () => call('orders.get', { pathParams: { id } });
    run(1.9);
    expect(order()).toMatchObject({ status: 'open', filled_size: part });
    run(2);
    expect(order()).toMatchObject({ status: 'filled', filled_size: whole });
    expect(held()).toBe(0);
  });

  test('is sold whole beside an order that offers most of it', () => {
    const [whole, part, rest] = [1_000_001_000.00317, 1_000_000_988.0031, 12.00007];
    const { market, sellAt, held } = open(at(1, 9));
    market('buy', whole);
    sellAt(1.1, part);
    expect(market('sell', rest)).toMatchObject({ status: 'filled', filled_size: rest });
    expect(held()).toBe(part);
  });
});

test('a last step is sellable, whatever the rounding of a sum; less is not', () => {
  const grid = { price_decimals: 2, price_significant_figures: 5, size_decimals: 1 };
  expect(0.3 - 0.2).toBeLessThan(0.1);
  expect([0.3 - 0.2, 0.1, 0.09, 0].map((size) => isSellable(size, grid))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
