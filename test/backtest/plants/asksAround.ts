import { mergeMap } from 'rxjs';
import { defineStrategy, launch, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Trades one symbol at the closes of another: at the market, at rest on both sides, and by an algorithm. */
export default defineStrategy({
  name: 'asks-around',
  contract: 1,
  description: 'Trades one symbol at the closes of another.',
  scopes: ['trade', 'algo'],
  params: z.object({ clock: z.string(), low: z.number(), high: z.number() }),
  setup: ({ symbol, candles, params }) =>
    candles(params.clock, '1m').pipe(
      mergeMap((_bar, index) => {
        const side = index % 2 === 0 ? ('buy' as const) : ('sell' as const);
        const price = side === 'buy' ? params.low : params.high;
        const intents = [placeOrder.market({ symbol, side, size: 0.01 })];
        if (index % 7 === 0) intents.push(placeOrder.limit({ symbol, side, size: 0.05, price }));
        const request = { symbol, side, total_size: 0.1, params: { duration_seconds: 300 } };
        return index % 10 === 0 ? [...intents, launch.pacemaker(request)] : intents;
      }),
    ),
});
