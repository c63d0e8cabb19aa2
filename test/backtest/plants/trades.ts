import { concatMap } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Market orders of its parameters: at given bars, with signed sizes in base units (negative sells). */
export default defineStrategy({
  name: 'trades',
  contract: 1,
  description: 'Trades by a list.',
  scopes: ['trade'],
  params: z.object({ at: z.record(z.string(), z.number()) }),
  setup: ({ symbol, params: { at }, candles }) =>
    candles(symbol, '1m').pipe(
      concatMap((_bar, index) => {
        const size = at[index] ?? 0;
        if (size === 0) return [];
        const side = size > 0 ? 'buy' : 'sell';
        return [placeOrder.market({ symbol, side, size: Math.abs(size), slippage_bps: 5_000 })];
      }),
    ),
});
