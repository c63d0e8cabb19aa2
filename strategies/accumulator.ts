import { concatMap, distinctUntilChanged, filter, map, merge, withLatestFrom } from 'rxjs';
import {
  createMonitor,
  defineStrategy,
  INTERVAL_MS,
  INTERVALS,
  launch,
  stopMonitor,
} from 'trimtab';
import { sma, withIndicators } from 'trimtab';
import type { Intent } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  interval: z.enum(INTERVALS).default('4h').describe('Bars that it reads.'),
  trend: z.int().min(2).max(500).default(50).describe('Period of the average that it buys above.'),
  floor: z
    .int()
    .min(2)
    .max(500)
    .default(100)
    .describe('Period of the average below which it sells.'),
  slice: z.number().positive().max(1).default(0.1).describe('Value of a purchase, in capitals.'),
  most: z.number().positive().max(5).default(0.8).describe('Value at which it stops, in capitals.'),
  participation: z.number().min(0.01).max(0.5).default(0.05).describe('Of the volume, at most.'),
});

/**
 * Buys a slice at each bar above an average until it has enough, each one worked by Flowscale within a share of the
 * volume. A monitor at the service sells everything once the price is below a slower average, also while the bot is
 * away: it is armed with the first purchase and stopped when nothing is held.
 */
export default defineStrategy({
  name: 'accumulator',
  contract: 1,
  description: 'Accumulates by Flowscale above an average; a monitor sells below a slower one.',
  scopes: ['trade', 'algo'],
  params,
  warmup: ({ trend, floor }) => Math.max(trend, floor),
  setup: (ctx) => {
    const { symbol } = ctx;
    const { interval, floor, slice, most, participation } = ctx.params;
    const { roundSize, algo_min_value } = ctx.instrument(symbol);
    const seconds = INTERVAL_MS[interval] / 1_000;
    const held$ = ctx.position(symbol).pipe(map((position) => position?.size ?? 0));

    const buys$ = ctx.candles(symbol, interval).pipe(
      withIndicators({ trend: sma(ctx.params.trend), floor: sma(floor) }),
      withLatestFrom(held$),
      concatMap(([{ bar, trend, floor: least }, held]): Intent[] => {
        if (bar.close < Math.max(trend, least)) return [];
        const left = ctx.capital() * most - held * bar.close;
        const total_size = roundSize(Math.min(ctx.capital() * slice, left) / bar.close);
        if (total_size * bar.close < algo_min_value) return [];
        const limits = { participation, max_duration_seconds: Math.floor(seconds / 2) };
        const request = { symbol, side: 'buy' as const, total_size, params: limits };
        return [launch.flowscale(request, { not_after: ctx.now() + INTERVAL_MS[interval] })];
      }),
    );

    const level = { indicator: 'sma', params: { period: floor }, interval } as const;
    const trigger = { type: 'indicator_level', symbol, direction: 'below', ...level } as const;
    const sale = { order_type: 'market', symbol, side: 'sell', reduce_only: true } as const;
    const guard$ = ctx.position(symbol).pipe(
      distinctUntilChanged((a, b) => (a === null) === (b === null)),
      filter(() => ctx.liveness() === 'live'),
      concatMap((position): Intent[] => {
        const { monitor, ended } = ctx.byRef('floor');
        const isArmed = monitor !== null && !ended;
        if (position === null) return isArmed ? [stopMonitor({ ref: 'floor' })] : [];
        if (isArmed) return [];
        // More than it will ever hold: what only reduces sells what there is.
        const size = roundSize((2 * ctx.capital() * most) / position.entry_price);
        const action = { type: 'order', request: { ...sale, size } } as const;
        return [createMonitor({ trigger, action }, { ref: 'floor' })];
      }),
    );
    return merge(guard$, buys$);
  },
});
