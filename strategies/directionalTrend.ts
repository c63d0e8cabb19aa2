import { concatMap } from 'rxjs';
import { adx, defineStrategy, ema, INTERVAL_MS, INTERVALS, placeOrder } from 'trimtab';
import { stopLoss, takeProfit, whenFlat, withIndicators, withPrevious } from 'trimtab';
import type { Intent } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  interval: z.enum(INTERVALS).default('1h').describe('Bars that it reads.'),
  period: z.int().min(2).max(500).default(14).describe('Of ADX and ATR.'),
  slow: z.int().min(2).max(500).default(100).describe('Period of the average that it trades with.'),
  strength: z.number().min(0).max(100).default(25).describe('ADX from which a trend is one.'),
  trail_atr: z.number().positive().default(3).describe('Distance of the trailing stop, in ATR.'),
  target_atr: z.number().positive().default(8).describe('Distance of the target, in ATR.'),
  exposure: z.number().positive().max(5).default(0.5).describe('Notional, as a share of capital.'),
});

/**
 * Enters when ADX rises through `strength`, on the side of the directional lines if a slow average agrees, and leaves the
 * rest to two legs at the service: a stop that trails by ATR, and a target. The legs hold while the bot is away.
 */
export default defineStrategy({
  name: 'directional-trend',
  contract: 1,
  description: 'Strong trends by ADX, with an ATR trailing stop and a target at the service.',
  scopes: ['trade'],
  params,
  warmup: ({ period, slow }) => Math.max(10 * period, 3 * slow),
  setup: (ctx) => {
    const { symbol } = ctx;
    const { interval, period, strength, trail_atr, target_atr, exposure } = ctx.params;
    const { roundSize, min_order_value } = ctx.instrument(symbol);
    const range = { indicator: 'atr', params: { period }, interval } as const;
    const stop_loss = stopLoss.trail({ ...range, mult: trail_atr });
    const take_profit = takeProfit.offset({ ...range, mult: target_atr });

    return ctx.candles(symbol, interval).pipe(
      withIndicators({ trend: adx(period), slow: ema(ctx.params.slow) }),
      withPrevious(),
      whenFlat(ctx.position(symbol)),
      concatMap(({ previous, current: { bar, trend, slow } }): Intent[] => {
        const isUp = trend.plus_di > trend.minus_di;
        const begins = previous.trend.adx < strength && trend.adx >= strength;
        if (!begins || isUp !== bar.close > slow) return [];
        const size = roundSize((ctx.capital() * exposure) / bar.close);
        if (size * bar.close < min_order_value) return [];
        const side = isUp ? ('buy' as const) : ('sell' as const);
        const not_after = ctx.now() + INTERVAL_MS[interval];
        return [placeOrder.market({ symbol, side, size, stop_loss, take_profit }, { not_after })];
      }),
    );
  },
});
