import { combineLatest, connect, filter, map, skip, withLatestFrom, zip } from 'rxjs';
import { bollinger, defineStrategy, INTERVALS, keepPair } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  interval: z.enum(INTERVALS).default('1h').describe('Bars that it reads.'),
  period: z.int().min(2).max(500).default(120).describe('Bars over which the ratio is usual.'),
  enter: z.number().positive().default(2).describe('Deviations from the mean at which it enters.'),
  exit: z.number().min(0).default(0.5).describe('Deviations from the mean at which it leaves.'),
  exposure: z.number().positive().max(5).default(0.5).describe('Value of a leg, in capitals.'),
  max_naked: z
    .number()
    .positive()
    .default(1_000)
    .describe('Most that a leg is ahead, quote units.'),
});

/**
 * Trades the ratio of two prices back to its mean: sells the symbol that has become dear against the other one, and
 * buys as much of that. A pair that parts for good has no stop: it ends when the mean has followed.
 */
export default defineStrategy({
  name: 'pair-trader',
  contract: 1,
  description: 'Reversion of the ratio of two perpetuals, their legs kept in balance.',
  scopes: ['trade'],
  params,
  warmup: ({ period }) => period,
  setup: (ctx) => {
    const { interval, period, enter, exit, exposure, max_naked } = ctx.params;
    const [long = '', short = ''] = ctx.symbols;
    return combineLatest([ctx.candles(long, interval), ctx.candles(short, interval)]).pipe(
      // Two bars of one time: where one is missing there is no ratio.
      filter(([a, b]) => a.time === b.time),
      map(([a, b]) => Math.log(a.close / b.close)),
      connect((ratio$) =>
        zip(ratio$.pipe(skip(period - 1)), ratio$.pipe(bollinger({ period, std_dev: 1 }))),
      ),
      // Before the capital is known every value would be flat, and close what is held.
      filter(() => ctx.capital() > 0),
      withLatestFrom(ctx.position(long)),
      map(([[ratio, { mid, upper }], position]) => {
        const away = upper > mid ? (ratio - mid) / (upper - mid) : 0;
        const held = position === null ? 0 : position.side === 'long' ? 1 : -1;
        // In between it stays as it is, for as long as it is still on the side from which it entered.
        const side = Math.abs(away) >= enter ? -Math.sign(away) : away * held < -exit ? held : 0;
        return { value: side * ctx.capital() * exposure };
      }),
      keepPair(ctx, { long, short }, { max_naked }),
    );
  },
});
