import { ignoreElements, type Observable } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from 'trimtab';

/** Subscribes in every way to data that the service may lack, and trades nothing. */
export default defineStrategy({
  name: 'wants-finer',
  contract: 1,
  description: 'Asks for a stream, and trades nothing.',
  scopes: ['read'],
  params: z.object({ by: z.enum(['candles', 'candlesWithForming', 'indicator', 'price']) }),
  setup(ctx) {
    const ways: Record<typeof ctx.params.by, () => Observable<unknown>> = {
      candles: () => ctx.candles(ctx.symbol, '5m'),
      candlesWithForming: () => ctx.candlesWithForming(ctx.symbol, '5m'),
      indicator: () => ctx.indicator(ctx.symbol, '5m', 'ema', { period: 3 }),
      price: () => ctx.price('BTCC'),
    };
    return ways[ctx.params.by]().pipe(ignoreElements());
  },
});
