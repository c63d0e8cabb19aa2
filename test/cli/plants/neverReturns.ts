import { EMPTY, concatMap } from 'rxjs';
import { defineStrategy } from 'trimtab';
import { z } from 'zod';

/** Does not return from its fifth bar, for a while or at all. */
export default defineStrategy({
  name: 'never-returns',
  contract: 1,
  description: 'Never returns.',
  scopes: [],
  params: z.object({ seconds: z.number().default(Infinity) }),
  setup(ctx) {
    let count = 0;
    const bars$ = ctx.candles(ctx.symbol, '1m');
    bars$.subscribe(() => {
      if (count++ === 5) spin(ctx.params.seconds);
    });
    return bars$.pipe(concatMap(() => EMPTY));
  },
});

function spin(seconds: number): void {
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end);
}
