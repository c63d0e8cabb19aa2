import { concatMap, filter, map, merge } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys at each fifth bar, and sells what was bought as soon as it learns of the fill. */
export default defineStrategy({
  name: 'answers-fills',
  contract: 1,
  description: 'Sells what was bought.',
  scopes: ['trade'],
  params: z.object({}),
  setup: ({ symbol, candles, fills$ }) =>
    merge(
      candles(symbol, '1m').pipe(
        filter(({ time }) => (time / 60_000) % 5 === 0),
        map(() => placeOrder.market({ symbol, side: 'buy', size: 0.01 })),
      ),
      fills$.pipe(
        concatMap(({ side, size }) =>
          side === 'buy' ? [placeOrder.market({ symbol, side: 'sell', size })] : [],
        ),
      ),
    ),
});
