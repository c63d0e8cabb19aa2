import { filter, map } from 'rxjs';
import { crossesOver, defineStrategy, placeOrder, sma, withIndicators } from 'trimtab';
import { z } from 'zod';

/** Checks for the same crossing at every bar, and never finds one that is steep enough to trade. */
export default defineStrategy({
  name: 'quiet-cross',
  contract: 1,
  description: 'Would buy where an average leaves another by more than the price; none ever does.',
  scopes: ['trade'],
  params: z.object({
    fast: z.int().min(2).default(10),
    slow: z.int().min(3).default(30),
    size: z.number().positive().default(0.1),
  }),
  warmup: ({ slow }) => slow,
  setup: ({ symbol, params, candles }) =>
    candles(symbol, '1m').pipe(
      withIndicators({ fast: sma(params.fast), slow: sma(params.slow) }),
      crossesOver(
        ({ fast }) => fast,
        ({ slow }) => slow,
      ),
      filter(({ fast, slow }) => fast - slow > slow),
      map(() => placeOrder.market({ symbol, side: 'buy', size: params.size })),
    ),
});
