import {
  combineLatest,
  concatMap,
  connect,
  filter,
  map,
  merge,
  of,
  skip,
  Subject,
  switchMap,
  tap,
  timer,
  withLatestFrom,
  zip,
} from 'rxjs';
import { bollinger, defineStrategy, placeOrder, type Intent, type RefView } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  interval: z.literal('1h').default('1h'),
  period: z.number().default(120),
  enter: z.number().default(2),
  exit: z.number().default(0.5),
  exposure: z.number().default(0.5),
  max_naked: z.number().default(1_000),
});

interface Leg {
  symbol: string;
  price: number;
  held: number;
  target: number;
  /** Price at which the target was worked out. */
  unit: number;
  dust: number;
  slack: number;
  view: RefView | undefined;
  /** Filled by orders since the position was shown. */
  shown: number;
  filled: number;
  restUntil: number;
}

/** The pair without `keepPair`: steps, what lags, refusals and unwinding by hand. It knows no restart. */
export default defineStrategy({
  name: 'pair-by-hand',
  contract: 1,
  description: 'Reversion of the ratio of two perpetuals, their legs kept in balance.',
  scopes: ['trade'],
  params,
  warmup: ({ period }) => period,
  setup: (ctx) => {
    const { interval, period, enter, exit, exposure, max_naked } = ctx.params;
    const [long = '', short = ''] = ctx.symbols;
    const wake$ = new Subject<number>();
    const leg = (symbol: string): Leg => ({
      symbol,
      price: 0,
      held: 0,
      target: 0,
      unit: 0,
      dust: 0,
      slack: 0,
      view: undefined,
      shown: 0,
      filled: 0,
      restUntil: 0,
    });
    const legs = [leg(long), leg(short)] as const;
    let wanted: number | undefined;
    let isSized = false;
    let isMoving = false;
    let nakedSince: number | undefined;
    let isUnwinding = false;
    let count = 0;

    function size(): void {
      for (const [at, one] of legs.entries()) {
        const { roundSize, min_order_value, size_decimals } = ctx.instrument(one.symbol);
        const worth = at === 0 ? wanted! : -wanted!;
        const smallest = Math.max(10 ** -size_decimals, (1.1 * min_order_value) / one.price);
        one.unit = one.price;
        one.target = Math.sign(worth) * roundSize(Math.abs(worth) / one.price);
        one.slack = 2 * smallest * one.price;
        one.dust = one.target === 0 ? 0.5 * 10 ** -size_decimals : smallest;
      }
      isSized = true;
    }

    function order(one: Leg, most: number): Intent[] {
      const away = one.target - one.held;
      if (Math.abs(away) <= one.dust && !isUnwinding) return [];
      if (ctx.now() < one.restUntil) {
        wake$.next(one.restUntil);
        return [];
      }
      const direction = isUnwinding ? -Math.sign(one.held) : Math.sign(away);
      const reduces = one.held !== 0 && direction !== Math.sign(one.held);
      const limit = isUnwinding ? Math.abs(one.held) : Math.abs(away);
      const wish = Math.min(limit, most / one.unit, reduces ? Math.abs(one.held) : Infinity);
      const { roundSize, min_order_value } = ctx.instrument(one.symbol);
      const rounded = roundSize(wish * (1 + 1e-9));
      if (rounded <= 0 || (!reduces && rounded * one.price < min_order_value)) return [];
      const ref = `${one.symbol}-${++count}`;
      one.view = ctx.byRef(ref);
      const request = {
        symbol: one.symbol,
        side: direction > 0 ? ('buy' as const) : ('sell' as const),
        size: rounded,
      };
      if (reduces) return [placeOrder.market({ ...request, reduce_only: true }, { ref })];
      return [placeOrder.market(request, { ref, not_after: ctx.now() + 30_000 })];
    }

    /** Takes in an order that ended; false while one is on its way or its fills are not in the position. */
    function isSettled(one: Leg): boolean {
      const { view } = one;
      if (view !== undefined) {
        if (!view.ended) return false;
        const side = view.order?.side === 'buy' ? 1 : -1;
        one.filled += side * view.filled;
        if (view.remaining > 0) one.restUntil = ctx.now() + 5_000;
        one.view = undefined;
      }
      const halfStep = 0.5 * 10 ** -ctx.instrument(one.symbol).size_decimals;
      return Math.abs(one.held - one.shown - one.filled) < halfStep;
    }

    const act = (): Intent[] => {
      if (ctx.liveness() !== 'live' || wanted === undefined) return [];
      if (legs.some((one) => !isSettled(one))) return [];
      for (const one of legs) Object.assign(one, { shown: one.held, filled: 0 });
      if (legs.some(({ price }) => price === 0)) return [];
      if (!isSized) size();
      const isOut = ({ held, target, dust }: Leg, share: number): boolean =>
        Math.abs(target - held) > Math.max(dust, share * Math.abs(target));
      if (!legs.some((one) => isOut(one, 0))) {
        isMoving = isUnwinding = false;
        nakedSince = undefined;
      } else isMoving ||= legs.some((one) => isOut(one, 0.02));
      if (!isMoving) return [];
      const naked = legs.reduce((sum, { held, unit }) => sum + held * unit, 0);
      const slack = legs.reduce((sum, one) => sum + one.slack, 0);
      if (Math.abs(naked) <= slack) {
        nakedSince = undefined;
        isUnwinding = false;
        return legs.flatMap((one) => order(one, max_naked));
      }
      nakedSince ??= ctx.now();
      isUnwinding ||= ctx.now() - nakedSince >= 30_000;
      if (!isUnwinding) wake$.next(nakedSince + 30_000);
      return legs
        .filter(({ held, target }) =>
          isUnwinding ? held * naked > 0 : (target - held) * naked < 0,
        )
        .flatMap((one) => order(one, Math.abs(naked)));
    };

    const targets$ = combineLatest([
      ctx.candles(long, interval),
      ctx.candles(short, interval),
    ]).pipe(
      filter(([a, b]) => a.time === b.time),
      map(([a, b]) => Math.log(a.close / b.close)),
      connect((ratio$) =>
        zip(ratio$.pipe(skip(period - 1)), ratio$.pipe(bollinger({ period, std_dev: 1 }))),
      ),
      withLatestFrom(ctx.position(long)),
      tap(([[ratio, { mid, upper }], position]) => {
        const away = upper > mid ? (ratio - mid) / (upper - mid) : 0;
        const held = position === null ? 0 : position.side === 'long' ? 1 : -1;
        const side = Math.abs(away) >= enter ? -Math.sign(away) : away * held < -exit ? held : 0;
        wanted = side * ctx.capital() * exposure;
        isSized = false;
      }),
    );
    const state$ = legs.flatMap((one) => [
      ctx.price(one.symbol).pipe(tap(({ mark }) => (one.price = mark))),
      ctx.position(one.symbol).pipe(
        tap((position) => {
          const sign = position?.side === 'short' ? -1 : 1;
          one.held = sign * (position?.size ?? 0);
        }),
      ),
    ]);
    const retry$ = wake$.pipe(
      switchMap((time) => timer(Math.max(0, time - ctx.now()), ctx.scheduler)),
    );
    return merge(targets$, ctx.orders$, ctx.outcomes$, ...state$, retry$).pipe(
      map(act),
      concatMap((intents) => of(...intents)),
    );
  },
});
