import { map, take } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys once and ends. */
export default defineStrategy({
  name: 'completes',
  contract: 1,
  description: 'Buys once and ends.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) =>
    ctx.candles(ctx.symbol, '1m').pipe(
      take(1),
      map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 })),
    ),
});
