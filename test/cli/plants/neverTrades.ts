import { createServer } from 'node:net';
import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Decides nothing, and may keep its thread waiting for a network. */
export default defineStrategy({
  name: 'never-trades',
  contract: 1,
  description: 'Never trades.',
  scopes: ['trade'],
  params: z.object({ listens: z.boolean().default(false) }),
  setup(ctx) {
    if (ctx.params.listens) createServer().listen(0, '127.0.0.1');
    return ctx.candles('BTC', '1m').pipe(
      filter(() => false),
      map(() => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 })),
    );
  },
});
