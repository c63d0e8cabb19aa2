import { map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Takes any value as its mode, and trades whatever it is. */
export default defineStrategy({
  name: 'echoesMode',
  contract: 1,
  description: 'For a test.',
  scopes: ['trade'],
  params: z.object({ mode: z.union([z.string(), z.number(), z.boolean()]).default('none') }),
  setup: (ctx) =>
    ctx
      .every('4h')
      .pipe(map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.01 }))),
});
