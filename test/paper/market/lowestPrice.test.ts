/** A coin at the lowest price that its grid has: nobody buys or sells at nothing (conventions §6). */
import { expect, test } from 'vitest';
import { isValidPrice } from '../../../src/contract/index.ts';
import { createInstrument } from '../../../src/paper/market/createInstrument.ts';
import { SymbolMarket } from '../../../src/paper/market/SymbolMarket.ts';
import { createBench, feedOf, flat } from '../engine/bench.ts';

const TICK = 1e-8;
const minima = { minOrderValue: 10, algoMinValue: 100 };

function touchAt(price: number, halfSpreadBps: number, decimals = 8) {
  const feed = feedOf(flat(price, 3), { symbol: 'X' });
  const instrument = { ...createInstrument(feed, minima), price_decimals: decimals };
  const market = new SymbolMarket(feed, instrument, halfSpreadBps);
  market.path.seek(feed.time[1]! + 10_000);
  return { ...market.touch(), instrument };
}

test.each([0.4, 0.5, 0.99, 1, 1.4, 1.5, 2, 3, 12, 123.4])(
  'at %d times the lowest price both sides have one, on the grid',
  (times) => {
    for (const spread of [0, 0.5, 1, 50, 5_000, 10_000]) {
      for (const decimals of [8, 3, 0]) {
        const price = times * 10 ** -decimals;
        const { bid, ask, instrument } = touchAt(price, spread, decimals);
        expect(isValidPrice(bid, instrument), `bid ${bid} of ${price}`).toBe(true);
        expect(isValidPrice(ask, instrument), `ask ${ask} of ${price}`).toBe(true);
        expect(ask).toBeGreaterThan(bid);
      }
    }
  },
);

test('one tick is bid for a coin of one tick, and two are asked', () => {
  expect(touchAt(TICK, 1)).toMatchObject({ bid: TICK, ask: 2 * TICK });
  expect(touchAt(0.4 * TICK, 1)).toMatchObject({ bid: TICK, ask: 2 * TICK });
});

test('a stop at the lowest price sells for it', () => {
  // Prices of the bench have two decimals.
  const rows = [...flat(0.03, 3, 1e6), ...flat(0.01, 5, 1e6)];
  const bench = createBench({ feeds: [feedOf(rows)], impactBps: 0, volumeShare: 1 });
  bench.run(2);
  const stop_loss = { price: 0.02 };
  bench.order({ side: 'buy', size: 1_000, order_type: 'limit', price: 0.04, stop_loss });
  bench.run(4);
  const fills = bench.call('orders.fills').items as Array<{ side: string; price: number }>;
  expect(fills.filter(({ side }) => side === 'sell').map(({ price }) => price)).toEqual([0.01]);
});
