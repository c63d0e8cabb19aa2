import { concatMap } from 'rxjs';
import { defineIndicator, defineStrategy, ema, placeOrder, withIndicators } from 'trimtab';
import { z } from 'zod';

/** Sums of which every kernel of this process adds to the same: a mistake that `check` has to find. */
const common: Record<string, number> = {};

/** How far closes are above the mean of the last three; with sums in common, of all that any kernel has had. */
const drift = defineIndicator({
  name: 'drift',
  params: z.object({ state: z.enum(['own', 'shared']).default('own') }),
  series: ['drift', 'mean'],
  input: 'close',
  warmup: () => 3,
  create: ({ state }) => {
    const last: number[] = [];
    const meanOfAll = (close: number): number => {
      const count = (common['count'] = (common['count'] ?? 0) + 1);
      return (common['total'] = (common['total'] ?? 0) + close) / count;
    };
    const meanOfLast = (close: number): number => {
      last.push(close);
      if (last.length > 3) last.shift();
      return last.reduce((sum, each) => sum + each, 0) / last.length;
    };
    const meanWith = state === 'own' ? meanOfLast : meanOfAll;
    return {
      next: (close) => {
        const mean = meanWith(close);
        return { drift: close - mean, mean };
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
      concatMap(({ bar, own, fast }) => {
        if (own.drift <= 0 || (bar.time / 60_000) % 50 !== 0) return [];
        const size = instrument(symbol).roundSize(0.001 + (fast / own.mean - 1) / 10);
        return [placeOrder.market({ symbol, side: 'buy', size })];
      }),
    ),
});
