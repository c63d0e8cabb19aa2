import { combineLatest, distinctUntilChanged, filter, map, withLatestFrom } from 'rxjs';
import { defineStrategy, keepPair, sma } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  settlements: z.int().min(1).max(500).default(9).describe('Settlements that it averages.'),
  enter_bps: z.number().positive().default(0.5).describe('Mean difference at which it enters.'),
  exit_bps: z.number().default(0).describe('Mean difference at which it leaves.'),
  exposure: z.number().positive().max(5).default(0.5).describe('Value of a leg, in capitals.'),
  max_naked: z
    .number()
    .positive()
    .default(1_000)
    .describe('Most that a leg is ahead, quote units.'),
});

/**
 * Is short the perpetual whose longs pay more funding and long the other one, for as long as the difference lasts.
 *
 * What it earns at each settlement is the difference of the two rates; what it risks is that the two prices part, which
 * on most days is more.
 */
export default defineStrategy({
  name: 'funding-carry',
  contract: 1,
  description: 'Short the perpetual that pays more funding, long the other, in balance.',
  scopes: ['trade'],
  params,
  setup: (ctx) => {
    const { settlements, enter_bps, exit_bps, exposure, max_naked } = ctx.params;
    const [long = '', short = ''] = ctx.symbols;
    return combineLatest([ctx.funding(long), ctx.funding(short)]).pipe(
      // Each settlement once, when both rates of it are known.
      filter(([a, b]) => a.rate !== null && b.rate !== null && a.next_time === b.next_time),
      distinctUntilChanged(([a], [b]) => a.next_time === b.next_time),
      map(([a, b]) => (b.rate! - a.rate!) * 10_000),
      sma(settlements),
      withLatestFrom(ctx.position(long)),
      map(([gain, position]) => {
        const held = position === null ? 0 : position.side === 'long' ? 1 : -1;
        const side =
          Math.abs(gain) >= enter_bps ? Math.sign(gain) : gain * held > exit_bps ? held : 0;
        return { value: side * ctx.capital() * exposure };
      }),
      keepPair(ctx, { long, short }, { max_naked }),
    );
  },
});
