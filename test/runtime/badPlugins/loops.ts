import { map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys at nine bars, and loops forever at the tenth. */
export default defineStrategy({
  name: 'loops',
  contract: 1,
  description: 'Buys at nine bars, and loops forever at the tenth.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) =>
    ctx.candles(ctx.symbol, '1m').pipe(
      map((_bar, index) => {
        while (index === 9);
        return placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 });
      }),
    ),
});
