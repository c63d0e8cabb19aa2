import { map, NEVER, timer } from 'rxjs';
import { z } from 'zod';
import { defineStrategy, ema, highest, placeOrder, resample, withIndicators } from 'trimtab';

/** Calls its context with invalid arguments, and throws nothing itself. */
export default defineStrategy({
  name: 'calls-wrongly',
  contract: 1,
  description: 'Calls wrongly.',
  scopes: ['trade'],
  params: z.object({ by: z.string() }),
  state: z.object({ count: z.number().default(0) }),
  warmup: ({ by }) => (by === 'warmup' ? -1 : 0),
  setup(ctx) {
    const { symbol } = ctx;
    const buy = () => placeOrder.market({ symbol, side: 'buy', size: 0.01 });
    const bars$ = ctx.candles(symbol, '1m');
    switch (ctx.params.by) {
      case 'interval':
        return ctx.candles(symbol, '7m' as never).pipe(map(buy));
      case 'every':
        return ctx.every('7m' as never).pipe(map(buy));
      case 'instrument':
        ctx.instrument('BTCC');
        return NEVER;
      case 'task':
        return timer(Number.NaN, ctx.scheduler).pipe(map(buy));
      case 'state':
        ctx.state.set({ count: 'many' } as never);
        return NEVER;
      case 'extremes':
        return bars$.pipe(highest(0), map(buy));
      case 'row':
        return bars$.pipe(withIndicators({ bar: ema(3) }), map(buy));
      case 'resample':
        return ctx.candles(symbol, '3m').pipe(resample('5m'), map(buy));
      default:
        return NEVER;
    }
  },
});
