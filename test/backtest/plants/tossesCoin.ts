import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Sizes at random, so that no two runs decide alike. */
export default defineStrategy({
  name: 'tosses-coin',
  contract: 1,
  description: 'Has a coin of its own.',
  scopes: ['trade'],
  params: z.object({}),
  setup: ({ symbol, candles }) =>
    candles(symbol, '1m').pipe(
      filter((_bar, index) => index % 60 === 0),
      map(() => {
        const size = (1 + Math.floor(Math.random() * 1_000)) / 100_000;
        return placeOrder.market({ symbol, side: 'buy', size });
      }),
    ),
});
