import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Sizes by the process's own clock, which no replay can repeat. */
export default defineStrategy({
  name: 'reads-clock',
  contract: 1,
  description: 'Asks the wrong clock.',
  scopes: ['trade'],
  params: z.object({}),
  setup: ({ symbol, candles }) =>
    candles(symbol, '1m').pipe(
      filter((_bar, index) => index % 60 === 0),
      map(() => {
        const hour = Math.floor(Date.now() / 3_600_000) % 24;
        return placeOrder.market({ symbol, side: 'buy', size: (hour + 1) / 1_000 });
      }),
    ),
});
