import {
  filter,
  from,
  ignoreElements,
  interval,
  map,
  merge,
  mergeMap,
  tap,
  type Observable,
} from 'rxjs';
import { INDICATOR_IDS, type IndicatorId } from '../../src/contract/indicatorCatalogue.ts';
import { createRandom } from '../../src/env/index.ts';
import { defineStrategy, type Strategy } from '../../src/strategy/index.ts';
import type { StateHandle } from '../../src/strategy/createState.ts';
import type { StrategyContext } from '../../src/strategy/StrategyContext.ts';
import { z } from 'zod';

const INTERVALS = ['1m', '5m', '15m', '1h'] as const;
/** Of the indicators, as many as this observe each symbol. */
const INDICATORS = 4;

/** What it persists, where the strategy itself persists nothing. */
const seen = z.object({ bars: z.int().default(0), last: z.number().nullable().default(null) });

type Seen = z.output<typeof seen>;

/** Decides as another strategy does, and notes down whatever a strategy can see meanwhile. */
export function createObserver(
  acting: Strategy,
  seed: string,
  note: (line: string) => void,
): Strategy {
  return defineStrategy({
    name: acting.name,
    contract: 1,
    description: `${acting.description} Looks at everything.`,
    scopes: [...acting.scopes],
    params: acting.params,
    state: acting.state ?? seen,
    warmup: (params) => acting.warmup?.(params) ?? 0,
    setup: (ctx) => {
      const own = acting.state === undefined ? (ctx.state as StateHandle<Seen>) : undefined;
      return merge(acting.setup(ctx as never), observe(ctx as never, { seed, state: own, note }));
    },
  });
}

interface ObserverParts {
  seed: string;
  /** Undefined where the strategy has another. */
  state: StateHandle<Seen> | undefined;
  note: (line: string) => void;
}

function observe(ctx: StrategyContext, { seed, state, note }: ObserverParts): Observable<never> {
  const random = createRandom(`observer ${seed} ${ctx.wallet} ${ctx.symbol}`);
  const about = `${ctx.wallet} ${ctx.symbol}`;
  const noted = (name: string) =>
    tap({
      next: (value: unknown) => note(`${about} ${name} ${ctx.now()} ${JSON.stringify(value)}`),
      error: (error: unknown) => note(`${about} ${name} fails: ${String(error)}`),
      complete: () => note(`${about} ${name} ends`),
    });
  const { symbol } = ctx;
  const chosen = INTERVALS[Math.floor(random.next() * INTERVALS.length)]!;
  const depth = random.next() < 0.5 ? undefined : 1 + Math.floor(random.next() * 50);
  const indicators = Array.from(
    { length: INDICATORS },
    (): IndicatorId => INDICATOR_IDS[Math.floor(random.next() * INDICATOR_IDS.length)]!,
  );
  const bars$ = ctx.candles(symbol, chosen).pipe(
    tap((bar) => {
      ctx.plot('close', bar.close);
      ctx.plot('volume', bar.volume, { pane: 'volume' });
      if (ctx.liveness() !== 'live' || state === undefined) return;
      state.set({ bars: state.get().bars + 1, last: bar.close });
    }),
    map((bar) => [
      bar,
      ctx.isWarm(symbol, chosen),
      ctx.capital(),
      ctx.random(),
      ctx.liveness(),
      ctx.openOrders(symbol),
      state?.get(),
      ctx.instrument(symbol).roundPrice(bar.close, 'up'),
      ctx.instrument(symbol).roundSize(bar.volume),
    ]),
  );
  const sources: Array<Observable<unknown>> = [
    bars$.pipe(noted('bars')),
    ctx.candlesWithForming(symbol, '5m').pipe(noted('forming')),
    ctx.price(symbol).pipe(noted('price')),
    ctx.market(symbol).pipe(noted('market')),
    ctx.book(symbol, depth).pipe(noted('book')),
    ctx.capital$.pipe(noted('capital')),
    ctx.account$.pipe(noted('account')),
    ctx.position(symbol).pipe(noted('position')),
    ctx.balances$.pipe(noted('balances')),
    ctx.fills$.pipe(noted('fills')),
    ctx.orders$.pipe(noted('orders')),
    ctx.watch$.pipe(noted('watch')),
    ctx.executions$.pipe(noted('executions')),
    ctx.monitors$.pipe(noted('monitors')),
    ctx.outcomes$.pipe(noted('outcomes')),
    ctx.every('15m').pipe(noted('every')),
    interval(1_234_567, ctx.scheduler).pipe(noted('scheduler')),
    from(indicators).pipe(
      filter((id, at) => indicators.indexOf(id) === at),
      mergeMap((id) => ctx.indicator(symbol, chosen, id).pipe(noted(id))),
    ),
  ];
  // Only a perpetual pays funding.
  if (!symbol.includes('/')) sources.push(ctx.funding(symbol).pipe(noted('funding')));
  return merge(...sources).pipe(ignoreElements());
}
