import {
  combineLatest,
  concatMap,
  map,
  merge,
  of,
  startWith,
  Subject,
  switchMap,
  tap,
  timer,
} from 'rxjs';
import {
  cancelOrder,
  defineStrategy,
  modifyOrder,
  placeOrder,
  type Intent,
  type RefView,
} from 'trimtab';
import { z } from 'zod';

const params = z.object({
  half_spread_bps: z.number().default(3),
  share: z.number().default(0.05),
  most: z.number().default(0.25),
  skew_bps: z.number().default(3),
  tolerance_bps: z.number().default(1),
});

const REFUSED = ['denied', 'rejected', 'expired', 'absent'];

interface Quoted {
  side: 'buy' | 'sell';
  view: RefView | undefined;
  price: number;
  size: number;
  request:
    { ref: string; kind: string; price: number; size: number; isQueued: boolean } | undefined;
  filledBefore: number;
  restUntil: number;
  refused: number | undefined;
  refusals: number;
}

/** The market maker without `quote`: orders, partial fills, refusals and its bound by hand. It knows no restart. */
export default defineStrategy({
  name: 'maker-by-hand',
  contract: 1,
  description: 'Quotes both sides of the mid, leaning against its position.',
  scopes: ['trade'],
  params,
  setup: (ctx) => {
    const { symbol } = ctx;
    const { half_spread_bps, share, most, skew_bps, tolerance_bps } = ctx.params;
    const { roundPrice, roundSize, min_order_value } = ctx.instrument(symbol);
    const wake$ = new Subject<number>();
    const quoted = (side: 'buy' | 'sell'): Quoted => ({
      side,
      view: undefined,
      price: 0,
      size: 0,
      request: undefined,
      filledBefore: 0,
      restUntil: 0,
      refused: undefined,
      refusals: 0,
    });
    const [bid, ask] = [quoted('buy'), quoted('sell')];
    let bound: number | undefined;
    let target: { bid: number; ask: number; size: number } | undefined;
    let count = 0;
    const filledOf = ({ filledBefore, view }: Quoted): number => filledBefore + (view?.filled ?? 0);

    function orderOf(at: Quoted, wanted: number, room: number): Intent[] {
      if (at.view?.ended === true) {
        // Its outcome comes after its state: placed anew before it, the order would be refused without end.
        if (at.request?.ref === at.view.ref && REFUSED.includes(at.view.state ?? '')) return [];
        at.filledBefore += at.view.filled;
        at.view = undefined;
        at.request = undefined;
      }
      const price = roundPrice(wanted, at.side === 'buy' ? 'down' : 'up');
      const size = roundSize(Math.max(0, room) * (1 + 1e-9));
      const isNone = size * price < min_order_value;
      if (ctx.now() < at.restUntil && (at.refused === undefined || isNone || at.refused === price))
        return [];
      const ref = `${at.side}-${++count}`;
      if (at.view === undefined) {
        if (isNone) return [];
        const request = { ref, kind: 'place', price, size, isQueued: true };
        Object.assign(at, { view: ctx.byRef(ref), price, size, request });
        const { side } = at;
        return [
          placeOrder.limit({ symbol, side, size, price, time_in_force: 'post_only' }, { ref }),
        ];
      }
      if (at.request !== undefined && !(at.request.kind === 'modify' && at.request.isQueued))
        return [];
      if (isNone) {
        at.request = { ref, kind: 'cancel', price: at.price, size: at.size, isQueued: true };
        return [cancelOrder({ ref: at.view.ref }, { ref })];
      }
      const aim = at.request ?? at;
      const rests = aim.size - at.view.filled;
      const isMoved = Math.abs(price - aim.price) * 10_000 > tolerance_bps * aim.price;
      if (!isMoved && rests >= 0.5 * size - 1e-9 && rests <= size + 1e-9) return [];
      const total = roundSize((at.view.filled + size) * (1 + 1e-9));
      at.request = {
        ref,
        kind: 'modify',
        price: isMoved ? price : aim.price,
        size: total,
        isQueued: true,
      };
      return [modifyOrder({ ref: at.view.ref }, { price: at.request.price, size: total }, { ref })];
    }

    function settle(at: Quoted, ref: string | undefined, state: string): void {
      const { request } = at;
      if (ref === undefined || request?.ref !== ref) return;
      if (state === 'sending' || state === 'unknown') request.isQueued = false;
      if (REFUSED.includes(state)) {
        at.request = undefined;
        at.restUntil = ctx.now() + 5_000 * 2 ** Math.min(at.refusals++, 6);
        at.refused = state === 'rejected' ? request.price : undefined;
        wake$.next(at.restUntil);
      } else if (state === 'accepted' || state === 'duplicate') {
        at.request = request.kind === 'cancel' ? { ...request, isQueued: false } : undefined;
        at.refusals = 0;
        if (request.kind === 'modify')
          Object.assign(at, { price: request.price, size: request.size });
      }
    }

    const act = (): Intent[] => {
      if (ctx.liveness() !== 'live' || target === undefined) return [];
      const held = filledOf(bid) - filledOf(ask);
      const { size } = target;
      return [
        ...orderOf(bid, target.bid, Math.min(size, bound! - held)),
        ...orderOf(ask, target.ask, Math.min(size, bound! + held)),
      ];
    };
    const held$ = ctx.position(symbol).pipe(
      map((held) => (held === null ? 0 : held.side === 'short' ? -held.size : held.size)),
      startWith(0),
    );
    const quotes$ = combineLatest([ctx.price(symbol), held$]).pipe(
      tap(([price, held]) => {
        const mid = (price.bid + price.ask) / 2;
        bound ??= (ctx.capital() * most) / mid;
        const shift = (held / bound) * skew_bps;
        target = {
          bid: mid * (1 - (half_spread_bps + shift) / 10_000),
          ask: mid * (1 + (half_spread_bps - shift) / 10_000),
          size: (ctx.capital() * share) / mid,
        };
      }),
    );
    const answers$ = ctx.outcomes$.pipe(
      tap(({ intent: { ref }, state }) => [bid, ask].forEach((at) => settle(at, ref, state))),
    );
    const retry$ = wake$.pipe(
      switchMap((time) => timer(Math.max(0, time - ctx.now()), ctx.scheduler)),
    );
    return merge(quotes$, ctx.orders$, answers$, ctx.position(symbol), retry$).pipe(
      map(act),
      concatMap((intents) => of(...intents)),
    );
  },
});
