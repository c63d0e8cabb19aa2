import { concatMap, filter, ignoreElements, merge, tap, withLatestFrom } from 'rxjs';
import { bollinger, cancelOrder, defineStrategy, INTERVAL_MS, INTERVALS } from 'trimtab';
import { placeOrder, stopLoss, takeProfit, withIndicators } from 'trimtab';
import type { Intent, Outcome } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  interval: z.enum(INTERVALS).default('5m').describe('Bars that it reads.'),
  side: z.enum(['long', 'short']).default('long').describe('Whether it buys low or sells high.'),
  period: z.int().min(2).max(500).default(20),
  std_dev: z.number().positive().max(10).default(2),
  stop_atr: z.number().positive().default(3).describe('Distance of the stop, in ATR.'),
  exposure: z.number().positive().max(5).default(0.5).describe('Notional, as a share of capital.'),
  max_bars: z.int().min(1).default(12).describe('Bars after which an unfilled entry is stale.'),
});

/** The resting entry and its first bar; persisted across restarts, like the order. */
const state = z.object({ ref: z.string().default(''), since: z.number().default(0) });

/**
 * Rests at a Bollinger band and takes profit at the middle line.
 *
 * Once a bar closes between the band and the middle, a limit order is placed that follows the band; the
 * service moves it. It is cancelled when it is stale: the price is back beyond the middle, or `max_bars`
 * have passed. A fill is protected by a stop a multiple of the ATR away, and exits at the middle line.
 */
export default defineStrategy({
  name: 'bollinger-reversion',
  contract: 1,
  description: 'Tracked limit entry at a Bollinger band, target at the middle, protective stop.',
  scopes: ['trade'],
  params,
  state,
  warmup: ({ period }) => period,
  setup: (ctx) => {
    const { symbol } = ctx;
    const { interval, period, std_dev, stop_atr: mult, exposure, max_bars } = ctx.params;
    const { roundSize, min_order_value } = ctx.instrument(symbol);
    const isLong = ctx.params.side === 'long';
    const [side, series] = isLong ? (['buy', 'lower'] as const) : (['sell', 'upper'] as const);
    const band = { indicator: 'bollinger', params: { period, std_dev }, interval } as const;

    const enter = (time: number, price: number): Intent[] => {
      const size = roundSize((ctx.capital() * exposure) / price);
      if (size * price < min_order_value) return [];
      const ref = `entry-${time}`;
      // An entry in warm-up is not sent, so there is nothing to wait for.
      if (ctx.liveness() === 'live') ctx.state.set({ ref, since: time });
      const price_from = { ...band, series, track: true } as const;
      const take_profit = takeProfit.at({ ...band, series: 'mid' });
      const stop_loss = stopLoss.offset({ indicator: 'atr', mult, interval });
      const request = { symbol, side, size, price_from, take_profit, stop_loss };
      return [placeOrder.atLevel(request, { ref })];
    };

    const onBar$ = ctx.candles(symbol, interval).pipe(
      withIndicators({ bands: bollinger({ period, std_dev }) }),
      withLatestFrom(ctx.position(symbol)),
      concatMap(([{ bar, bands }, position]): Intent[] => {
        const { ref, since } = ctx.state.get();
        const isPast = (level: number) => isLong === bar.close > level;
        const isLate = bar.time - since >= max_bars * INTERVAL_MS[interval];
        if (ref !== '') return isPast(bands.mid) || isLate ? [cancelOrder({ ref })] : [];
        if (position || isPast(bands.mid) || !isPast(bands[series])) return [];
        return enter(bar.time, bar.close);
      }),
    );
    const onEnd$ = merge(
      ctx.outcomes$.pipe(filter((outcome) => endsEntry(outcome, ctx.state.get().ref))),
      ctx.watch$.pipe(
        filter(({ event, row }) => event === 'entry_retired' && row.ref === ctx.state.get().ref),
      ),
    );
    const forget = tap(() => ctx.state.set({ ref: '', since: 0 }));
    return merge(onEnd$.pipe(forget, ignoreElements()), onBar$);
  },
});

/** The entry never rested, or its cancel ended it or found it gone: refused otherwise, it still rests. */
function endsEntry({ intent, state, guard, fault }: Outcome, ref: string): boolean {
  const isGone = fault?.code === 'not_found' || fault?.code === 'invalid_transition';
  if (intent.kind === 'cancel_order') return state === 'accepted' || isGone || guard === 'request';
  return intent.ref === ref && ['denied', 'rejected', 'expired', 'absent'].includes(state);
}
