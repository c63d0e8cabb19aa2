import { concatMap, connect, map, skip, zip } from 'rxjs';
import { defineStrategy, INTERVAL_MS, INTERVALS, placeOrder } from 'trimtab';
import { atr, highest, lowest, stopLoss, takeProfit, whenFlat, withIndicators } from 'trimtab';
import type { Intent } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  interval: z.enum(INTERVALS).default('5m').describe('Bars that it reads.'),
  channel: z.int().min(2).max(1_000).default(20).describe('Bars whose high or low is broken.'),
  atr_period: z.int().min(2).max(500).default(14),
  stop_atr: z.number().positive().default(2).describe('Distance of the stop, in ATR.'),
  reward: z.number().positive().default(2).describe('Distance of the target, in stop distances.'),
  risk: z.number().positive().max(0.1).default(0.01).describe('Share of capital lost at the stop.'),
  max_exposure: z.number().positive().max(10).default(1).describe('Notional at most, in capitals.'),
  shorts: z.boolean().default(true).describe('Whether it sells a break of the low too.'),
});

/**
 * Buys when a bar closes above the high of the bars before it, sells when it closes below their low.
 *
 * Stop and target are native legs at fixed prices. The size is such that the distance to the stop costs
 * `risk` of the capital, rounded down to the size grid; a quiet market has a near stop, so `max_exposure`
 * bounds the size. One position at a time: while one is open, breakouts are ignored.
 */
export default defineStrategy({
  name: 'breakout',
  contract: 1,
  description: 'Break of an N-bar channel, sized by risk, with a native stop and target.',
  scopes: ['trade'],
  params,
  warmup: ({ channel, atr_period }) => channel + 3 * atr_period,
  setup: (ctx) => {
    const { symbol } = ctx;
    const { interval, channel, stop_atr, reward, risk, max_exposure, shorts } = ctx.params;
    const { roundSize, roundPrice, min_order_value } = ctx.instrument(symbol);

    const enter = (side: 'buy' | 'sell', price: number, distance: number): Intent[] => {
      const byRisk = (ctx.capital() * risk) / distance;
      const size = roundSize(Math.min(byRisk, (ctx.capital() * max_exposure) / price));
      if (!(size * price >= min_order_value)) return [];
      const away = side === 'buy' ? distance : -distance;
      const [stop, target] = [roundPrice(price - away), roundPrice(price + reward * away)];
      // No price is at zero or below: nothing goes without its stop, and a short without its target.
      if (!(stop > 0)) return [];
      const stop_loss = stopLoss.price(stop);
      const legs =
        target > 0 ? { stop_loss, take_profit: takeProfit.price(target) } : { stop_loss };
      const request = { symbol, side, size, ...legs };
      return [placeOrder.market(request, { not_after: ctx.now() + INTERVAL_MS[interval] })];
    };

    return ctx.candles(symbol, interval).pipe(
      withIndicators({ range: atr(ctx.params.atr_period) }),
      // Each bar with the channel of the bars before it.
      connect((rows$) => {
        const bars$ = rows$.pipe(map(({ bar }) => bar));
        const high$ = bars$.pipe(highest(channel));
        return zip(rows$.pipe(skip(channel)), high$, bars$.pipe(lowest(channel)));
      }),
      whenFlat(ctx.position(symbol)),
      concatMap(([{ bar, range }, high, low]) => {
        if (bar.close > high) return enter('buy', bar.close, stop_atr * range);
        if (bar.close < low && shorts) return enter('sell', bar.close, stop_atr * range);
        return [];
      }),
    );
  },
});
