import { map, merge } from 'rxjs';
import {
  crossesOver,
  crossesUnder,
  defineStrategy,
  placeOrder,
  shareRows,
  sma,
  withIndicators,
} from 'trimtab';
import { z } from 'zod';

type Row = { fast: number; slow: number };
const fast = (row: Row): number => row.fast;
const slow = (row: Row): number => row.slow;

/** As in the README: the toolkit's own operators. */
export default defineStrategy({
  name: 'fused-cross',
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
    const indicators = { fast: sma(params.fast), slow: sma(params.slow) };
    const rows$ = candles(symbol, '1m').pipe(withIndicators(indicators), shareRows());
    const flip = (side: 'buy' | 'sell', count: number) =>
      placeOrder.market({ symbol, side, size: params.size * (count === 0 ? 1 : 2) });
    let orders = 0;
    return merge(
      rows$.pipe(
        crossesOver(fast, slow),
        map(() => flip('buy', orders++)),
      ),
      rows$.pipe(
        crossesUnder(fast, slow),
        map(() => flip('sell', orders++)),
      ),
    );
  },
});
