import { map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Gives sizes that are no number. */
export default defineStrategy({
  name: 'notNumbers',
  contract: 1,
  description: 'Gives sizes that are no number.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) =>
    ctx
      .candles(ctx.symbol, '1m')
      .pipe(map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: Number.NaN }))),
});
