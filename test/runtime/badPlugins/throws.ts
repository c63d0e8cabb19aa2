import { map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys at nine bars, and throws at the tenth. */
export default defineStrategy({
  name: 'throws',
  contract: 1,
  description: 'Buys at nine bars, and throws at the tenth.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) =>
    ctx.candles(ctx.symbol, '1m').pipe(
      map((_bar, index) => {
        if (index === 9) throw new Error('the tenth');
        return placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 });
      }),
    ),
});
