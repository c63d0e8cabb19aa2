import { concatMap, EMPTY } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';

/** Throws outside of the stream that it returns. */
export default defineStrategy({
  name: 'throws-aside',
  contract: 1,
  description: 'Throws aside.',
  scopes: [],
  params: z.object({ how: z.enum(['subscriber', 'promise']) }),
  setup(ctx) {
    const bars$ = ctx.candles(ctx.symbol, '1m');
    let count = 0;
    bars$.subscribe(() => {
      if (count++ !== 5) return;
      if (ctx.params.how === 'subscriber') throw new Error('aside');
      void Promise.reject(new Error('aside'));
    });
    return bars$.pipe(concatMap(() => EMPTY));
  },
});
