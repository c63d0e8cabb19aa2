import { concatMap, EMPTY } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';

/** Throws outside of the stream that it returns. */
export default defineStrategy({
  name: 'throws-aside',
  contract: 1,
  description: 'Throws aside.',
  scopes: [],
  params: z.object({ how: z.enum(['subscriber', 'promise', 'timer']) }),
  setup(ctx) {
    const bars$ = ctx.candles(ctx.symbol, '1m');
    let count = 0;
    bars$.subscribe(() => {
      if (count++ !== 5) return;
      if (ctx.params.how === 'subscriber') throw new Error('aside');
      if (ctx.params.how === 'timer') setTimeout(() => throwAside(), 1);
      else void Promise.reject(new Error('aside'));
    });
    return bars$.pipe(concatMap(() => EMPTY));
  },
});

function throwAside(): void {
  throw new Error('aside');
}
