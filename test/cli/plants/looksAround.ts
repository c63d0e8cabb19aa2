import { EMPTY, filter, ignoreElements, map, merge, type Observable } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys once an hour whatever it subscribes to, so that only a report shows missing data. */
export default defineStrategy({
  name: 'looks-around',
  contract: 1,
  description: 'Buys, and looks at more than it needs.',
  scopes: ['trade'],
  params: z.object({ at: z.enum(['nothing', 'price', 'forming', 'again']) }),
  setup({ symbol, candles, candlesWithForming, price, position, params }) {
    const looks: Record<typeof params.at, () => Observable<unknown>> = {
      nothing: () => EMPTY,
      price: () => price('ETH'),
      forming: () => candlesWithForming(symbol, '1m'),
      again: () => position(symbol),
    };
    return merge(
      position(symbol).pipe(ignoreElements()),
      looks[params.at]().pipe(ignoreElements()),
      candles(symbol, '1m').pipe(
        filter((_bar, index) => index % 60 === 0),
        map(() => placeOrder.market({ symbol, side: 'buy', size: 0.001 })),
      ),
    );
  },
});
