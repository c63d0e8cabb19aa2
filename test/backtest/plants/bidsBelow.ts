import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Bids below the market, on the grid of its instrument. */
export default defineStrategy({
  name: 'bids-below',
  contract: 1,
  description: 'Bids by the grid.',
  scopes: ['trade'],
  params: z.object({}),
  setup: ({ symbol, candles, instrument }) =>
    candles(symbol, '1m').pipe(
      filter(({ time }) => (time / 60_000) % 30 === 0),
      map(({ close }) => {
        const price = instrument(symbol).roundPrice(close * 0.9, 'down');
        return placeOrder.limit({ symbol, side: 'buy', size: 100, price });
      }),
    ),
});
