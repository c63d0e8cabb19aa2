import { map } from 'rxjs';
import { defineStrategy, placeOrder, type Intent } from 'trimtab';
import { z } from 'zod';

/** A key's secret as a library's error may carry it; in parts, so that the source is not what a search finds. */
const SECRET = ['vs', '5ec1e7c0ffee5ec1e7c0ffee'].join('_');

/** Fails with an error that holds a secret. */
export default defineStrategy({
  name: 'shows-secret',
  contract: 1,
  description: 'Shows a secret.',
  scopes: ['trade'],
  params: z.object({ how: z.enum(['throw', 'setup', 'reject', 'malformed']) }),
  setup(ctx) {
    const { how } = ctx.params;
    if (how === 'setup') throw new Error(`request failed: ${SECRET}`);
    const bars$ = ctx.candles(ctx.symbol, '1m');
    let count = 0;
    return bars$.pipe(
      map((): Intent => {
        const order = { symbol: ctx.symbol, side: 'buy', size: 0.1 } as const;
        if (count++ === 5 && how === 'throw')
          throw new Error(`request failed: ${SECRET}`, { cause: new Error(SECRET) });
        if (count === 5 && how === 'reject') void Promise.reject(new Error(`late: ${SECRET}`));
        if (count === 5 && how === 'malformed')
          return { kind: 'place_order', request: { ...order, side: SECRET } } as never;
        return placeOrder.market(order);
      }),
    );
  },
});
