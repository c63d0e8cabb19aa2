import { concatMap } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Compares each close with the mean of all bars that it has seen, and asks for none or one of them. */
export default defineStrategy({
  name: 'averages-all',
  contract: 1,
  description: 'Buys below the mean of all bars since it started.',
  scopes: ['trade'],
  params: z.object({
    interval: z.enum(['1m', '1h']).default('1m'),
    warmup: z.int().min(0).default(0),
  }),
  warmup: ({ warmup }) => warmup,
  setup: ({ symbol, params, candles }) => {
    let sum = 0;
    let count = 0;
    return candles(symbol, params.interval).pipe(
      concatMap(({ close }) => {
        sum += close;
        count += 1;
        if (close >= (sum / count) * 0.998) return [];
        return [placeOrder.market({ symbol, side: 'buy', size: 0.001 })];
      }),
    );
  },
});
