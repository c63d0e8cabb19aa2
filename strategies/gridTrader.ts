import { filter, map, take } from 'rxjs';
import { defineStrategy, grid } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  levels: z.int().min(1).max(50).default(8).describe('Prices below the start at which it buys.'),
  step_bps: z.number().positive().max(1_000).default(25).describe('Distance of two levels.'),
  share: z.number().positive().max(10).default(0.8).describe('Value of all levels, in capitals.'),
});

/**
 * Buys at each of some levels below the price at its start, sells each purchase one step higher, and begins again.
 *
 * It earns a step less fees with each swing inside the grid. Below the lowest level it holds all that it may and waits,
 * which is where it loses: `share` is what it may hold then.
 */
export default defineStrategy({
  name: 'grid-trader',
  contract: 1,
  description: 'Buys at levels below the start, and sells each purchase one step higher.',
  scopes: ['trade'],
  params,
  setup: (ctx) => {
    const { levels, step_bps, share } = ctx.params;
    const { symbol } = ctx;
    const step = step_bps / 10_000;
    return ctx.price(symbol).pipe(
      filter(() => ctx.capital() > 0),
      take(1),
      map(({ mark }) =>
        Array.from({ length: levels }, (_none, at) => {
          const buy = mark * (1 - step * (at + 1));
          return { buy, sell: buy * (1 + step), size: (ctx.capital() * share) / levels / mark };
        }),
      ),
      grid(ctx, symbol),
    );
  },
});
