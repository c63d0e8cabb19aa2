import { combineLatest, distinctUntilChanged, filter, map } from 'rxjs';
import { startWith, switchMap, take, withLatestFrom } from 'rxjs';
import { defineStrategy, keepPair } from 'trimtab';
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

/** The last differences of a pair's two rates, basis points, and the settlement that follows the newest of them. */
const schema = z.object({
  pair: z.array(z.string()).default([]),
  gains: z.array(z.number()).default([]),
  next_time: z.number().default(0),
});

const DAY_MS = 24 * 3_600_000;

/**
 * Is short the perpetual whose longs pay more funding and long the other one, for as long as the difference lasts.
 *
 * What it earns at each settlement is the difference of the two rates; what it risks is that the two prices part, which
 * on most days is more. Until it knows enough settlements it keeps what it holds: they survive a restart, but not a day
 * without any.
 */
export default defineStrategy({
  name: 'funding-carry',
  contract: 1,
  description: 'Short the perpetual that pays more funding, long the other, in balance.',
  scopes: ['trade'],
  params,
  state: { version: 1, schema, writesInWarmUp: true },
  setup: (ctx) => {
    const { settlements, enter_bps, exit_bps, exposure, max_naked } = ctx.params;
    const [long = '', short = ''] = ctx.symbols;

    /** The mean difference of the last settlements, each counted once; undefined before there are enough. */
    function meanWith(gain: number, next_time: number): number | undefined {
      const known = ctx.state.get();
      const passed = next_time - known.next_time;
      const goesOn = known.pair.join() === ctx.symbols.join() && Math.abs(passed) <= DAY_MS;
      if (!goesOn || passed > 0) {
        const before = goesOn ? known.gains : [];
        const gains = [...before, gain].slice(-settlements);
        ctx.state.set({ pair: [...ctx.symbols], gains, next_time });
      }
      const gains = ctx.state.get().gains.slice(-settlements);
      if (gains.length < settlements) return undefined;
      return gains.reduce((sum, one) => sum + one, 0) / settlements;
    }

    const mean$ = combineLatest([ctx.funding(long), ctx.funding(short)]).pipe(
      // Each settlement once, when both rates of it are known.
      filter(([a, b]) => a.rate !== null && b.rate !== null && a.next_time === b.next_time),
      distinctUntilChanged(([a], [b]) => a.next_time === b.next_time),
      filter(([{ next_time }]) => next_time !== null),
      map(([a, b]) => meanWith((b.rate! - a.rate!) * 10_000, a.next_time!)),
    );
    const capital$ = ctx.capital$.pipe(filter((capital) => capital > 0));
    // What is held is the first target: a leg without its counterpart does not wait for a settlement.
    return combineLatest([ctx.position(long), capital$]).pipe(
      take(1),
      switchMap(() => mean$.pipe(startWith(undefined))),
      withLatestFrom(ctx.position(long)),
      map(([mean, position]) => {
        const held = position === null ? 0 : position.side === 'long' ? 1 : -1;
        if (mean === undefined) return held;
        return Math.abs(mean) >= enter_bps ? Math.sign(mean) : mean * held > exit_bps ? held : 0;
      }),
      map((side) => ({ value: side * ctx.capital() * exposure })),
      keepPair(ctx, { long, short }, { max_naked }),
    );
  },
});
