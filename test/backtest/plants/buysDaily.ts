import { map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys at the close of every day. */
export default defineStrategy({
  name: 'buys-daily',
  contract: 1,
  description: 'Buys at the close of every day.',
  scopes: ['trade'],
  params: z.object({}),
  setup: ({ symbol, candles }) =>
    candles(symbol, '1d').pipe(map(() => placeOrder.market({ symbol, side: 'buy', size: 0.001 }))),
});
