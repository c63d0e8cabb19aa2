import { map } from 'rxjs';
import { cancelOrder, crossesOver, defineStrategy, ema, placeOrder, withIndicators } from 'trimtab';
import { z } from 'zod';

/** Numbers its orders from its start. Its averages are covered by its warm-up; `late`, a size depends on the number. */
export default defineStrategy({
  name: 'counts-refs',
  contract: 1,
  description: 'Numbers its orders.',
  scopes: ['trade'],
  params: z.object({ late: z.boolean().default(false) }),
  warmup: () => 400,
  setup: ({ symbol, candles, params }) => {
    let count = 0;
    return candles(symbol, '1m').pipe(
      withIndicators({ fast: ema(5), slow: ema(20) }),
      crossesOver(
        ({ fast }) => fast,
        ({ slow }) => slow,
      ),
      map(({ bar }) => {
        if (bar.time % 180_000 === 0) return cancelOrder({ ref: `entry-${count}` });
        const ref = `entry-${++count}`;
        const size = params.late && count % 4 === 0 ? count / 1_000 : 0.01;
        const price = Math.floor(bar.close / 2);
        return placeOrder.limit({ symbol, side: 'buy', size, price }, { ref });
      }),
    );
  },
});
