import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../../src/paper/core/Engine.ts';
import type { SavedEngine } from '../../../src/paper/state/SavedEngine.ts';
import { createEngine, type EngineOptions } from '../../../src/paper/engine/createEngine.ts';
import type { Feed } from '../../../src/paper/feed/Feed.ts';
import type { BookTape, TradeTape } from '../../../src/paper/feed/Tape.ts';
import { withTape } from '../../../src/paper/feed/withTape.ts';
import { PaperMarket } from '../../../src/paper/market/PaperMarket.ts';
import { holdLaw } from '../../holdLaw.ts';
import { createBench, feedOf, flat, MINUTE, START } from '../engine/bench.ts';

/** A trade: milliseconds since the recorded bar opened, price, size. */
type Trade = readonly [ms: number, price: number, size?: number];

/** Bars at 100 come first; then the recording counts. */
const QUIET = 20;
const OPEN = START + QUIET * MINUTE;

function tradesOf(trades: readonly Trade[]): TradeTape {
  // One trade long before and one long after, so that the bars between are complete.
  const all: Trade[] = [[-1, 100, 1], ...trades, [3 * MINUTE + 1, 100, 1]];
  return {
    time: Float64Array.from(all, ([ms]) => OPEN + ms),
    price: Float64Array.from(all, ([, price]) => price),
    size: Float64Array.from(all, ([, , size = 10]) => size),
  };
}

type Level = readonly [price: number, size: number];
/** A book: milliseconds, bids and asks, best first. */
type Book = readonly [ms: number, bids: readonly Level[], asks: readonly Level[]];

function booksOf(books: readonly Book[]): BookTape {
  const last = books.at(-1)!;
  const all = [...books, [3 * MINUTE + 1, last[1], last[2]] as const];
  const depth = Math.max(...all.map(([, bids, asks]) => Math.max(bids.length, asks.length)));
  const cells = all.flatMap(([, bids, asks]) =>
    Array.from({ length: depth }, (_none, level) => [
      ...(bids[level] ?? [NaN, NaN]),
      ...(asks[level] ?? [NaN, NaN]),
    ]).flat(),
  );
  const time = Float64Array.from(all, ([ms]) => OPEN + ms);
  return { kind: 'rows', time, depth, cells: Float64Array.from(cells) };
}

function recorded(trades: readonly Trade[] | null, books: readonly Book[] | null = null): Feed {
  const candles = feedOf(flat(100, QUIET + 3));
  const made = {
    trades: trades === null ? null : tradesOf(trades),
    book: books === null ? null : booksOf(books),
  };
  return withTape({ symbol: 'BTC', interval: '1m', candles }, made)!;
}

/** A bench advanced to the first recorded bar. */
function opened(
  trades: readonly Trade[] | null,
  books: readonly Book[] | null = null,
  more: Partial<EngineOptions> = {},
) {
  const bench = createBench({ feeds: [recorded(trades, books)], ...more });
  bench.run(QUIET);
  return {
    ...bench,
    at: (ms: number) => bench.engine.advanceTo(OPEN + ms),
    price: () => {
      const { mark, bid, ask } = bench.engine.market.quote('BTC');
      return { mark, bid, ask };
    },
    fills: () =>
      bench
        .call('orders.fills')
        .items.map((fill: Record<string, unknown>) => [
          Number(fill['time']) - OPEN,
          fill['price'],
          fill['size'],
        ])
        .toReversed(),
  };
}

const BOOK: Book = [
  -10,
  [
    [99, 5],
    [98, 50],
  ],
  [
    [101, 5],
    [102, 10],
    [105, 100],
  ],
];

describe('the mark', () => {
  test('is the last trade’s price, constant between trades', () => {
    const { at, price } = opened([
      [1_000, 102],
      [1_000, 103],
      [5_000, 99],
    ]);
    expect(price().mark).toBe(100);
    at(999);
    expect(price().mark).toBe(100);
    at(1_000);
    expect(price().mark).toBe(103);
    at(4_999);
    expect(price().mark).toBe(103);
    at(5_000);
    expect(price().mark).toBe(99);
  });

  test('a trade at the instant of a boundary belongs to the bar that opens then', () => {
    const { at, price, engine } = opened([
      [30_000, 104],
      [MINUTE, 110],
    ]);
    at(MINUTE);
    expect(price().mark).toBe(104);
    const bars = engine.market.closedBars('BTC', '1m');
    expect(bars.close[bars.length - 1]).toBe(104);
    at(MINUTE + 1);
    expect(price().mark).toBe(110);
  });

  test('is the mid price if only the book was recorded', () => {
    const { at, price } = opened(null, [BOOK, [2_000, [[103, 1]], [[104, 1]]]]);
    at(1_000);
    expect(price()).toEqual({ mark: 100, bid: 99, ask: 101 });
    at(2_000);
    expect(price()).toEqual({ mark: 103.5, bid: 103, ask: 104 });
  });

  test('nothing of a bar is visible before it was traded', () => {
    const { at, engine } = opened([
      [10_000, 105, 2],
      [20_000, 95, 3],
      [50_000, 120, 4],
    ]);
    const forming = () => engine.market.formingBar('BTC', '1m');
    at(9_999);
    expect(forming()).toBeNull();
    at(20_000);
    expect(forming()).toMatchObject({ open: 105, high: 105, low: 95, close: 95, volume: 5 });
    at(MINUTE - 1);
    expect(forming()).toMatchObject({ high: 120, volume: 9 });
    at(MINUTE);
    const bars = engine.market.closedBars('BTC', '1m');
    expect(bars.high[bars.length - 1]).toBe(120);
  });
});

describe('quotes and book', () => {
  test('are the recording’s own, and synthetic after its end', () => {
    const { at, price, engine } = opened([[1_000, 100]], [BOOK]);
    at(10);
    expect(price()).toEqual({ mark: 100, bid: 99, ask: 101 });
    expect(engine.market.book('BTC', 2)).toEqual({
      bids: [
        [99, 5],
        [98, 50],
      ],
      asks: [
        [101, 5],
        [102, 10],
      ],
    });
    const before = createBench({ feeds: [recorded([[1_000, 100]], [BOOK])] });
    expect(before.engine.market.book('BTC', 2)).toBeNull();
    expect(before.engine.market.quote('BTC')).toMatchObject({ bid: 99.99, ask: 100.01 });
  });
});

describe('a resting order', () => {
  const buy = { side: 'buy', size: 4, order_type: 'limit', price: 98 };

  test('fills by trades through its price, not at it, up to their size', () => {
    const { at, order, fills } = opened([
      [1_000, 98, 50],
      [2_000, 97, 1.5],
      [3_000, 98, 50],
      [4_000, 97.5, 100],
    ]);
    order(buy);
    at(2 * MINUTE);
    expect(fills()).toEqual([
      [2_000, 98, 1.5],
      [4_000, 98, 2.5],
    ]);
  });

  test('fills by trades within one millisecond, even if the price reverts', () => {
    const { at, order, fills, price } = opened([
      [2_000, 99, 9],
      [2_000, 97, 1],
      [2_000, 96, 1],
      [2_000, 99, 9],
    ]);
    order(buy);
    at(2_000);
    expect(price().mark).toBe(99);
    expect(fills()).toEqual([[2_000, 98, 2]]);
  });

  test('fills by trades at its price too, if configured to fill on touch', () => {
    const trades: Trade[] = [
      [1_000, 98, 2],
      [2_000, 99, 9],
      [3_000, 97, 9],
    ];
    const { at, order, fills } = opened(trades, null, { touchFills: true });
    order(buy);
    at(2_500);
    expect(fills()).toEqual([[1_000, 98, 2]]);
  });

  test('keeps to its share of the bar, and continues with the next', () => {
    const { at, order, fills } = opened([
      [1_000, 97, 20],
      [2_000, 97, 10],
      [MINUTE + 5_000, 97, 50],
    ]);
    order(buy);
    at(2 * MINUTE);
    expect(fills()).toEqual([
      [1_000, 98, 3],
      [MINUTE + 5_000, 98, 1],
    ]);
  });

  test('is not filled by earlier trades of the same millisecond', () => {
    const wide: Book = [-10, [[90, 5]], [[110, 5]]];
    const { at, order, fills } = opened(
      [
        [1_000, 97, 40],
        [2_000, 96, 40],
      ],
      [wide],
    );
    at(1_000);
    order({ ...buy, price: 97.5 });
    at(1_999);
    expect(fills()).toEqual([]);
    at(2_000);
    expect(fills()).toEqual([[2_000, 97.5, 4]]);
  });

  test('two of them share the size of one trade', () => {
    const { at, order, fills } = opened([
      [1_000, 97, 3],
      [50_000, 100, 97],
    ]);
    order({ ...buy, size: 2 });
    order({ ...buy, size: 2 });
    at(MINUTE);
    expect(fills()).toEqual([
      [1_000, 98, 2],
      [1_000, 98, 1],
    ]);
  });

  test('a trade fills once on each side, and goes to the order that no other trade of its millisecond reaches', async () => {
    const [MOST, FAR] = [12, 1_000_000];
    const drawnTrade = fc.tuple(
      fc.constantFrom(1_000, 1_000, 1_000, 2_000),
      fc.integer({ min: 90, max: 110 }),
      fc.integer({ min: 1, max: MOST }),
    );
    const drawnOrder = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      /** Below zero it crosses, and a trade may be one of both sides. */
      away: fc.integer({ min: -2, max: 7 }),
      size: fc.integer({ min: 1, max: MOST }),
    });
    const drawn = fc.record({
      trades: fc.array(drawnTrade, { minLength: 1, maxLength: 12 }),
      orders: fc.array(drawnOrder, { minLength: 1, maxLength: 8 }),
      savedAt: fc.constantFrom(null, 1_000, 1_500),
    });
    await holdLaw(150, drawn, ({ trades, orders, savedAt }) => {
      const sorted = trades.toSorted(([a], [b]) => a - b);
      // No share of the bar is in the way.
      const feed = recorded([[1, 100], ...sorted, [9_000, 100, FAR]]);
      const bench = createBench({ feeds: [feed] }, { balance: 1e9 });
      bench.engine.advanceTo(OPEN + 1);
      // It leaves nothing of the last bar's volume to take: all others wait for trades.
      bench.order({ side: 'buy', size: 100, order_type: 'market' });
      const placed = orders.map(({ side, away, size }, at) => {
        const price = side === 'buy' ? 100 - away : 100 + away;
        const { order_id: id } = bench.order({ side, size, order_type: 'limit', price });
        return { id: id as string, side, price, size, at, filled: 0 };
      });
      let { engine } = bench;
      if (savedAt !== null) {
        engine.advanceTo(OPEN + savedAt);
        const saved = JSON.parse(JSON.stringify(engine.save()));
        engine = createBench({ feeds: [feed], saved }).engine as typeof engine;
      }
      engine.advanceTo(OPEN + 3_000);

      for (const ms of [1_000, 2_000])
        for (const side of ['buy', 'sell'] as const) {
          const sign = side === 'buy' ? 1 : -1;
          // Lots of one, the nearest to the price from before first: those reach the fewest orders.
          const lots = sorted
            .filter(([at]) => at === ms)
            .flatMap(([, price, size = 0]) => Array.from({ length: size }, () => price))
            .toSorted((a, b) => sign * (b - a));
          const queue = placed
            .filter((order) => order.side === side)
            .toSorted((a, b) => sign * (b.price - a.price) || a.at - b.at);
          for (const order of queue)
            while (order.filled < order.size) {
              const lot = lots.findIndex((price) => sign * (order.price - price) > 0);
              if (lot < 0) break;
              lots.splice(lot, 1);
              order.filled++;
            }
        }
      const [, ...records] = engine.save().accounts[0]!.orders;
      const filled = Object.fromEntries(
        records.map(([id, { record }]) => [id, record.filled_size]),
      );
      expect(filled).toEqual(Object.fromEntries(placed.map((order) => [order.id, order.filled])));
    });
  });

  test('agrees with a naive model of the trades, for any trades and step sizes', () => {
    const trade = fc.tuple(
      fc.integer({ min: 0, max: 3 * MINUTE - 1 }),
      fc.integer({ min: 90, max: 110 }),
      fc.integer({ min: 1, max: 40 }),
    );
    fc.assert(
      fc.property(
        fc.array(trade, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 92, max: 99 }),
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.integer({ min: 1, max: 3 * MINUTE }), { maxLength: 8 }),
        (trades, price, size, steps) => {
          const sorted = trades.toSorted(([a], [b]) => a - b);
          const { at, order, fills } = opened(sorted);
          order({ side: 'buy', size, order_type: 'limit', price });
          for (const step of steps.toSorted((a, b) => a - b)) at(step);
          at(3 * MINUTE);
          expect(fills()).toEqual(naiveFills(sorted, price, size));
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Volume traded below the price, by millisecond, within a tenth of the bar's volume. */
function naiveFills(trades: readonly Trade[], price: number, size: number): number[][] {
  const fills: number[][] = [];
  const used = new Map<number, number>();
  let left = size;
  // A trade at exactly the open counts a millisecond later.
  const timeOf = (at: number): number => (at % MINUTE === 0 ? at + 1 : at);
  for (const ms of new Set(trades.map(([at]) => timeOf(at)))) {
    const bar = Math.floor(ms / MINUTE);
    const sum = (of: (trade: Trade) => boolean) =>
      trades.filter(of).reduce((total, [, , amount = 0]) => total + amount, 0);
    const share = sum(([at]) => Math.floor(at / MINUTE) === bar) * 0.1 - (used.get(bar) ?? 0);
    const through = sum(([at, each]) => timeOf(at) === ms && each < price);
    const filled = Math.floor(Math.min(left, share, through) * 1e5 + 1e-6) / 1e5;
    if (filled <= 0) continue;
    used.set(bar, (used.get(bar) ?? 0) + filled);
    left = Math.round((left - filled) * 1e5) / 1e5;
    fills.push([ms, price, filled]);
  }
  return fills;
}

test('a limit order that crosses at the open of a recorded bar takes with its first trade', () => {
  const { at, order, call } = opened([[5_000, 100, 50]]);
  order({ side: 'buy', size: 1, order_type: 'limit', price: 100.01 });
  at(MINUTE);
  const [fill] = call('orders.fills').items;
  expect(fill).toMatchObject({ time: OPEN + 5_000, price: 100.01, liquidity: 'taker' });
});

describe('a taker', () => {
  const market = { side: 'buy', order_type: 'market', slippage_bps: 300 };

  test('walks the book, one fill per level at its price, within its bound', () => {
    const { at, order, fills } = opened([[1, 100]], [BOOK]);
    at(100);
    const placed = order({ ...market, size: 40 });
    expect(fills()).toEqual([
      [100, 101, 5],
      [100, 102, 10],
    ]);
    expect(placed).toMatchObject({
      status: 'cancelled',
      filled_size: 15,
      reject_reason: 'price_bound',
    });
    expect(placed.average_price).toBeCloseTo((101 * 5 + 102 * 10) / 15, 9);
  });

  test('sees the depth left by earlier fills, until the recording shows another size', () => {
    const { at, order, fills } = opened([[1, 100]], [BOOK, [5_000, [[99, 5]], [[101, 6]]]]);
    at(100);
    order({ ...market, size: 4 });
    order({ ...market, size: 3 });
    at(5_000);
    order({ ...market, size: 6 });
    expect(fills()).toEqual([
      [100, 101, 4],
      [100, 101, 1],
      [100, 102, 2],
      [5_000, 101, 6],
    ]);
  });

  test('sees a level whole that was gone and returns with the size it had', () => {
    const gone: Book = [5_000, [[99, 5]], [[102, 10]]];
    const books = [BOOK, gone, [6_000, BOOK[1], BOOK[2]] as const];
    const { at, order, fills, engine } = opened([[1, 100]], books);
    at(100);
    order({ ...market, size: 5 });
    at(6_000);
    // Nobody has looked at the book since: what is saved is as if somebody had.
    const saved = JSON.parse(JSON.stringify(engine.save())) as SavedEngine;
    const restored = createBench({ feeds: [recorded([[1, 100]], books)], saved });
    for (const place of [order, restored.order]) place({ ...market, size: 6 });
    expect(fills()).toEqual([
      [100, 101, 5],
      [6_000, 101, 5],
      [6_000, 102, 1],
    ]);
    const fillsOf = (each: Engine) => each.save().accounts[0]!.fills;
    expect(fillsOf(restored.engine)).toEqual(fillsOf(engine));
  });

  test('skips levels traded through since the book was recorded, even if the price reverted', () => {
    const trades: Trade[] = [
      [1, 100],
      [1_000, 102, 1],
      [2_000, 98, 1],
      [3_000, 100, 1],
    ];
    const { at, order, fills, engine } = opened(trades, [BOOK, [5_000, BOOK[1], BOOK[2]]]);
    at(3_000);
    expect(engine.market.book('BTC', 2)).toEqual({
      bids: [[98, 50]],
      asks: [
        [102, 10],
        [105, 100],
      ],
    });
    order({ ...market, size: 2 });
    order({ ...market, side: 'sell', size: 2 });
    at(5_000);
    order({ ...market, size: 2 });
    expect(fills()).toEqual([
      [3_000, 102, 2],
      [3_000, 98, 2],
      [5_000, 101, 2],
    ]);
  });

  test('takes nothing inside a crossed book', () => {
    const crossed: Book = [
      5_000,
      [
        [103, 5],
        [100.5, 7],
      ],
      [
        [101, 5],
        [104, 7],
      ],
    ];
    const { at, order, fills, price } = opened([[1, 100]], [BOOK, crossed]);
    at(5_000);
    expect(price()).toEqual({ mark: 100, bid: 100.5, ask: 104 });
    order({ ...market, side: 'buy', slippage_bps: 500, size: 6 });
    order({ ...market, side: 'sell', size: 6 });
    expect(fills()).toEqual([
      [5_000, 104, 6],
      [5_000, 100.5, 6],
    ]);
  });

  test('a limit order that crosses takes up to its price, and rests with the remainder', () => {
    const { at, order, fills, call } = opened(
      [
        [1, 100],
        [2_000, 101, 40],
      ],
      [BOOK],
    );
    at(100);
    const placed = order({ side: 'buy', size: 8, order_type: 'limit', price: 101.5 });
    expect(placed).toMatchObject({ status: 'open', filled_size: 5 });
    at(2_000);
    expect(fills()).toEqual([
      [100, 101, 5],
      [2_000, 101.5, 3],
    ]);
    expect(call('orders.fills').items).toMatchObject([
      { liquidity: 'maker' },
      { liquidity: 'taker' },
    ]);
  });

  test('a spot taker is limited by its cash', () => {
    const symbol = 'BTC/USDC';
    const feeds = [{ ...recorded([[1, 100]], [BOOK]), symbol }];
    const bench = createBench({ feeds }, { balance: 1_416 });
    bench.run(QUIET + 0.5);
    // At the best price alone 14 would cost 1414.8 with the fee; 9 of them are at 102.
    const { order_id: id } = bench.order({ ...market, symbol, size: 14 });
    const done = bench.call('orders.get', { pathParams: { id } });
    expect(done).toMatchObject({ status: 'cancelled', reject_reason: 'insufficient_balance' });
    expect(done.filled_size).toBeCloseTo(5 + (1_416 - 505 * 1.000_53) / (102 * 1.000_55), 4);
  });

  test('EXE-7: complete-at-market goes past the last level if necessary', () => {
    const { at, call, fills } = opened([[1, 100]], [BOOK]);
    at(100);
    const launched = call('executions.launch', {
      idempotencyKey: 'k',
      body: {
        algo: 'pacemaker',
        symbol: 'BTC',
        side: 'buy',
        total_size: 200,
        params: { duration_seconds: 3_600 },
      },
    });
    const id = launched.execution_id;
    const done = call('executions.completeAtMarket', { pathParams: { id } });
    expect(done).toMatchObject({ status: 'completed', filled_size: 200 });
    const prices = fills().map(([, price]: number[]) => price);
    expect(prices.slice(-2)[0]).toBe(105);
    expect(prices.at(-1)).toBeGreaterThan(105);
  });

  test('post-only is checked against the recorded best price', () => {
    const { at, refusal, order } = opened([[1, 100]], [BOOK]);
    at(100);
    const body = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 101 };
    const postOnly = { ...body, time_in_force: 'post_only' };
    expect(refusal('orders.place', { body: postOnly })).toMatchObject({ code: 'would_cross' });
    expect(order({ ...postOnly, price: 100.9 })).toMatchObject({ status: 'open' });
  });
});

describe('price triggers', () => {
  test('LEG-1: a stop triggers on a trade at its trigger, and fills through the book', () => {
    const books: Book[] = [BOOK, [2_999, [[96, 20]], [[97, 20]]]];
    const { at, order, call, fills } = opened(
      [
        [1, 100],
        [3_000, 96, 5],
        [3_000, 97, 5],
      ],
      books,
    );
    at(100);
    order({ side: 'buy', size: 1, order_type: 'market', slippage_bps: 300 });
    call('positions.attachLegs', {
      pathParams: { symbol: 'BTC' },
      body: { stop_loss: { price: 96.5 } },
    });
    at(2_999);
    expect(fills()).toHaveLength(1);
    at(3_000);
    expect(fills()).toEqual([
      [100, 101, 1],
      [3_000, 96, 1],
    ]);
  });

  test('LEG-1: a stop does not fill at a bid that was traded through, but at the next recorded one', () => {
    const books: Book[] = [BOOK, [3_100, [[95, 20]], [[97, 20]]]];
    const { at, order, price, fills } = opened(
      [
        [1, 100],
        [3_000, 96, 5],
      ],
      books,
    );
    at(100);
    const entry = { side: 'buy', size: 1, order_type: 'market', slippage_bps: 300 };
    order({ ...entry, stop_loss: { price: 96.5 } });
    at(3_000);
    expect(price()).toEqual({ mark: 96, bid: 95.99, ask: 101 });
    expect(fills()).toHaveLength(1);
    at(3_100);
    expect(fills()).toEqual([
      [100, 101, 1],
      [3_100, 95, 1],
    ]);
  });

  /** A monitor's count of firings, and a way to read it. */
  function monitored(
    trades: readonly Trade[],
    trigger: { price: number; direction: 'above' | 'below' },
    armedAt = 0,
  ) {
    const bench = opened(trades, [[-10, [[90, 500]], [[110, 500]]]]);
    bench.at(armedAt);
    const request = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' };
    const { monitor_id: id } = bench.call('monitors.create', {
      body: {
        trigger: { type: 'price_level', symbol: 'BTC', ...trigger },
        action: { type: 'order', request: { ...request, slippage_bps: 5_000 } },
        rearm: true,
      },
    });
    const fired = (): number => bench.call('monitors.get', { pathParams: { id } }).fired_count;
    return { ...bench, fired };
  }

  test.each([
    ['above', 101, 102],
    ['below', 99, 98],
  ] as const)(
    'MON-1: a monitor %s fires at a trade beyond its level, even if the price reverts in that millisecond',
    (direction, price, beyond) => {
      const { at, fired } = monitored(
        [
          [1_000, beyond],
          [1_000, 100],
          [9_000, beyond],
        ],
        { price, direction },
      );
      at(999);
      expect(fired()).toBe(0);
      at(1_000);
      expect(fired()).toBe(1);
      at(8_999);
      expect(fired()).toBe(1);
      at(9_000);
      expect(fired()).toBe(2);
    },
  );

  test.each([
    ['above', 101, 102],
    ['below', 99, 98],
  ] as const)(
    'MON-1: a monitor %s that is crossed when it is created needs one trade on the other side',
    (direction, price, beyond) => {
      const { at, fired } = monitored(
        [
          [1_000, beyond],
          // The level itself is no other side.
          [2_000, price],
          [2_000, beyond],
          [3_000, 100],
          [3_000, beyond],
          [9_000, beyond],
        ],
        { price, direction },
        1_500,
      );
      at(2_999);
      expect(fired()).toBe(0);
      at(3_000);
      expect(fired()).toBe(1);
      at(9_000);
      expect(fired()).toBe(1);
    },
  );

  test('POS-3: an unwinding stop fires at a trade beyond its trigger that reverts at once', () => {
    const { at, order, call } = opened(
      [
        [1, 100],
        [3_000, 96, 5],
        [3_000, 100, 5],
      ],
      [[-10, [[99, 500]], [[101, 500]]]],
    );
    at(100);
    order({ side: 'buy', size: 2, order_type: 'market', slippage_bps: 300 });
    const unwind = { exit_style: 'algo_unwind', unwind_algo: 'pacemaker' };
    const stop_loss = { price: 97, ...unwind, unwind_params: { duration_seconds: 60 } };
    call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body: { stop_loss } });
    at(2_999);
    expect(call('executions.list').items).toEqual([]);
    at(3_000);
    expect(call('executions.list').items).toMatchObject([{ algo: 'pacemaker', side: 'sell' }]);
  });

  test.each([
    ['buy', 'cross', 90],
    ['sell', 'cross', 110],
    ['buy', 'isolated', 90],
    ['sell', 'isolated', 110],
  ] as const)(
    'a %s of %s margin is liquidated by a trade, even if the price reverts in that millisecond',
    (side, mode, price) => {
      const trades: Trade[] = [
        [1, 100],
        [3_000, price],
        [3_000, 100],
      ];
      const btc = recorded(trades, [[-10, [[99.9, 500_000]], [[100.1, 500_000]]]]);
      const eth = feedOf(flat(100, QUIET + 3), { symbol: 'ETH' });
      const { at, order, call, engine } = opened(null, null, { feeds: [btc, eth] });
      engine.addAccount('poor', 1_000);
      const wallet = 'poor';
      at(100);
      const pathParams = { symbol: 'BTC' };
      call('leverage.set', { wallet, pathParams, body: { leverage: 10, mode } });
      order({ side, size: 95, order_type: 'market' }, { wallet });
      order({ symbol: 'ETH', side: 'buy', size: 1, order_type: 'market' }, { wallet });
      at(2_999);
      expect(call('positions.list', { wallet }).items).toHaveLength(2);
      at(3_000);
      // An isolated position is liquidated alone.
      const left = call('positions.list', { wallet }).items;
      expect(left).toMatchObject(mode === 'isolated' ? [{ symbol: 'ETH' }] : []);
      expect(left).toHaveLength(mode === 'isolated' ? 1 : 0);
    },
  );
});

test('a saved engine resumes in the middle of a recorded bar', () => {
  const feed = recorded(
    [
      [1_000, 99, 30],
      [20_000, 97, 1],
      [20_000, 96, 1],
      [40_000, 97, 30],
      [MINUTE + 1, 95, 90],
    ],
    [
      BOOK,
      [
        30_000,
        [[97, 4]],
        [
          [101, 5],
          [102, 10],
        ],
      ],
    ],
  );
  const first = createBench({ feeds: [feed] });
  first.run(QUIET);
  first.order({ side: 'buy', size: 9, order_type: 'limit', price: 98 });
  first.engine.advanceTo(OPEN + 100);
  first.order({ side: 'buy', size: 6, order_type: 'market', slippage_bps: 300 });
  first.engine.advanceTo(OPEN + 20_000);
  const saved = JSON.parse(JSON.stringify(first.engine.save())) as SavedEngine;
  const former = structuredClone(saved);
  const volume = former.market.symbols['BTC']!;
  expect([volume.tick, volume.taken]).toEqual([
    {
      time: OPEN + 20_000,
      below: [
        [97, 1],
        [96, 1],
      ],
      above: [],
    },
    [
      { side: 'ask', price: 101, size: 5, taken: 5 },
      { side: 'ask', price: 102, size: 10, taken: 1 },
    ],
  ]);
  // Files that were written before sides were kept.
  volume.tick = { time: OPEN + 20_000, size: 2 };
  for (const level of volume.taken) Reflect.deleteProperty(level, 'side');
  const [second, third] = [saved, former].map((each) =>
    createEngine({ feeds: [feed], instruments: { BTC: { price_decimals: 2 } }, saved: each }),
  ) as [Engine, Engine];
  const fillsOf = (engine: Engine) => engine.save().accounts[0]!.fills;
  for (const engine of [first.engine, second, third]) {
    engine.advanceTo(OPEN + 35_000);
    const body = { symbol: 'BTC', side: 'buy', size: 3, order_type: 'market', slippage_bps: 900 };
    engine.handlers['orders.place']!({
      endpoint: 'orders.place',
      pathParams: {},
      query: {},
      body,
      wallet: 'main',
      idempotencyKey: null,
      requireScope: () => {},
    });
    engine.advanceTo(OPEN + 4 * MINUTE);
  }
  expect(fillsOf(second)).toEqual(fillsOf(first.engine));
  expect(fillsOf(third)).toEqual(fillsOf(first.engine));
  expect(fillsOf(second)).toHaveLength(6);
});

test('a book advances during a minute without candles, and triggers are reached there', () => {
  const { time, ...columns } = feedOf(flat(100, QUIET + 6));
  const left = QUIET + 2;
  const without = (column: Float64Array) => column.filter((_value, at) => at !== left);
  const candles = {
    ...columns,
    time: without(time),
    open: without(columns.open),
    high: without(columns.high),
    low: without(columns.low),
    close: without(columns.close),
    volume: without(columns.volume),
  };
  const around = (price: number) => [[[price - 0.5, 1]], [[price + 0.5, 1]]] as const;
  const fall = 2 * MINUTE + 12_000;
  const book = booksOf([
    [-1, ...around(100)],
    [fall, ...around(95)],
    [fall + 30_000, ...around(100)],
  ]);
  const feed = withTape({ symbol: 'BTC', interval: '1m', candles }, { trades: null, book })!;
  const minimums = { minOrderValue: 10, algoMinValue: 10 };
  const market = new PaperMarket({
    feeds: [feed],
    instruments: {},
    fundingRates: {},
    halfSpreadBps: 1,
    minimums,
  });
  market.now = OPEN + MINUTE / 2;
  const stop = {
    symbol: 'BTC',
    price: 96,
    side: 'below',
    topic: 'leg',
    wallet: 'w',
    id: 's',
  } as const;
  market.watch(stop);
  // Asked from event to event, as the engine does.
  for (let until = OPEN + MINUTE; until < OPEN + fall; until += 10_000) {
    expect(market.nextReachTime(until)).toBe(Infinity);
    market.now = until;
  }
  market.now = market.nextReachTime(OPEN + 3 * MINUTE);
  expect(market.now).toBe(OPEN + fall);
  expect(market.takeReached()?.id).toBe('s');
});
