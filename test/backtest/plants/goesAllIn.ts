import { concatMap } from 'rxjs';
import { defineStrategy, placeOrder, setLeverage } from 'trimtab';
import { z } from 'zod';

/** Buys a multiple of its capital at its first bar, without a stop. */
export default defineStrategy({
  name: 'goes-all-in',
  contract: 1,
  description: 'Waits for its margin call.',
  scopes: ['trade'],
  params: z.object({ times: z.number().default(40) }),
  setup: ({ params, symbol, candles, capital, instrument }) =>
    candles(symbol, '1m').pipe(
      concatMap(({ close }, index) => {
        if (index > 0) return [];
        const size = instrument(symbol).roundSize((params.times * capital()) / close);
        return [
          setLeverage(symbol, { leverage: 50 }),
          placeOrder.market({ symbol, side: 'buy', size }),
        ];
      }),
    ),
});
