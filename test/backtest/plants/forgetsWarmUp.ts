import { map } from 'rxjs';
import { defineStrategy, ema, placeOrder, withIndicators, crossesOver } from 'trimtab';
import { z } from 'zod';

/** An average over about 400 bars, used after 60: it still depends on its start. */
export default defineStrategy({
  name: 'forgets-warm-up',
  contract: 1,
  description: 'Decides too early.',
  scopes: ['trade'],
  params: z.object({}),
  warmup: () => 60,
  setup: ({ symbol, candles }) => {
    let seed: number | undefined;
    return candles(symbol, '1m').pipe(
      withIndicators({ fast: ema(20) }),
      map(({ bar, fast }) => {
        seed = seed === undefined ? bar.close : seed + (bar.close - seed) / 200;
        return { fast, slow: seed };
      }),
      crossesOver(
        ({ fast }) => fast,
        ({ slow }) => slow,
      ),
      map(() => placeOrder.market({ symbol, side: 'buy', size: 0.01 })),
    );
  },
});
