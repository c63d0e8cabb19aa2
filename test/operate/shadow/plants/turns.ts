import { filter, map } from 'rxjs';
import { defineStrategy, INTERVALS, placeOrder } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  size: z.number().positive().default(0.01),
  every: z.int().positive().default(5).describe('Bars between two trades.'),
  interval: z.enum(INTERVALS).default('1m'),
});

/** Buys and sells in turn, by the bar's own time. */
export default defineStrategy({
  name: 'turns',
  contract: 1,
  description: 'Buys and sells in turn.',
  scopes: ['trade'],
  params,
  setup: (ctx) => {
    const { size, every, interval } = ctx.params;
    return ctx.candles(ctx.symbol, interval).pipe(
      map(({ time }) => Math.floor(time / 60_000)),
      filter((minute) => minute % every === 0),
      map((minute) => {
        const side = (minute / every) % 2 === 0 ? 'buy' : 'sell';
        return placeOrder.market({ symbol: ctx.symbol, side, size });
      }),
    );
  },
});
