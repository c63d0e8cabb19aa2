import { concatMap, filter } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Long one symbol and equally short the other from the first bar, increased occasionally. */
export default defineStrategy({
  name: 'hedges',
  contract: 1,
  description: 'An exact hedge.',
  scopes: ['trade'],
  params: z.object({
    size: z.number(),
    sides: z.array(z.enum(['buy', 'sell'])).default(['buy', 'sell']),
    every: z.int().default(10_000),
  }),
  setup: ({ symbols, params: { size, sides, every }, candles }) =>
    candles(symbols[0]!, '1m').pipe(
      filter((_bar, index) => index % every === 0),
      concatMap(() =>
        symbols.map((symbol, at) => placeOrder.market({ symbol, side: sides[at]!, size })),
      ),
    ),
});
