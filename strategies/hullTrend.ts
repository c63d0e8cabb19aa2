import { concatMap, distinctUntilChanged, map, skip } from 'rxjs';
import { closePosition, defineIndicator, defineStrategy, INTERVALS, placeOrder } from 'trimtab';
import { stopLoss, withIndicators, withPosition, withPrevious } from 'trimtab';
import type { Intent } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  interval: z.enum(INTERVALS).default('4h').describe('Bars that it reads.'),
  period: z.int().min(4).max(250).default(50).describe('Period of the Hull average.'),
  trail_pct: z.number().positive().max(50).default(8).describe('Trailing stop, percent.'),
  exposure: z.number().positive().max(5).default(0.5).describe('Notional, as a share of capital.'),
});

/** A weighted mean of the last numbers, the newest with the largest weight; undefined before there are as many. */
function weighted(period: number): (value: number) => number | undefined {
  const values: number[] = [];
  return (value) => {
    values.push(value);
    if (values.length > period) values.shift();
    if (values.length < period) return undefined;
    const sum = values.reduce((all, one, at) => all + one * (at + 1), 0);
    return sum / ((period * (period + 1)) / 2);
  };
}

/** Hull's average: twice the fast weighted average less the slow one, smoothed over the root of the period. */
const hull = defineIndicator({
  name: 'hull',
  params: z.object({ period: z.int().min(4).max(250) }),
  series: ['value'],
  input: 'close',
  warmup: ({ period }) => period + Math.floor(Math.sqrt(period)) - 1,
  create: ({ period }) => {
    const [fast, slow] = [weighted(Math.floor(period / 2)), weighted(period)];
    const smooth = weighted(Math.floor(Math.sqrt(period)));
    return {
      next: (close) => {
        const [quick, lagging] = [fast(close), slow(close)];
        if (quick === undefined || lagging === undefined) return undefined;
        return smooth(2 * quick - lagging);
      },
    };
  },
});

/**
 * Buys when Hull's moving average turns up and sells when it turns down. The average is not one of the catalogue: it is
 * defined here. Once stopped out it waits for the next turn.
 */
export default defineStrategy({
  name: 'hull-trend',
  contract: 1,
  description: 'Long while the Hull average rises, with a trailing stop.',
  scopes: ['trade'],
  params,
  warmup: ({ period }) => hull({ period }).barsNeeded + 1,
  setup: (ctx) => {
    const { symbol } = ctx;
    const { interval, period, trail_pct, exposure } = ctx.params;
    const { roundSize, min_order_value } = ctx.instrument(symbol);
    const stop_loss = stopLoss.trail({ pct: trail_pct, interval });
    return ctx.candles(symbol, interval).pipe(
      withIndicators({ line: hull({ period }) }),
      withPrevious(),
      map(({ previous, current: { bar, line } }) => ({ bar, isRising: line > previous.line })),
      distinctUntilChanged((a, b) => a.isRising === b.isRising),
      skip(1), // The initial direction is no turn.
      withPosition(ctx.position(symbol)),
      concatMap(({ bar, isRising, position }): Intent[] => {
        if (!isRising) return position === null ? [] : [closePosition.atMarket(symbol)];
        const size = roundSize((ctx.capital() * exposure) / bar.close);
        if (position !== null || size * bar.close < min_order_value) return [];
        return [placeOrder.market({ symbol, side: 'buy', size, stop_loss })];
      }),
    );
  },
});
