import { concatMap, filter, map, merge, of, Subject, switchMap, take, tap, timer } from 'rxjs';
import { defineStrategy, modifyOrder, placeOrder, type Intent, type RefView } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  levels: z.int().default(8),
  step_bps: z.number().default(25),
  share: z.number().default(0.8),
});

const REFUSED = ['denied', 'rejected', 'expired', 'absent'];

interface Slot {
  side: 'buy' | 'sell';
  price: number;
  view: RefView | undefined;
  /** What the order is for in total, and the ref of a request that has no answer yet. */
  size: number;
  pending: string | undefined;
  asked: number;
  filledBefore: number;
  restUntil: number;
  refusals: number;
}

/** The grid without its operator: orders, partial fills, refusals and retries by hand. It knows no restart. */
export default defineStrategy({
  name: 'grid-by-hand',
  contract: 1,
  description: 'Buys at levels below the start, and sells each purchase one step higher.',
  scopes: ['trade'],
  params,
  setup: (ctx) => {
    const { symbol } = ctx;
    const { levels, step_bps, share } = ctx.params;
    const { roundPrice, roundSize, min_order_value } = ctx.instrument(symbol);
    const step = step_bps / 10_000;
    const wake$ = new Subject<number>();
    const cells: { size: number; buy: Slot; sell: Slot }[] = [];
    let count = 0;

    const slot = (side: Slot['side'], price: number): Slot => ({
      side,
      price: roundPrice(price, side === 'buy' ? 'down' : 'up'),
      view: undefined,
      size: 0,
      pending: undefined,
      asked: 0,
      filledBefore: 0,
      restUntil: 0,
      refusals: 0,
    });
    const filledOf = ({ filledBefore, view }: Slot): number => filledBefore + (view?.filled ?? 0);

    function order(at: Slot, wanted: number): Intent[] {
      if (at.view?.ended === true) {
        // Its outcome comes after its state: placed anew before it, the order would be refused without end.
        if (at.pending === at.view.ref && REFUSED.includes(at.view.state ?? '')) return [];
        at.filledBefore += at.view.filled;
        at.view = undefined;
        at.pending = undefined;
      }
      const size = roundSize(wanted * (1 + 1e-9));
      if (at.pending !== undefined || ctx.now() < at.restUntil) return [];
      if (size * at.price < min_order_value) return [];
      const ref = `${at.side}-${++count}`;
      if (at.view === undefined) {
        Object.assign(at, { view: ctx.byRef(ref), size, pending: ref, asked: size });
        const { side, price } = at;
        const time_in_force = side === 'buy' ? ('post_only' as const) : ('gtc' as const);
        const flag = side === 'sell' ? { reduce_only: true } : {};
        return [placeOrder.limit({ symbol, side, size, price, time_in_force, ...flag }, { ref })];
      }
      const rests = at.size - at.view.filled;
      if (rests >= 0.5 * size - 1e-9 && rests <= size + 1e-9) return [];
      at.pending = ref;
      at.asked = roundSize((at.view.filled + size) * (1 + 1e-9));
      return [modifyOrder({ ref: at.view.ref }, { price: at.price, size: at.asked }, { ref })];
    }

    function settle(at: Slot, ref: string | undefined, state: string): void {
      if (ref === undefined || at.pending !== ref) return;
      if (REFUSED.includes(state)) {
        at.pending = undefined;
        at.restUntil = ctx.now() + 5_000 * 2 ** Math.min(at.refusals++, 6);
        wake$.next(at.restUntil);
      } else if (state === 'accepted' || state === 'duplicate') {
        at.pending = undefined;
        at.size = at.asked;
        at.refusals = 0;
      }
    }

    const act = (): Intent[] => {
      if (ctx.liveness() !== 'live') return [];
      return cells.flatMap(({ size, buy, sell }) => {
        const held = filledOf(buy) - filledOf(sell);
        return [...order(buy, size - held), ...order(sell, held)];
      });
    };
    const start$ = ctx.price(symbol).pipe(
      filter(() => ctx.capital() > 0),
      take(1),
      tap(({ mark }) => {
        for (let at = 0; at < levels; at++) {
          const buy = mark * (1 - step * (at + 1));
          const size = (ctx.capital() * share) / levels / mark;
          cells.push({ size, buy: slot('buy', buy), sell: slot('sell', buy * (1 + step)) });
        }
      }),
    );
    const answers$ = ctx.outcomes$.pipe(
      tap(({ intent: { ref }, state }) => {
        for (const { buy, sell } of cells) for (const at of [buy, sell]) settle(at, ref, state);
      }),
    );
    const retry$ = wake$.pipe(
      switchMap((time) => timer(Math.max(0, time - ctx.now()), ctx.scheduler)),
    );
    const events$ = merge(start$, ctx.orders$, answers$, ctx.position(symbol), retry$);
    return events$.pipe(
      map(act),
      concatMap((intents) => of(...intents)),
    );
  },
});
