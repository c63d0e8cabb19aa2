import { concatMap, from, merge, mergeMap, tap, ignoreElements } from 'rxjs';
import { cancelOrder, defineStrategy, placeOrder, type Intent } from 'trimtab';
import { z } from 'zod';

const RUNGS = [1, 2, 3] as const;

/**
 * Rests three buys below the price, each under a ref of its own, and sells what one of them bought. A rung that
 * has ended is placed again; one that is too far away is cancelled. What it knows of its orders is in the notes.
 */
export default defineStrategy({
  name: 'grid',
  contract: 1,
  description: 'Three resting buys below the price; each fill is sold at the market.',
  scopes: ['trade'],
  params: z.object({ step_bps: z.number().default(8), size: z.number().default(0.01) }),
  warmup: () => 5,
  setup(ctx) {
    const { symbol } = ctx;
    const { step_bps, size } = ctx.params;
    const { roundPrice } = ctx.instrument(symbol);
    const placed = new Map<number, number>();
    const sold = new Map<string, number>();
    const seen = { orders: 0, fills: 0 };
    const refOf = (rung: number): string => `rung-${rung}-${placed.get(rung) ?? 0}`;

    /** What is known, in the journal and so in every comparison of two runs. */
    const note = (ref: string): string => {
      const { state, filled, remaining, ended, fills, order } = ctx.byRef(ref);
      const open = ctx.openOrders(symbol).map((one) => `${one.ref}:${one.remaining_size}`);
      const known = [state, filled, remaining, ended, fills.length, order?.status];
      return [ref, ...known, seen.orders, seen.fills, ...open].join(' ').slice(0, 480);
    };

    const sell = (ref: string): Intent[] => {
      const { filled } = ctx.byRef(ref);
      const left = filled - (sold.get(ref) ?? 0);
      if (left <= 0) return [];
      sold.set(ref, filled);
      const request = { symbol, side: 'sell', size: left, reduce_only: true } as const;
      return [placeOrder.market(request, { ref: `sale-of-${ref}`, note: note(ref) })];
    };

    const onBar$ = ctx.candles(symbol, '1m').pipe(
      concatMap(({ close }) => {
        if (!ctx.isWarm(symbol, '1m') || ctx.liveness() !== 'live') return [];
        return RUNGS.flatMap((rung): Intent[] => {
          const ref = refOf(rung);
          const { ended, order, state } = ctx.byRef(ref);
          const isFar = !ended && order?.price != null && close / order.price - 1 > 0.006;
          if (isFar && state === 'accepted') return [cancelOrder({ ref }, { note: note(ref) })];
          if (placed.has(rung) && !ended) return [];
          placed.set(rung, (placed.get(rung) ?? 0) + 1);
          const price = roundPrice(close * (1 - (rung * step_bps) / 10_000), 'down');
          const meta = { ref: refOf(rung), note: note(ref) };
          return [placeOrder.limit({ symbol, side: 'buy', size, price }, meta)];
        });
      }),
    );
    const onChange$ = ctx.outcomes$.pipe(
      mergeMap(({ state, intent: { ref } }) =>
        state === 'guarded' && ref?.startsWith('rung-') === true
          ? ctx.byRef(ref).changes$.pipe(concatMap(() => from(sell(ref))))
          : [],
      ),
    );
    const count$ = merge(
      ctx.orders$.pipe(tap(({ order }) => (seen.orders += order.ref === undefined ? 0 : 1))),
      ctx.fills$.pipe(tap(({ ref }) => (seen.fills += ref === undefined ? 0 : 1))),
    ).pipe(ignoreElements());
    return merge(count$, onChange$, onBar$);
  },
});
