import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys once, on its first bar, and holds. */
export default defineStrategy({
  name: 'holds',
  contract: 1,
  description: 'Buys and holds.',
  scopes: ['trade'],
  params: z.object({}),
  setup: ({ symbol, candles }) =>
    candles(symbol, '1h').pipe(
      filter((_bar, index) => index === 0),
      map(() => placeOrder.market({ symbol, side: 'buy', size: 0.5 })),
    ),
});
