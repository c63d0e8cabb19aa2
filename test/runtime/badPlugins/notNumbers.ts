import { map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Returns sizes that are not numbers. */
export default defineStrategy({
  name: 'notNumbers',
  contract: 1,
  description: 'Returns sizes that are not numbers.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) =>
    ctx
      .candles(ctx.symbol, '1m')
      .pipe(map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: Number.NaN }))),
});
