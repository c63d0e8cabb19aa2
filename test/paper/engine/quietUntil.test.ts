import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarketInterest } from '../../../src/paper/core/Engine.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { createBench, feedOf, flat, MINUTE, walk } from './bench.ts';

type Bench = ReturnType<typeof createBench>;

const feedsOf = (seed: number) => [
  feedOf(walk(`${seed} btc`, 120)),
  feedOf(walk(`${seed} eth`, 40, { price: 70 }), {
    symbol: 'ETH',
    interval: '3m',
    stepMs: 3 * MINUTE,
  }),
];

/** What a wallet may put to work: each has another reason to act later. */
const WORK = {
  limit: (bench: Bench, symbol: string) =>
    void bench.order({
      symbol,
      side: 'buy',
      size: 1,
      order_type: 'limit',
      price: near(bench, symbol, 0.99),
    }),
  trail: (bench: Bench, symbol: string) =>
    void bench.order({
      symbol,
      side: 'buy',
      size: 1,
      order_type: 'market',
      stop_loss: { trail: { pct: 1, interval: '3m' } },
    }),
  monitor: (bench: Bench, symbol: string) => {
    const trigger = {
      type: 'price_level',
      symbol,
      price: near(bench, symbol, 1.004),
      direction: 'above',
    };
    const request = { symbol, side: 'sell', size: 1, order_type: 'market' };
    bench.call('monitors.create', { body: { trigger, action: { type: 'order', request } } });
  },
  pacemaker: (bench: Bench, symbol: string) =>
    void bench.call('executions.launch', {
      body: {
        algo: 'pacemaker',
        symbol,
        side: 'buy',
        total_size: 20,
        params: { duration_seconds: 600, slices: 7 },
      },
    }),
  cancel: (bench: Bench) => void bench.call('orders.bulkCancel'),
  close: (bench: Bench, symbol: string) => {
    const held = bench.call('positions.list').items as Array<{ symbol: string }>;
    if (held.some((position) => position.symbol === symbol))
      bench.call('positions.close', { pathParams: { symbol } });
  },
};
/** A price on the grid at a share of the mark. */
const near = (bench: Bench, symbol: string, share: number): number =>
  Math.round(bench.engine.market.quote(symbol).mark * share * 10) / 10;

const step = fc.record({
  work: fc.option(fc.constantFrom(...(Object.keys(WORK) as Array<keyof typeof WORK>)), { freq: 2 }),
  symbol: fc.constantFrom('BTC', 'ETH'),
  ahead: fc.integer({ min: 1, max: 15 * MINUTE }),
});

const INTERESTS: Readonly<Record<string, MarketInterest>> = {
  none: { ticks: [], bars: [] },
  closedBars: { ticks: [], bars: [{ symbol: 'ETH', interval: '3m', forming: false }] },
  ticks: { ticks: ['ETH'], bars: [] },
  forming: { ticks: [], bars: [{ symbol: 'BTC', interval: '5m', forming: true }] },
  markets: { ticks: [], bars: [], markets: ['ETH'] },
  books: { ticks: [], bars: [], books: [{ symbol: 'BTC', depth: 2 }] },
};

test('until then nothing happens but that bars close, and an engine that skips it goes on as one that did not', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    seed: fc.nat(999),
    interest: fc.constantFrom('none', 'closedBars', 'closedBars', ...Object.keys(INTERESTS)),
    steps: fc.array(step, { minLength: 4, maxLength: 14 }),
  });
  await holdLaw(24, drawn, ({ seed, interest, steps }) => {
    const [skips, walks] = [0, 1].map(() => createBench({ feeds: feedsOf(seed) })) as [
      Bench,
      Bench,
    ];
    for (const bench of [skips, walks]) {
      bench.engine.setMarketInterest(INTERESTS[interest]!);
      bench.run(20);
    }
    const ofBars = ({ event }: { event: string }): boolean => event === 'bar_closed';
    for (const { work, symbol, ahead } of steps) {
      if (work !== null) for (const bench of [skips, walks]) WORK[work](bench, symbol);
      const { now } = walks.engine;
      const limit = Math.min(now + ahead, walks.engine.endTime);
      const until = skips.engine.quietUntil(limit);
      expect(until).toBeGreaterThanOrEqual(now);
      expect(until).toBeLessThanOrEqual(limit);
      if (until > now) {
        const before = walks.events.length;
        skips.engine.skipTo(until);
        walks.engine.advanceTo(until);
        const during = walks.events.slice(before);
        tried.take(during.length > 0 ? 'bars closed meanwhile' : 'nothing meanwhile');
        expect(during.filter((event) => !ofBars(event))).toEqual([]);
      } else tried.take('no stretch');
      for (const { engine } of [skips, walks]) engine.advanceTo(limit);
    }
    const acted = ({ events }: Bench) => events.filter((event) => !ofBars(event));
    expect(acted(skips)).toEqual(acted(walks));
    expect(skips.engine.save()).toEqual(walks.engine.save());
  });
  expect(tried.rare(['bars closed meanwhile', 'nothing meanwhile', 'no stretch'], 1)).toEqual([]);
});

test('a stretch ends with the limit, or just before what comes first', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 300))] });
  const { engine } = bench;
  bench.run(5);
  const limit = engine.now + 10 * MINUTE;
  expect(engine.quietUntil(limit)).toBe(limit);
  expect(engine.quietUntil(engine.now)).toBe(engine.now);
  bench.engine.setMarketInterest({
    ticks: [],
    bars: [{ symbol: 'BTC', interval: '1m', forming: false }],
  });
  expect(engine.quietUntil(limit)).toBe(limit);
  bench.engine.setMarketInterest({ ticks: [], bars: [], markets: ['BTC'] });
  expect(engine.quietUntil(limit)).toBe(engine.now + MINUTE - 1);
  bench.engine.setMarketInterest({ ticks: [], bars: [] });
  const hour = Math.ceil(engine.now / (60 * MINUTE)) * 60 * MINUTE;
  // The hourly settlement changes nothing of a wallet that holds nothing.
  expect(engine.quietUntil(hour + 1)).toBe(hour + 1);
  bench.order({ side: 'buy', size: 1, order_type: 'market' });
  expect(engine.quietUntil(hour + 1)).toBe(hour - 1);
  expect(engine.quietUntil(hour - 1)).toBe(hour - 1);
});

test('an engine whose moves are recorded has no such stretch: each instant is recorded', () => {
  const times: number[] = [];
  const record = (change: object): void => void times.push(...Object.values(change));
  const bench = createBench({ feeds: [feedOf(flat(100, 30))], record });
  bench.run(5);
  const { now } = bench.engine;
  expect(times).toEqual([now]);
  expect(bench.engine.quietUntil(now + 10 * MINUTE)).toBe(now);
});
