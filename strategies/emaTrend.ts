import { concatMap, distinctUntilChanged, map, scan, skip, startWith, withLatestFrom } from 'rxjs';
import { closePosition, controlExecution, launch, stopLoss } from 'trimtab';
import { defineStrategy, ema, INTERVAL_MS, INTERVALS, withIndicators } from 'trimtab';
import type { ExecutionRecord, Intent } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  interval: z.enum(INTERVALS).default('5m').describe('Bars that it reads.'),
  fast: z.int().min(1).max(500).default(20).describe('Period of the fast average.'),
  slow: z.int().min(2).max(500).default(60).describe('Period of the slow average.'),
  atr_period: z.int().min(2).max(500).default(14),
  trail_atr: z.number().positive().default(3).describe('Distance of the trailing stop, in ATR.'),
  exposure: z.number().positive().max(5).default(0.5).describe('Notional, as a share of capital.'),
  duration_seconds: z.int().min(60).max(86_400).default(60).describe('Time to work an entry in.'),
  shorts: z.boolean().default(true).describe('Whether it sells below the slow average too.'),
});

/**
 * Follows the trend: long while the fast average is above the slow one, short while it is below.
 *
 * An entry is worked by Pacemaker and carries an ATR trailing stop. At the opposite cross a still working
 * entry is stopped, the position is closed and the other side is entered. Once stopped out it waits for
 * the next cross.
 */
export default defineStrategy({
  name: 'ema-trend',
  contract: 1,
  description: 'EMA cross: Pacemaker entries, ATR trailing stop, flips on the opposite cross.',
  scopes: ['trade', 'algo'],
  params,
  warmup: ({ slow, atr_period }) => 3 * Math.max(slow, atr_period),
  setup: (ctx) => {
    const { symbol } = ctx;
    const { interval, exposure, shorts, duration_seconds } = ctx.params;
    const { atr_period: period, trail_atr: mult } = ctx.params;
    const { roundSize, min_order_value } = ctx.instrument(symbol);
    const trail = { indicator: 'atr', params: { period }, mult, interval } as const;

    const enter = (side: 'buy' | 'sell', price: number): Intent[] => {
      const total_size = roundSize((ctx.capital() * exposure) / price);
      if (total_size * price < min_order_value || (side === 'sell' && !shorts)) return [];
      const stop_loss = stopLoss.trail(trail);
      const request = { symbol, side, total_size, params: { duration_seconds }, stop_loss };
      // An entry that couldn't be sent within its bar would belong to another bar.
      return [launch.pacemaker(request, { not_after: ctx.now() + INTERVAL_MS[interval] })];
    };

    const working$ = ctx.executions$.pipe(
      scan((last: ExecutionRecord | null, { event, execution: next }) => {
        // One that an outage ended has no end of its own: its record is the last one known.
        if (next.phase !== 'done' && event !== 'gone') return next;
        return last?.execution_id === next.execution_id ? null : last;
      }, null),
      startWith(null),
    );

    return ctx.candles(symbol, interval).pipe(
      withIndicators({ fast: ema(ctx.params.fast), slow: ema(ctx.params.slow) }),
      map(({ bar, fast, slow }) => ({ bar, side: fast > slow ? 'buy' : 'sell' }) as const),
      distinctUntilChanged((a, b) => a.side === b.side),
      skip(1), // The initial side is not a cross.
      withLatestFrom(ctx.position(symbol), working$),
      concatMap(([{ bar, side }, position, working]): Intent[] => [
        ...(working ? [controlExecution.stop({ execution_id: working.execution_id })] : []),
        ...(position ? [closePosition.atMarket(symbol)] : []),
        ...enter(side, bar.close),
      ]),
    );
  },
});
