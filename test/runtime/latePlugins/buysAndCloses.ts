import { from, mergeMap } from 'rxjs';
import { closePosition, defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Buys and closes at each bar; each order's note says what the bar was taken for. */
export default defineStrategy({
  name: 'buys-and-closes',
  contract: 1,
  description: 'Buys and closes at each bar.',
  scopes: ['trade'],
  params: z.object({}),
  state: {
    version: 1,
    schema: z.object({ bars: z.number().default(0) }),
    writesInWarmUp: true,
  },
  warmup: () => 40,
  setup: (ctx) =>
    ctx.candles('BTC', '5m').pipe(
      mergeMap(() => {
        ctx.state.set({ bars: ctx.state.get().bars + 1 });
        const note = ctx.liveness();
        return from([
          placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.001 }, { note }),
          closePosition.atMarket('BTC', {}, { note }),
        ]);
      }),
    ),
});
