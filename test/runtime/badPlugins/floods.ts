import { concatMap, range, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Answers one bar with a flood of intents. */
export default defineStrategy({
  name: 'floods',
  contract: 1,
  description: 'Answers one bar with a flood of intents.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) =>
    ctx.candles(ctx.symbol, '1m').pipe(
      concatMap(() => range(0, 5_000)),
      map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 })),
    ),
});
