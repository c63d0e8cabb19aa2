import { filter, map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';
import { closeAfter } from './ownFile/closeAfter.ts';

/** Buys if the next hour closes higher, read from a file beside it. */
export default defineStrategy({
  name: 'reads-own-file',
  contract: 1,
  description: 'Looks ahead where no check can see it.',
  scopes: ['trade'],
  params: z.object({}),
  setup: ({ symbol, candles }) =>
    candles(symbol, '1m').pipe(
      filter(({ time }) => (time / 60_000) % 30 === 0),
      map((bar) => {
        const side = closeAfter(bar.time) > bar.close ? 'buy' : 'sell';
        return placeOrder.market({ symbol, side, size: 0.01 });
      }),
    ),
});
