import { describe, expect, test } from 'vitest';
import type { BookRecord, MarketRecord } from '../../../src/contract/index.ts';
import type { EngineEvent } from '../../../src/paper/core/Engine.ts';
import type { BookTape } from '../../../src/paper/feed/Tape.ts';
import { withTape } from '../../../src/paper/feed/withTape.ts';
import { createBench, feedOf, flat, MINUTE, START, walk } from '../engine/bench.ts';
import { openTestService } from '../core/openTestService.ts';
import { openTestSession } from '../core/openTestSession.ts';

const HOUR = 60 * MINUTE;
type Bench = ReturnType<typeof createBench>;
type Seen = { at: number } & Record<string, unknown>;

/** Collects the events of a channel with the time at which each came. */
function collect(bench: Bench, channel: string): Seen[] {
  const seen: Seen[] = [];
  const { push } = bench.events;
  bench.events.push = (...events: EngineEvent[]) => {
    for (const event of events)
      if (event.channel === channel)
        seen.push({ at: bench.engine.now, ...event.keys, ...(event.data as object) });
    return push.apply(bench.events, events);
  };
  return seen;
}

describe('markets', () => {
  const rates = [0.001, 0.002, 0.003];
  const settled = rates.map((_rate, at) => START + at * HOUR);
  const funding = {
    BTC: { time: Float64Array.from(settled), rate: Float64Array.from(rates) },
  };

  test('comes at each closed bar and settlement, with the rate that was settled last', () => {
    const feeds = [feedOf(walk(3, 40), { interval: '5m', stepMs: 5 * MINUTE })];
    const bench = createBench({ feeds, fundingRates: funding });
    const seen = collect(bench, 'markets');
    bench.engine.setMarketInterest({ ticks: [], bars: [], markets: ['BTC'] });
    bench.run(150);
    expect(seen.map(({ at }) => at)).toEqual(
      Array.from({ length: 30 }, (_none, at) => START + (at + 1) * 5 * MINUTE),
    );
    for (const { at, funding_rate, next_funding_time } of seen) {
      const index = settled.filter((time) => time <= at).length - 1;
      expect(funding_rate).toBe(rates[index]);
      expect(next_funding_time).toBe(settled[index + 1] ?? START + 3 * HOUR);
    }
  });

  test('comes at a settlement within a bar, too', () => {
    const feeds = [feedOf(walk(3, 3), { interval: '4h', stepMs: 4 * HOUR })];
    const bench = createBench({ feeds, fundingRates: funding });
    const seen = collect(bench, 'markets');
    bench.engine.setMarketInterest({ ticks: [], bars: [], markets: ['BTC'] });
    bench.run(120);
    expect(seen.map(({ at, funding_rate: rate }) => [at, rate])).toEqual([
      [START + HOUR, 0.002],
      [START + 2 * HOUR, 0.003],
    ]);
  });

  test('is not made as long as it has no subscriber', () => {
    const bench = createBench({ feeds: [feedOf(walk(3, 20))] });
    const seen = [collect(bench, 'markets'), collect(bench, 'orderbook')];
    bench.engine.setMarketInterest({ ticks: ['BTC'], bars: [] });
    bench.run(10);
    expect(seen).toEqual([[], []]);
  });
});

describe('orderbook', () => {
  type Level = readonly [price: number, size: number];
  const booksOf = (
    books: ReadonlyArray<readonly [ms: number, bid: Level, ask: Level]>,
  ): BookTape => ({
    kind: 'rows',
    depth: 1,
    time: Float64Array.from(books, ([ms]) => START + 5 * MINUTE + ms),
    cells: Float64Array.from(books.flatMap(([, bid, ask]) => [...bid, ...ask])),
  });

  test('shows the recorded book of its time, when it has changed, ten times a second at most', () => {
    const candles = feedOf(flat(100, 10));
    const changes = Array.from(
      { length: 100 },
      (_none, at) => [at * 20, [99, 1 + Math.floor(at / 50)], [101, 2]] as const,
    );
    const book = booksOf([...changes, [4 * MINUTE, [99, 3], [101, 2]]]);
    const feed = withTape({ symbol: 'BTC', interval: '1m', candles }, { trades: null, book })!;
    const bench = createBench({ feeds: [feed] });
    bench.run(5);
    const seen = collect(bench, 'orderbook');
    bench.engine.setMarketInterest({ ticks: [], bars: [], books: [{ symbol: 'BTC', depth: 3 }] });
    bench.engine.advanceTo(START + 5 * MINUTE + 3_000);
    expect(seen.map(({ bids, source }) => [bids, source])).toEqual([
      [[[99, 1]], 'recorded'],
      [[[99, 2]], 'recorded'],
    ]);
    // The second size was recorded after a second, and not shown before.
    expect(seen[1]!.at).toBeGreaterThanOrEqual(START + 5 * MINUTE + 1_000);
    expect(seen[1]!.at).toBeLessThan(START + 5 * MINUTE + 1_300);
  });

  test('is synthesised and says so where no book was recorded, each depth on its own', () => {
    const bench = createBench({ feeds: [feedOf(walk(5, 20))] });
    const seen = collect(bench, 'orderbook');
    const books = [3, 7].map((depth) => ({ symbol: 'BTC', depth }));
    bench.engine.setMarketInterest({ ticks: [], bars: [], books });
    bench.run(5);
    expect(seen.length).toBeGreaterThan(10);
    for (const { depth, bids, asks, source } of seen as unknown as Array<
      BookRecord & { depth: number }
    >) {
      // Levels that fall on one price are one level.
      expect(bids.length).toBeLessThanOrEqual(depth);
      expect(asks.length).toBeGreaterThan(depth / 2);
      expect(source).toBe('synthesised');
      expect(bids[0]![0]).toBeLessThan(asks[0]![0]);
    }
  });
});

test('a session gets a snapshot at once, and of a book the depth that it subscribed', () => {
  const service = openTestService();
  const session = openTestSession(service);
  const open = (params: object): void =>
    void session.send({ id: 's', op: 'subscribe', channel: 'orderbook', params });
  open({ symbol: 'BTC' });
  open({ symbol: 'BTC', depth: 2 });
  session.send({ id: 's', op: 'subscribe', channel: 'markets', params: { symbol: 'BTC' } });
  service.core.engine.advanceTo(service.core.engine.now + 3 * MINUTE);
  const shown = new Map<string, Set<number>>();
  for (const { params, data } of session.frames('orderbook')) {
    const key = String(params.depth);
    shown.set(key, (shown.get(key) ?? new Set()).add(data.bids.length));
  }
  expect(shown).toEqual(
    new Map([
      ['undefined', new Set([10])],
      ['2', new Set([2])],
    ]),
  );
  const events = session.frames('markets').map(({ event, seq }) => [event, seq]);
  expect(events).toEqual([
    ['snapshot', 1],
    ['tick', 2],
    ['tick', 3],
    ['tick', 4],
  ]);
  const { data } = session.frames('markets').at(-1) as { data: MarketRecord };
  expect(service.ask('/v1/markets?symbol=BTC').body.items).toEqual([data]);
});
