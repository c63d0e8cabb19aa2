import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Survives a run: the next one in the same thread keeps counting. */
let bars = 0;

/** Buys on bars that a count at module level picks, so that a run depends on those before it. */
export default defineStrategy({
  name: 'remembers-runs',
  contract: 1,
  description: 'Counts bars over all runs of its process.',
  scopes: ['trade'],
  params: z.object({ size: z.number().positive() }),
  setup: ({ symbol, candles, params }) =>
    candles(symbol, '1m').pipe(
      filter(() => ++bars % 997 === 0),
      map(() => placeOrder.market({ symbol, side: 'buy', size: params.size })),
    ),
});
