import { concatMap, distinctUntilChanged, filter, merge, withLatestFrom } from 'rxjs';
import {
  createMonitor,
  defineStrategy,
  INTERVAL_MS,
  INTERVALS,
  launch,
  placeOrder,
  stopMonitor,
} from 'trimtab';
import { sma, withIndicators } from 'trimtab';
import type { Intent, PositionRecord } from 'trimtab';
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
 * away: it is armed with the first purchase and stopped when nothing is held. Each bar makes up for one that is missing:
 * it was refused, or it fired and its order sold only a part. Below the average the rest is then sold at the market.
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
    const position$ = ctx.position(symbol);

    function buy(close: number, held: number): Intent[] {
      const left = ctx.capital() * most - held * close;
      const total_size = roundSize(Math.min(ctx.capital() * slice, left) / close);
      if (total_size * close < algo_min_value) return [];
      const limits = { participation, max_duration_seconds: Math.min(86_400, seconds / 2) };
      const request = { symbol, side: 'buy' as const, total_size, params: limits };
      return [launch.flowscale(request, { not_after: ctx.now() + INTERVAL_MS[interval] })];
    }

    const level = { indicator: 'sma', params: { period: floor }, interval } as const;
    const trigger = { type: 'indicator_level', symbol, direction: 'below', ...level } as const;
    const sale = { order_type: 'market', symbol, side: 'sell', reduce_only: true } as const;
    let askedAt: number | undefined;
    /** Whether a monitor waits, or is being asked for. */
    function isArmed(): boolean {
      const { state, ended } = ctx.byRef('floor');
      return ended ? askedAt === ctx.now() : (state ?? askedAt) !== undefined;
    }
    function arm({ entry_price: price }: PositionRecord): Intent[] {
      if (isArmed()) return [];
      askedAt = ctx.now();
      // More than it will ever hold: what only reduces sells what there is.
      const size = roundSize((2 * ctx.capital() * most) / price);
      const action = { type: 'order', request: { ...sale, size } } as const;
      return [createMonitor({ trigger, action }, { ref: 'floor' })];
    }
    function sellRest({ size }: PositionRecord): Intent[] {
      // The monitor's own sale may be on its way; another monitor would wait for the price to come back.
      const isSelling = ctx.byRef('floor').monitor?.last_fired_time === ctx.now();
      return isArmed() || isSelling ? [] : [placeOrder.market({ ...sale, size })];
    }

    const guard$ = position$.pipe(
      distinctUntilChanged((a, b) => (a === null) === (b === null)),
      filter(() => ctx.liveness() === 'live'),
      concatMap((position): Intent[] => {
        if (position !== null) return arm(position);
        const { monitor, ended } = ctx.byRef('floor');
        return monitor !== null && !ended ? [stopMonitor({ ref: 'floor' })] : [];
      }),
    );
    const bars$ = ctx.candles(symbol, interval).pipe(
      withIndicators({ trend: sma(ctx.params.trend), floor: sma(floor) }),
      withLatestFrom(position$),
      concatMap(([{ bar, trend, floor: least }, position]): Intent[] => {
        if (bar.close < least) return position === null ? [] : sellRest(position);
        const repaired = position === null ? [] : arm(position);
        if (bar.close < trend) return repaired;
        return [...repaired, ...buy(bar.close, position?.size ?? 0)];
      }),
    );
    return merge(guard$, bars$);
  },
});
