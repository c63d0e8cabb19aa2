import { distinctUntilChanged, filter, map, scan, skip } from 'rxjs';
import { defineStrategy, placeOrder, type ClosedBar } from 'trimtab';
import { z } from 'zod';

interface Averages {
  closes: Float64Array;
  count: number;
  fast: number;
  slow: number;
}

/** The same with RxJS's own operators, state in a scan. */
export default defineStrategy({
  name: 'stock-cross',
  contract: 1,
  description: 'Long above the crossing of two averages, short below it.',
  scopes: ['trade'],
  params: z.object({
    fast: z.int().min(2).default(10),
    slow: z.int().min(3).default(30),
    size: z.number().positive().default(0.1),
  }),
  warmup: ({ slow }) => slow,
  setup: ({ symbol, params, candles }) => {
    const { fast, slow, size } = params;
    const start: Averages = { closes: new Float64Array(slow), count: 0, fast: 0, slow: 0 };
    const follow = (state: Averages, { close }: ClosedBar): Averages => {
      const { closes, count } = state;
      const at = count % slow;
      state.slow += (close - closes[at]!) / slow;
      state.fast += (close - closes[(count + slow - fast) % slow]!) / fast;
      closes[at] = close;
      state.count = count + 1;
      return state;
    };
    return candles(symbol, '1m').pipe(
      scan(follow, start),
      filter(({ count }) => count >= slow),
      map((state) => state.fast > state.slow),
      distinctUntilChanged(),
      skip(1),
      map((isUp, index) =>
        placeOrder.market({
          symbol,
          side: isUp ? 'buy' : 'sell',
          size: index === 0 ? size : 2 * size,
        }),
      ),
    );
  },
});
