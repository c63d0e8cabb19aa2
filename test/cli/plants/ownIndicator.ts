import { concatMap } from 'rxjs';
import { defineIndicator, defineStrategy, ema, placeOrder, withIndicators } from 'trimtab';
import { z } from 'zod';

/** Sums of which every kernel of this process adds to the same: a mistake that `check` has to find. */
const common: Record<string, number> = {};

/** How far closes are above the mean of all closes since the start. */
const drift = defineIndicator({
  name: 'drift',
  params: z.object({ state: z.enum(['own', 'shared']).default('own') }),
  series: ['drift', 'mean'],
  input: 'close',
  warmup: () => 3,
  create: ({ state }) => {
    const sums = state === 'own' ? {} : common;
    return {
      next: (close) => {
        const count = (sums['count'] = (sums['count'] ?? 0) + 1);
        const total = (sums['total'] = (sums['total'] ?? 0) + close);
        return { drift: close - total / count, mean: total / count };
      },
    };
  },
});

/** Buys above the mean, and names nothing of its indicator in the intent. */
export default defineStrategy({
  name: 'own-indicator',
  contract: 1,
  description: 'Buys in every fiftieth bar above the mean.',
  scopes: ['trade'],
  params: z.object({ state: z.enum(['own', 'shared']) }),
  setup: ({ symbol, candles, params, instrument }) =>
    candles(symbol, '1m').pipe(
      withIndicators({ fast: ema(3), own: drift({ state: params.state }) }),
      concatMap(({ own, fast }, count) => {
        if (own.drift <= 0 || count % 50 !== 0) return [];
        const size = instrument(symbol).roundSize(0.001 + (fast / own.mean - 1) / 10);
        return [placeOrder.market({ symbol, side: 'buy', size })];
      }),
    ),
});
