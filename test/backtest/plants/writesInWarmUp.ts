import { map } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Counts bars in its state, those of the past included; it asks for a warm-up longer than the tape has. */
export default defineStrategy({
  name: 'writes-in-warm-up',
  contract: 1,
  description: 'Writes its state upon the past.',
  scopes: ['trade'],
  params: z.object({
    interval: z.enum(['1m', '15m']).default('15m'),
    writes: z.boolean().default(true),
  }),
  state: z.object({ bars: z.number().default(0) }),
  warmup: () => 40,
  setup: (ctx) =>
    ctx.candles(ctx.symbol, ctx.params.interval).pipe(
      map(() => {
        if (ctx.params.writes) ctx.state.set({ bars: ctx.state.get().bars + 1 });
        return placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 });
      }),
    ),
});
