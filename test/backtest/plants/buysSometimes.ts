import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys at the close of some hours: its points are many and quick, and no two are the same. */
export default defineStrategy({
  name: 'buys-sometimes',
  contract: 1,
  description: 'Buys at the close of every so many-th hour.',
  scopes: ['trade'],
  params: z.object({ every: z.number().int(), milli: z.number().int() }),
  setup: ({ symbol, candles, params }) =>
    candles(symbol, '1h').pipe(
      filter((_bar, index) => index % params.every === 0),
      map(() => placeOrder.market({ symbol, side: 'buy', size: params.milli / 1_000 })),
    ),
});
