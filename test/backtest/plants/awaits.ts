import { concatMap, filter } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Decides after an await: live there is time before the next bar, in a loop there is none. */
export default defineStrategy({
  name: 'awaits',
  contract: 1,
  description: 'Decides in a promise.',
  scopes: ['trade'],
  params: z.object({}),
  setup: ({ symbol, candles }) =>
    candles(symbol, '1m').pipe(
      filter(({ time }) => (time / 60_000) % 60 === 0),
      concatMap(async (bar) => {
        await Promise.resolve();
        const decision = `at-${bar.time}`;
        return placeOrder.market({ symbol, side: 'buy', size: 0.01 }, { decision });
      }),
    ),
});
