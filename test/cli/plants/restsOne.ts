import { filter, mergeMap, of } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Places an order that rests, and one that is far too large. */
export default defineStrategy({
  name: 'rests-one',
  contract: 1,
  description: 'Rests one order, and asks for one that a guard denies.',
  scopes: ['trade'],
  params: z.object({}),
  setup: ({ symbol, candles, instrument, liveness }) =>
    candles(symbol, '1m').pipe(
      filter(() => liveness() === 'live'),
      mergeMap(({ close }) => {
        const { roundSize, roundPrice } = instrument(symbol);
        const price = roundPrice(close * 0.96);
        const order = (value: number) =>
          placeOrder.limit({ symbol, side: 'buy', size: roundSize(value / close), price });
        return of(order(100), order(100_000));
      }),
    ),
});
