import { map, Observable, tap } from 'rxjs';
import { defineIndicator, defineStrategy, ema, withIndicators, type Intent } from 'trimtab';
import { z } from 'zod';

const silent = defineIndicator({
  name: 'silent',
  params: z.object({}),
  series: ['value'],
  warmup: () => 3,
  create: () => ({ next: () => Number.NaN }),
});
const throwing = defineIndicator({
  name: 'throwing',
  params: z.object({}),
  series: ['value'],
  warmup: () => 3,
  create: () => ({
    next: () => {
      throw new Error('no bar for me');
    },
  }),
});
const wrong = { kind: 'place_order', request: { symbol: 'BTC' } } as never as Intent;

/** Does what its parameter names, which is always wrong. */
export default defineStrategy({
  name: 'faulty',
  contract: 1,
  description: 'Faulty.',
  scopes: ['trade'],
  params: z.object({
    how: z.enum([
      'malformed',
      'no_value',
      'kernel',
      'uncalled',
      'uncalled_ema',
      'piped',
      'piped_ema',
    ]),
  }),
  setup(ctx) {
    const bars$ = ctx.candles(ctx.symbol, '1m');
    const uncalled = (given: unknown) => bars$.pipe(withIndicators({ wide: given as never }));
    switch (ctx.params.how) {
      case 'malformed':
        return new Observable<Intent>((out) => {
          bars$.pipe(tap(() => out.next(wrong))).subscribe();
        });
      case 'no_value':
        return bars$.pipe(withIndicators({ it: silent() })).pipe(map(() => wrong));
      case 'kernel':
        return bars$.pipe(throwing()).pipe(map(() => wrong));
      case 'uncalled':
        return uncalled(silent).pipe(map(() => wrong));
      case 'uncalled_ema':
        return uncalled(ema).pipe(map(() => wrong));
      case 'piped':
        return bars$.pipe(silent as never).pipe(map(() => wrong));
      case 'piped_ema':
        return bars$.pipe(ema as never).pipe(map(() => wrong));
    }
  },
});
