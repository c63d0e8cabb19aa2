import { filter, map } from 'rxjs';
import { defineStrategy, ema, placeOrder, withIndicators } from 'trimtab';
import { z } from 'zod';

/** The same decisions with any history; only its notes depend on its start, and its sizes by a hair if they are asked to. */
export default defineStrategy({
  name: 'notes-average',
  contract: 1,
  description: 'Tells in its note, or in its size, what its average was.',
  scopes: ['trade'],
  params: z.object({ sizes: z.boolean().default(false) }),
  warmup: ({ sizes }) => (sizes ? 200 : 60),
  setup: ({ symbol, params, candles }) =>
    candles(symbol, '1m').pipe(
      withIndicators({ average: ema(40) }),
      filter(({ bar }) => (bar.time / 60_000) % 50 === 0),
      map(({ average }) =>
        placeOrder.market(
          { symbol, side: 'buy', size: params.sizes ? average! / 60_000_000 : 0.001 },
          { note: `average ${String(average)}` },
        ),
      ),
    ),
});
