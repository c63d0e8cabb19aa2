import {
  delay,
  distinctUntilChanged,
  filter,
  from,
  map,
  merge,
  mergeMap,
  scan,
  share,
  skip,
  take,
  tap,
  type Observable,
} from 'rxjs';
import {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  bollinger,
  closePosition,
  controlExecution,
  createMonitor,
  crossesOver,
  crossesUnder,
  ema,
  defineStrategy,
  launch,
  launchBasket,
  modifyOrder,
  pauseMonitor,
  placeOrder,
  setLeverage,
  shareRows,
  sma,
  stopLoss,
  stopMonitor,
  takeProfit,
  unwindBy,
  withIndicators,
  type Intent,
  type IntentMeta,
  type Interval,
  type Strategy,
} from 'trimtab';
import { z } from 'zod';
import { createRandom, type Random } from '../../../src/env/index.ts';
import type { StrategyContext } from '../../../src/strategy/StrategyContext.ts';

/** How a drawn strategy reads its bars; each is a way in which a faster walk could differ. */
export const SHAPES = [
  'plain',
  'stateful',
  'own',
  'rows',
  'late',
  'timers',
  'fills',
  'throws',
  'gambles',
] as const;
export type Shape = (typeof SHAPES)[number];

export interface ActorOptions {
  seed: string;
  shape: Shape;
  interval: Interval;
  /** Share of the bars on which it acts. */
  activity: number;
  /** How randomly it slices; default: 0.3. What is drawn depends on how many executions there were before. */
  randomize?: number;
}

interface Acting {
  ctx: StrategyContext;
  seed: string;
  interval: Interval;
  randomize: number;
  /** Refs of what it opened, newest last. */
  orders: string[];
  launches: string[];
  monitors: string[];
}

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random.next() * values.length)]!;

/**
 * A strategy that does anything that the interface allows, drawn from a seed and the bar: all orders, legs, algorithms,
 * monitors and baskets. What it knows goes into the note of each intent, so that a run in which the context said
 * something else is another run.
 */
export function createActor(options: ActorOptions): Strategy {
  const { seed, shape, interval, activity, randomize = 0.3 } = options;
  return defineStrategy({
    name: `actor-${shape}`,
    contract: 1,
    description: 'Decides at random, the same on the same bar.',
    params: z.object({}),
    scopes: ['trade', 'algo'],
    warmup: () => (shape === 'late' ? 0 : 10),
    setup(ctx): Observable<Intent> {
      const acting: Acting = {
        ctx: ctx as StrategyContext,
        seed,
        interval,
        randomize,
        orders: [],
        launches: [],
        monitors: [],
      };
      const parts = ctx.symbols.map((symbol) => actOn(symbol, shape, activity, acting));
      return merge(...parts);
    },
  }) as Strategy;
}

function actOn(symbol: string, shape: Shape, activity: number, acting: Acting): Observable<Intent> {
  const { ctx, seed, interval } = acting;
  const drawAt = (time: number, name: string): Random =>
    createRandom(`${seed} ${symbol} ${name} ${time}`);
  const act = (time: number, price: number, name = 'bar'): Intent[] => {
    const random = drawAt(time, name);
    return random.next() < activity ? [decide(random, symbol, price, acting)] : [];
  };
  const bars$ = ctx.candles(symbol, interval);
  const onBars$ = bars$.pipe(mergeMap((bar) => from(act(bar.time, bar.close))));
  switch (shape) {
    case 'plain':
      return onBars$;
    case 'stateful': {
      let last = 0;
      const sums$ = bars$.pipe(
        tap(({ close }) => (last = close)),
        scan((sum, bar) => sum * 0.9 + bar.close, 0),
      );
      const paid$ = ctx.account$.pipe(
        map(({ funding_paid }) => funding_paid),
        distinctUntilChanged(),
        skip(1),
      );
      return merge(
        sums$.pipe(mergeMap((sum) => from(act(ctx.now(), sum / 10)))),
        paid$.pipe(map(() => decide(drawAt(ctx.now(), 'paid'), symbol, last, acting))),
      );
    }
    case 'own': {
      const rows$ = bars$.pipe(withIndicators({ fast: sma(3), slow: sma(8) }), share());
      const crossed$ = rows$.pipe(
        crossesOver(
          (row: { fast: number }) => row.fast,
          (row: { slow: number }) => row.slow,
        ),
      );
      const looking$ = rows$.pipe(
        filter(({ fast }) => fast > 0),
        mergeMap(({ bar }) => from(act(bar.time, bar.close, 'row'))),
      );
      return merge(
        crossed$.pipe(mergeMap(({ bar }) => from(act(bar.time, bar.close, 'cross')))),
        looking$.pipe(filter((_intent, index) => index % 3 === 0)),
      );
    }
    case 'rows': {
      // Looked through for the next row that crosses, but for the last, whose reader counts its calls.
      let reads = 0;
      const rows$ = bars$.pipe(
        withIndicators({ fast: sma(3), slow: ema(9), bands: bollinger({ period: 8 }) }),
        shareRows(),
      );
      const crosses$ = [
        rows$.pipe(
          crossesOver(
            ({ fast }) => fast,
            ({ slow }) => slow,
          ),
        ),
        rows$.pipe(
          crossesUnder(
            (row) => row.bar.close,
            ({ bands }) => bands.lower,
          ),
        ),
        bars$.pipe(
          withIndicators({ fast: sma(3), slow: sma(12) }),
          crossesUnder(
            ({ fast }) => fast,
            ({ slow: line }) => line,
          ),
        ),
        ...(drawAt(0, 'counts').next() < 0.3
          ? [
              bars$.pipe(
                withIndicators({ slow: ema(9) }),
                crossesOver(
                  ({ bar }) => bar.close + (reads++ % 2),
                  ({ slow }) => slow,
                ),
              ),
            ]
          : []),
      ];
      return merge(
        ...crosses$.map((cross$, at) =>
          cross$.pipe(mergeMap(({ bar }) => from(act(bar.time, bar.close, `cross ${at}`)))),
        ),
      );
    }
    case 'late':
      // A second subscriber comes when the first has read some bars.
      return merge(
        onBars$,
        bars$.pipe(
          skip(20),
          take(1),
          mergeMap(() => ctx.candles(symbol, interval)),
          mergeMap((bar) => from(act(bar.time, bar.close, 'late'))),
        ),
      );
    case 'timers': {
      const delayed$ = bars$.pipe(
        filter(({ time }) => drawAt(time, 'delay').next() < 0.2),
        delay(17_321, ctx.scheduler),
        mergeMap(({ time, close }) => from(act(time, close, 'delayed'))),
      );
      const ticks$ = ctx
        .every('1h')
        .pipe(mergeMap(({ time }) => from(act(time, priceOf(acting, symbol), 'hour'))));
      return merge(onBars$, delayed$, ticks$);
    }
    case 'fills': {
      const fills$ = ctx.fills$.pipe(
        filter((fill) => fill.symbol === symbol),
        mergeMap((fill) => from(act(fill.time, fill.price, `fill ${fill.side}`))),
      );
      const price$ = ctx.price(symbol).pipe(
        filter((_price, index) => index % 7 === 0),
        mergeMap(({ mark }) => from(act(ctx.now(), mark, 'price'))),
      );
      return merge(onBars$, fills$, price$);
    }
    case 'gambles':
      // As much as the margin carries: wild prices liquidate it.
      return bars$.pipe(
        filter((_bar, index) => index % 10 === 0),
        mergeMap(({ close }): Intent[] => {
          const side = drawAt(0, 'bet').next() < 0.5 ? 'buy' : 'sell';
          const size = ctx.instrument(symbol).roundSize((ctx.capital() * 9) / close);
          return size > 0 ? [placeOrder.market({ symbol, side, size, slippage_bps: 500 })] : [];
        }),
      );
    case 'throws':
      return onBars$.pipe(
        tap(() => {
          if (drawAt(ctx.now(), 'throw').next() < 0.02) throw new Error('drawn');
        }),
        map((intent) => intent),
      );
  }
}

function priceOf({ ctx }: Acting, symbol: string): number {
  return ctx.instrument(symbol).roundPrice(100 + (ctx.capital() % 10));
}

/** What the context says now. */
function noteOf({ ctx, orders }: Acting, symbol: string): string {
  const open = ctx.openOrders(symbol).map(({ order_id, size }) => `${order_id} ${size}`);
  const last = orders.at(-1);
  const view = last === undefined ? '' : JSON.stringify(ctx.byRef(last)).slice(0, 60);
  const liveness = ctx.liveness();
  return [ctx.now(), ctx.capital(), ctx.random(), liveness, ...open.slice(0, 3), view]
    .join(' ')
    .slice(0, 200);
}

function decide(random: Random, symbol: string, price: number, acting: Acting): Intent {
  const { ctx, orders, launches, monitors, interval, randomize } = acting;
  const { roundPrice, roundSize } = ctx.instrument(symbol);
  const side = pick(random, ['buy', 'sell'] as const);
  const size = Math.max(roundSize((30 + random.next() * 4_000) / price), roundSize(60 / price));
  const near = (bps: number): number => roundPrice(price * (1 + bps / 10_000));
  const off = (from: number, until: number): number => near(from + random.next() * (until - from));
  const below = side === 'buy' ? -1 : 1;
  const meta: IntentMeta = { note: noteOf(acting, symbol) };
  const named = (list: string[], name: string): IntentMeta => {
    const ref = `${name}-${symbol.replace('/', '')}-${list.length}-${ctx.now()}`;
    list.push(ref);
    return { ...meta, ref };
  };
  const legs = () => {
    const stop_loss = pick(random, [
      undefined,
      stopLoss.price(off(below * 20, below * 80)),
      stopLoss.trail({ pct: 0.2 + random.next() * 2, interval }),
      stopLoss.trail({ indicator: 'atr', mult: 2, interval, params: { period: 5 } }),
      stopLoss.offset({ indicator: 'atr', mult: 1.5, interval, params: { period: 5 } }),
      stopLoss.at({ indicator: 'sma', interval, params: { period: 12 } }),
    ]);
    const take_profit = pick(random, [undefined, takeProfit.price(off(-below * 20, -below * 90))]);
    return {
      ...(stop_loss === undefined ? {} : { stop_loss }),
      ...(take_profit === undefined ? {} : { take_profit }),
    };
  };
  const level = { indicator: 'ema', params: { period: 9 }, interval } as const;
  const trigger = pick(random, [
    {
      type: 'price_level',
      symbol,
      price: off(-60, 60),
      direction: pick(random, ['above', 'below'] as const),
    } as const,
    {
      type: 'indicator_level',
      symbol,
      direction: pick(random, ['above', 'below'] as const),
      ...level,
    } as const,
  ]);
  const sliced = {
    algo: 'pacemaker',
    symbol,
    side,
    total_size: size,
    params: { duration_seconds: 120 },
  } as const;
  const launched = (): IntentMeta => named(launches, 'launch');
  const choices: ReadonlyArray<() => Intent> = [
    () => placeOrder.market({ symbol, side, size, ...legs() }, named(orders, 'order')),
    () => placeOrder.market({ symbol, side, size, ...legs() }, named(orders, 'order')),
    () =>
      placeOrder.limit(
        { symbol, side, size, price: off(below * -2, below * 30), ...legs() },
        named(orders, 'order'),
      ),
    () =>
      placeOrder.limit(
        { symbol, side, size, price: off(below * -2, below * 30) },
        named(orders, 'order'),
      ),
    () =>
      placeOrder.atLevel(
        { symbol, side, size, price_from: { ...level, track: true, min_move_bps: 1 } },
        named(orders, 'order'),
      ),
    () => modifyOrder({ ref: orders.at(-1) ?? 'none' }, { price: off(below, below * 30) }, meta),
    () => cancelOrder({ ref: orders.at(-1) ?? 'none' }, meta),
    () => bulkCancel({ symbol }, meta),
    () => attachTpsl(symbol, { stop_loss: stopLoss.trail({ pct: 0.5, interval }) }, meta),
    () =>
      attachTpsl(
        symbol,
        {
          take_profit: takeProfit.price(
            off(-30, 30),
            unwindBy.pacemaker({ duration_seconds: 120 }),
          ),
        },
        meta,
      ),
    () => closePosition.atMarket(symbol, {}, meta),
    () =>
      closePosition.byAlgo(symbol, { algo: 'pacemaker', params: { duration_seconds: 180 } }, meta),
    () => setLeverage(symbol, { leverage: pick(random, [2, 10, 20]), mode: 'cross' }, meta),
    () =>
      launch.pacemaker(
        {
          symbol,
          side,
          total_size: size,
          params: { duration_seconds: 600, slices: 5, randomize },
        },
        launched(),
      ),
    () =>
      launch.glidemaker(
        {
          symbol,
          side,
          total_size: size,
          params: { strategy: 'balanced', limit_price: near(-below * 40) },
        },
        launched(),
      ),
    () =>
      launch.ghostsweep(
        { symbol, side, total_size: size, params: { trigger_price: off(-30, 30) } },
        launched(),
      ),
    () =>
      launch.flowscale(
        {
          symbol,
          side,
          total_size: size,
          params: { participation: 0.1, max_duration_seconds: 900 },
        },
        launched(),
      ),
    () =>
      launch.flowband(
        { symbol, side, total_size: size, params: { band_low: near(-40), band_high: near(40) } },
        launched(),
      ),
    () =>
      launch.smartexit(
        {
          symbol,
          side,
          total_size: size,
          reduce_only: true,
          params: {
            stop_price: off(below * 10, below * 60),
            take_price: off(-below * 10, -below * 60),
          },
        },
        launched(),
      ),
    () => controlExecution.pause({ ref: launches.at(-1) ?? 'none' }, meta),
    () => controlExecution.resume({ ref: launches.at(-1) ?? 'none' }, meta),
    () => controlExecution.completeAtMarket({ ref: launches.at(-1) ?? 'none' }, meta),
    () => controlExecution.stop({ ref: launches.at(-1) ?? 'none' }, meta),
    () =>
      createMonitor(
        {
          trigger,
          action: {
            type: 'order',
            request: { order_type: 'market', symbol, side, size },
          },
          rearm: random.next() < 0.3,
        },
        named(monitors, 'monitor'),
      ),
    () => pauseMonitor({ ref: monitors.at(-1) ?? 'none' }, meta),
    () => stopMonitor({ ref: monitors.at(-1) ?? 'none' }, meta),
    () => launchBasket({ legs: [sliced, { ...sliced, total_size: roundSize(size * 1.5) }] }, meta),
  ];
  return pick(random, choices)();
}
