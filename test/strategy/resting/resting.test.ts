import {
  concatMap,
  filter,
  ignoreElements,
  map,
  merge,
  of,
  pipe,
  tap,
  type Observable,
  type OperatorFunction,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runBacktest, type BacktestResult } from '../../../backtest/programs/index.ts';
import { rotated } from '../../tiers.ts';
import { testStrategy } from '../../../src/testing.ts';
import { createRandom } from '../../../src/env/index.ts';
import {
  defineStrategy,
  grid,
  keepOrders,
  quote,
  type Intent,
  type OwnOrderEvent,
  type Strategy,
  type StrategyContext,
} from '../../../src/index.ts';
import { inTurn } from '../../inTurn.ts';

const it = inTurn(2);

const about = {
  contract: 1,
  description: 'For a test.',
  scopes: ['trade'],
  params: z.object({}),
} as const;

interface Watched {
  strategy: Strategy;
  /** The orders that the strategy was shown, in their order. */
  orders: OwnOrderEvent['order'][];
}

function watched(setup: (ctx: StrategyContext) => Observable<Intent>): Watched {
  const orders: Watched['orders'] = [];
  const strategy = defineStrategy({
    ...about,
    name: 'resting',
    setup: (ctx) => {
      // A life sees what is open when it begins, and nothing of what ended before.
      orders.length = 0;
      return merge(
        setup(ctx as StrategyContext),
        ctx.orders$.pipe(
          tap(({ order }) => void orders.push(order)),
          ignoreElements(),
        ),
      );
    },
  });
  return { strategy, orders };
}

const feedOf = (seed: number, bars = 240) =>
  ({
    symbol: 'BTC',
    interval: '1m',
    generate: { seed, bars, start_price: 100, volatility_bps: 40, volume: 3 },
  }) as const;

/** A price that moves less than the distance of the orders in these tests. */
const calm = {
  symbol: 'BTC',
  interval: '1m',
  generate: { seed: 3, bars: 120, start_price: 100, volatility_bps: 2, volume: 3 },
} as const;

const accepted = ({ intents }: BacktestResult) =>
  intents.filter(({ outcome }) => outcome === 'accepted');

/** The position after each fill, and the furthest it went either way. */
function extremes({ fills }: BacktestResult): { high: number; low: number; end: number } {
  let [position, high, low] = [0, 0, 0];
  for (const { side, size } of fills) {
    position += side === 'buy' ? size : -size;
    high = Math.max(high, position);
    low = Math.min(low, position);
  }
  return { high, low, end: position };
}

/** The most orders of one slot that were open at a time. */
function mostOpen(orders: Watched['orders']): number {
  const open = new Map<string, Set<string>>();
  let most = 0;
  for (const { ref = '', order_id, status } of orders) {
    const slot = ref.slice(0, ref.lastIndexOf(':'));
    const ids = open.get(slot) ?? new Set();
    open.set(slot, ids);
    if (status === 'open') ids.add(order_id);
    else ids.delete(order_id);
    most = Math.max(most, ids.size);
  }
  return most;
}

/** Latencies, budgets and shares of volume under which answers, frames and fills cross. */
function drawn(seed: number) {
  const random = createRandom(`resting ${seed}`);
  const pick = <T>(...all: T[]): T => all[Math.floor(random.next() * all.length)]!;
  return {
    pick,
    config: (use: string) => ({
      name: 'resting',
      link: { kind: 'paper' as const },
      paper: {
        feeds: [feedOf(seed)],
        warmup: 0,
        balance: 1_000_000,
        volume_share: pick(0.02, 0.2, 1),
        fill_on_touch: pick(true, false),
        latency: {
          order_ms: pick(0, 20, 1_500, 20_000),
          cancel_ms: pick(0, 20, 1_500, 20_000),
          data_ms: pick(0, 0, 300),
        },
      },
      budget: { weight_per_minute: pick(40, 200, 2_000) },
      strategies: [{ use, name: use, symbols: ['BTC'], params: {} }],
    }),
  };
}

/** A part of them by rotation, all in a full run. */
const ALL_SEEDS = Array.from({ length: 48 }, (_none, index) => index + 1);
const SEEDS = rotated(ALL_SEEDS, 6);
/** A price is rounded by less. */
const TICK = 0.02;
/** Sums of sizes with five decimals. */
const SLACK = 1e-6;

describe('a quote', () => {
  test.each(SEEDS)(
    'never holds more than it may, whatever crosses on the way: %i',
    async (seed) => {
      const { pick, config } = drawn(seed);
      const max_position = pick(0.5, 2, 5);
      const options = {
        tolerance_bps: pick(0, 5, 50),
        top_up_below: pick(0, 0.5, 1),
        post_only: pick(true, false),
      };
      const [size, half] = [pick(0.5, 1, 3), pick(0, 3, 20)];
      const { strategy, orders } = watched((ctx) =>
        ctx.price('BTC').pipe(
          map(({ mark }) => ({
            bid: mark * (1 - half / 10_000),
            ask: mark * (1 + half / 10_000),
            size,
            max_position,
          })),
          quote(ctx, 'BTC', options),
        ),
      );
      const run = await runBacktest({ config: config('maker'), plugins: { maker: strategy } });
      const { high, low } = extremes(run);
      expect(high).toBeLessThanOrEqual(max_position + SLACK);
      expect(low).toBeGreaterThanOrEqual(-max_position - SLACK);
      expect(mostOpen(orders)).toBeLessThanOrEqual(1);
      expect(run.intents.length).toBeGreaterThan(2);
    },
  );

  it('trades both ways, and both bounds are reached', async () => {
    const { strategy } = watched((ctx) =>
      ctx.price('BTC').pipe(
        map(({ mark }) => ({ bid: mark * 0.9995, ask: mark * 1.0005, size: 1, max_position: 2 })),
        quote(ctx, 'BTC'),
      ),
    );
    const feeds = [feedOf(7, 2_000)];
    const run = await runBacktest({ strategy, feeds, balance: 1_000_000 });
    const { high, low } = extremes(run);
    expect([high, low]).toEqual([expect.closeTo(2, 6), expect.closeTo(-2, 6)]);
    expect(run.fills.length).toBeGreaterThan(50);
  });

  test('sends nothing while the price stays within the tolerance', async () => {
    const requests = async (tolerance_bps: number): Promise<number> => {
      const { strategy } = watched((ctx) =>
        ctx.price('BTC').pipe(
          map(({ mark }) => ({ bid: mark * 0.97, ask: mark * 1.03, size: 1, max_position: 2 })),
          quote(ctx, 'BTC', { tolerance_bps }),
        ),
      );
      return accepted(await runBacktest({ strategy, feeds: [calm], balance: 1_000_000 })).length;
    };
    // Two orders, and none of them moves.
    expect(await requests(150)).toBe(2);
    expect(await requests(0)).toBeGreaterThan(100);
  });

  test('withdraws what is not wanted any more', async () => {
    const { strategy, orders } = watched((ctx) =>
      ctx.candles('BTC', '1m').pipe(
        map(({ close }, bar) => {
          if (bar > 50) return null;
          return {
            bid: close * 0.97,
            ask: bar > 20 ? null : close * 1.03,
            size: 1,
            max_position: 2,
          };
        }),
        quote(ctx, 'BTC', { tolerance_bps: 150 }),
      ),
    );
    const run = await runBacktest({ strategy, feeds: [calm], balance: 1_000_000 });
    expect(accepted(run).map(({ kind }) => kind)).toEqual([
      'place_order',
      'place_order',
      'cancel_order',
      'cancel_order',
    ]);
    expect(orders.map(({ side, status }) => `${side} ${status}`)).toEqual([
      'buy open',
      'sell open',
      'sell cancelled',
      'buy cancelled',
    ]);
  });

  test('without a bound ends the strategy', async () => {
    const { strategy } = watched((ctx) =>
      ctx.price('BTC').pipe(
        map(({ mark }) => ({ bid: mark, ask: mark, size: 1, max_position: 0 })),
        quote(ctx, 'BTC'),
      ),
    );
    const run = runBacktest({ strategy, feeds: [calm] });
    await expect(run).rejects.toThrow(/max_position must be above 0, and it is 0/);
  });
});

describe('a grid', () => {
  const levelsOf = (count: number, step: number, size: number) =>
    Array.from({ length: count }, (_none, at) => {
      const buy = 100 * (1 - step * (at + 1));
      return { buy, sell: buy * (1 + step), size };
    });

  test.each(SEEDS)(
    'holds at most the sum of its levels, and never less than nothing: %i',
    async (seed) => {
      const { pick, config } = drawn(seed);
      const [count, step, size] = [pick(1, 3, 8), pick(0.002, 0.01), pick(0.3, 1, 4)];
      const levels = levelsOf(count, step, size);
      const { strategy, orders } = watched((ctx) => of(levels).pipe(grid(ctx, 'BTC')));
      const run = await runBacktest({ config: config('grid'), plugins: { grid: strategy } });
      const { high, low } = extremes(run);
      expect(high).toBeLessThanOrEqual(count * size + SLACK);
      expect(low).toBeGreaterThanOrEqual(-SLACK);
      expect(mostOpen(orders)).toBeLessThanOrEqual(1);
      // No level buys above its price, and none sells below it.
      const dearest = Math.max(...levels.map(({ buy }) => buy));
      const cheapest = Math.min(...levels.map(({ sell }) => sell));
      for (const { side, price } of run.fills) {
        if (side === 'buy') expect(price).toBeLessThan(dearest + TICK);
        else expect(price).toBeGreaterThan(cheapest - TICK);
      }
    },
  );

  it('buys low, sells high, and begins again', async () => {
    const { strategy } = watched((ctx) => of(levelsOf(5, 0.005, 1)).pipe(grid(ctx, 'BTC')));
    const run = await runBacktest({ strategy, feeds: [feedOf(11, 3_000)], balance: 1_000_000 });
    const bought = run.fills.filter(({ side }) => side === 'buy');
    const sold = run.fills.filter(({ side }) => side === 'sell');
    expect(sold.length).toBeGreaterThan(10);
    expect(bought.length).toBeGreaterThanOrEqual(5);
    // Nothing is sold that was not bought: each sale of perps only reduces.
    expect(sold.every(({ reduce_only }) => reduce_only)).toBe(true);
    // Levels above the market wait, and are tried less and less often.
    const causes = new Set(run.refusals.map(({ cause }) => cause));
    expect([...causes].toSorted()).toEqual([
      'data_age',
      'entry_gate',
      'price_collar',
      'would_cross',
    ]);
    expect(run.figures.intents.rejected).toBeLessThan(run.figures.intents.accepted);
  });
});

test('a grid moves and fills up orders whose acceptance it has just learned of', async () => {
  const { strategy } = watched((ctx) =>
    ctx.candles(ctx.symbol, '1h').pipe(
      map(({ close }) =>
        [1, 2, 3].map((at) => {
          const { roundPrice, roundSize } = ctx.instrument(ctx.symbol);
          const buy = roundPrice(close * (1 - 0.001 * at), 'down');
          const sell = roundPrice(close * (1 - 0.001 * (at - 1)), 'up');
          return { buy, sell, size: roundSize(1_000 / close) };
        }),
      ),
      grid(ctx, ctx.symbol),
    ),
  );
  const feed = { symbol: 'BTC', interval: '1m', generate: { seed: 7, bars: 6_000 } } as const;
  const { intents } = await runBacktest({ strategy, feeds: [feed] });
  expect(intents.filter(({ kind }) => kind === 'modify_order').length).toBeGreaterThan(99);
  expect(intents.filter(({ outcome }) => outcome === 'denied')).toEqual([]);
});

describe('a set of orders', () => {
  test('converges on what is wanted, with one request for each difference', async () => {
    const orders = (price: number) => [
      { slot: 'low', side: 'buy' as const, price: price * 0.97, size: 2 },
      { slot: 'high', side: 'sell' as const, price: price * 1.03, size: 1 },
    ];
    const sets = [orders(100), orders(100), [orders(100)[0]!], orders(101)];
    const seen = watched((ctx) =>
      ctx.candles('BTC', '1m').pipe(
        map((_bar, at) => sets[Math.min(at, sets.length - 1)]!),
        keepOrders(ctx, 'BTC'),
      ),
    );
    const run = await runBacktest({
      strategy: seen.strategy,
      feeds: [calm],
      balance: 1_000_000,
    });
    expect(accepted(run).map(({ kind }) => kind)).toEqual([
      'place_order',
      'place_order',
      'cancel_order',
      'modify_order',
      'place_order',
    ]);
    const last = new Map(seen.orders.map((order) => [order.order_id, order]));
    const open = [...last.values()].filter(({ status }) => status === 'open');
    expect(open.map(({ side, price, size }) => [side, price, size])).toEqual([
      ['buy', 97.97, 2],
      ['sell', 104.03, 1],
    ]);
  });

  test('an order below the smallest value is none, and one beyond a guard is tried less and less often', async () => {
    const orders = [
      { slot: 'dust', side: 'buy' as const, price: 50, size: 0.0001 },
      { slot: 'huge', side: 'buy' as const, price: 50, size: 1_000 },
    ];
    const { strategy } = watched((ctx) => of(orders).pipe(keepOrders(ctx, 'BTC')));
    const config = {
      name: 'one',
      link: { kind: 'paper' as const },
      paper: { feeds: [feedOf(3, 61)], warmup: 0 },
      guards: { max_order_notional: 1_000 },
      strategies: [{ use: 'it', name: 'it', symbols: ['BTC'], params: {} }],
    };
    const { intents } = await runBacktest({ config, plugins: { it: strategy } });
    expect(new Set(intents.map(({ outcome }) => outcome))).toEqual(new Set(['denied']));
    // 5, 10, 20 … 320 seconds apart within the hour.
    expect(intents.length).toBeGreaterThan(5);
    expect(intents.length).toBeLessThan(20);
  });
});

describe('after a restart of the strategy', () => {
  /** Its first life ends at a bar. */
  const broken = (life: (ctx: StrategyContext) => Observable<Intent>, at: number): Watched => {
    let lives = 0;
    return watched((ctx) => {
      const isFirst = ++lives === 1;
      const bug$ = ctx.candles('BTC', '1m').pipe(
        map((_bar, bar) => {
          if (isFirst && bar === at) throw new Error('a bug');
          return [];
        }),
        concatMap((none) => none),
      );
      return merge(life(ctx), bug$);
    });
  };
  const restarted = async (seed: number, { strategy }: Watched) => {
    const { config } = drawn(seed);
    const plain = config('it');
    const restart = { max: 1, backoff_seconds: 120 };
    const strategies = [{ ...plain.strategies[0]!, restart }];
    return runBacktest({ config: { ...plain, strategies }, plugins: { it: strategy } });
  };

  test.each(SEEDS)('a quote goes on with the orders that it finds: %i', async (seed) => {
    const seen = broken(
      (ctx) =>
        ctx.price('BTC').pipe(
          map(({ mark }) => ({ bid: mark * 0.999, ask: mark * 1.001, size: 1, max_position: 2 })),
          quote(ctx, 'BTC', { tolerance_bps: 5 }),
        ),
      20 + (seed % 20) * 7,
    );
    const { high, low } = extremes(await restarted(seed, seen));
    expect(high).toBeLessThanOrEqual(2 + SLACK);
    expect(low).toBeGreaterThanOrEqual(-2 - SLACK);
    expect(mostOpen(seen.orders)).toBe(1);
  });

  test.each(SEEDS)('a grid knows what its levels hold: %i', async (seed) => {
    const levels = [99.5, 99, 98.5, 98].map((buy) => ({ buy, sell: buy + 0.5, size: 1 }));
    const life = (ctx: StrategyContext): Observable<Intent> => of(levels).pipe(grid(ctx, 'BTC'));
    const seen = broken(life, 20 + (seed % 20) * 7);
    const { high, low } = extremes(await restarted(seed, seen));
    expect(high).toBeLessThanOrEqual(4 + SLACK);
    expect(low).toBeGreaterThanOrEqual(-SLACK);
    expect(mostOpen(seen.orders)).toBe(1);
  });
});

describe('a grid in a test', () => {
  const sizeOf = (mark: number): number => (mark === 100 ? 16 : 16.00003);
  const openGrid = (symbol: string, answers?: 'accept') => {
    const strategy = defineStrategy({
      ...about,
      name: 'resting',
      setup: (ctx) =>
        ctx.candles(symbol, '1m').pipe(
          filter(() => ctx.liveness() === 'live'),
          map(({ close }) =>
            [99, 98, 97].map((buy) => ({ buy, sell: buy + 1, size: sizeOf(close) })),
          ),
          grid(ctx as StrategyContext, symbol),
        ),
    });
    return testStrategy(strategy, { symbols: [symbol, 'ETH'], ...(answers && { answers }) });
  };
  const shown = ({ intents }: ReturnType<typeof openGrid>, from: number): string[] =>
    intents.slice(from).map((intent) => {
      if (intent.kind !== 'place_order') return intent.kind;
      const { side, size, price } = intent.request as { side: string; size: number; price: number };
      return `${side} ${size} at ${price}`;
    });

  test.each(['BTC', 'BTC/USDC'])(
    'counts what fills between a restart and the first target once: %s',
    (symbol) => {
      const bot = openGrid(symbol, 'accept').bars(symbol, '1m', [101]);
      bot.restart();
      bot.fill(bot.intents[0]!).fill(bot.intents[2]!, { size: 4 });
      const known = bot.intents.length;
      bot.bars(symbol, '1m', [101]);
      expect(bot.positionOf(symbol)?.size).toBe(20.00003);
      expect(shown(bot, known)).toEqual(['sell 16.00003 at 100', 'sell 4 at 98']);
    },
  );

  test('says nothing of a rest that is too small to be placed', () => {
    const bot = openGrid('BTC', 'accept').bars('BTC', '1m', [100]);
    bot.fill(bot.intents[0]!);
    const known = bot.intents.length;
    // Its size has grown by less than can be ordered.
    bot.bars('BTC', '1m', [101]);
    expect(shown(bot, known)).not.toContainEqual(expect.stringMatching(/^buy/));
    expect(bot.logs).toEqual([]);
  });

  test('that is told that there is no position bids again, and offers nothing more', () => {
    const bot = openGrid('BTC').bars('BTC', '1m', [100]);
    bot.fill(bot.intents[0]!);
    const sale = bot.intents.at(-1)!;
    expect(shown(bot, 3)).toEqual(['sell 16 at 100']);
    // Closed by someone else, in the instant of the fill.
    bot.foreignFill({ symbol: 'BTC', side: 'sell', price: 99, size: 16 });
    bot.outcome(sale, 'rejected', 'no_position');
    expect(shown(bot, 4)).toEqual([]);
    bot.advance('9s');
    expect(shown(bot, 4)).toEqual([]);
    bot.advance('1m');
    expect(shown(bot, 4)).toEqual(['buy 16 at 99']);
  });
});

test('an order that is too small to be placed is told once', () => {
  const strategy = defineStrategy({
    ...about,
    name: 'resting',
    setup: (ctx) =>
      ctx.price('BTC').pipe(
        map(({ mark }) => ({ bid: mark - 1, ask: mark + 1, size: 0.05, max_position: 1 })),
        quote(ctx, 'BTC'),
      ),
  });
  const { intents, logs } = testStrategy(strategy, { symbols: ['BTC'] })
    .price('BTC', 100)
    .price('BTC', 101);
  expect(intents).toHaveLength(0);
  expect(logs.map(({ message }) => message)).toEqual([
    'quote: buy 0.05 BTC at 99 in bid is not placed: an order is worth 10 at least, at a price above 0',
    'quote: sell 0.05 BTC at 101 in ask is not placed: an order is worth 10 at least, at a price above 0',
  ]);
});

test.each([
  ['long', 'buy', [], 1],
  ['short', 'sell', [], 1],
  ['nothing, and may hold too little', undefined, ['bid', 'ask'], 0.05],
] as const)(
  'what `max_position` leaves over is no news; of who holds %s',
  (_held, side, slots, max_position) => {
    const strategy = defineStrategy({
      ...about,
      name: 'resting',
      setup: (ctx) =>
        ctx.price('BTC').pipe(
          map(({ mark }) => ({ bid: mark - 1, ask: mark + 1, size: 0.5, max_position })),
          quote(ctx, 'BTC'),
        ),
    });
    const bot = testStrategy(strategy, { symbols: ['BTC'] });
    if (side !== undefined) bot.foreignFill({ symbol: 'BTC', side, price: 100, size: 0.95 });
    const { intents, logs } = bot.price('BTC', 100);
    const slotsReported = logs.map(({ message }) => / in (\w+) is not placed/.exec(message)?.[1]);
    expect(slotsReported).toEqual(slots);
    expect(intents).toHaveLength(side === undefined ? 0 : 1);
  },
);

test('what is left over of an order worth exactly the minimum, in decimal, is no news', () => {
  const strategy = defineStrategy({
    ...about,
    name: 'resting',
    setup: (ctx) =>
      ctx.price('BTC').pipe(
        // As doubles 0.7 × 11 is 7.699999999999999.
        map(() => ({ bid: 11, ask: 12, size: 0.7, max_position: 1 })),
        quote(ctx, 'BTC'),
      ),
  });
  const instruments = { BTC: { min_order_value: 7.7, size_decimals: 2 } };
  const bot = testStrategy(strategy, { symbols: ['BTC'], instruments });
  bot.foreignFill({ symbol: 'BTC', side: 'buy', price: 11.5, size: 0.95 });
  const { intents, logs } = bot.price('BTC', 11.5);
  expect(intents).toHaveLength(1);
  expect(logs).toEqual([]);
});

test.each<[string, (ctx: StrategyContext) => OperatorFunction<unknown, Intent>]>([
  [
    'max_position must be above 0, and it is 0',
    (ctx) =>
      pipe(
        map(() => ({ bid: 1, ask: 2, size: 1, max_position: 0 })),
        quote(ctx, 'BTC'),
      ),
  ],
  [
    'slot bid: its size is NaN; it must be a number',
    (ctx) =>
      pipe(
        map(() => ({ bid: 90, ask: 110, size: Number.NaN, max_position: 1 })),
        quote(ctx, 'BTC'),
      ),
  ],
  [
    'slot "a:b": use 1 to 40',
    (ctx) =>
      pipe(
        map(() => [{ slot: 'a:b', side: 'buy', price: 90, size: 1 } as const]),
        keepOrders(ctx, 'BTC'),
      ),
  ],
])('what cannot rest ends its strategy with a code: %s', (reason, operator) => {
  const setup = (ctx: StrategyContext): Observable<Intent> => ctx.price('BTC').pipe(operator(ctx));
  const strategy = defineStrategy({ ...about, name: 'resting', setup });
  const { faults } = testStrategy(strategy, { symbols: ['BTC'], onFault: 'list' }).price(
    'BTC',
    100,
  );
  expect(faults).toMatchObject([{ code: 'TRIMTAB_INDICATOR_PARAMETER' }]);
  expect(faults[0]!.reason).toContain(reason);
});
