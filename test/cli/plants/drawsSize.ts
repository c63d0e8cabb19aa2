import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys a random size, given by a seed. */
export default defineStrategy({
  name: 'draws-size',
  contract: 1,
  description: 'Buys now and then, as much as it draws.',
  scopes: ['trade'],
  params: z.object({ every: z.int().min(1).describe('Bars between two orders.') }),
  setup: ({ symbol, candles, instrument, liveness, params, random }) =>
    candles(symbol, '1m').pipe(
      // What a history draws would change what is drawn after it.
      filter(({ time }) => liveness() === 'live' && (time / 60_000) % params.every === 0),
      map(() => {
        const size = instrument(symbol).roundSize(0.001 + random() / 1_000);
        return placeOrder.market({ symbol, side: 'buy', size });
      }),
    ),
});
