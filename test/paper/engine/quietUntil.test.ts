import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/contract/durations.ts';
import type { MarketInterest } from '../../../src/paper/core/Engine.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { nextHourAfter } from '../../../src/paper/market/FundingSchedule.ts';
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
  market: (bench: Bench, symbol: string) =>
    void bench.order({ symbol, side: 'buy', size: 1, order_type: 'market' }),
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
/** A wallet that lost everything by a settlement opens no more. */
function refusalOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}
/** A price on the grid at a share of the mark. */
const near = (bench: Bench, symbol: string, share: number): number =>
  Math.round(bench.engine.market.quote(symbol).mark * share * 10) / 10;

const step = fc.record({
  work: fc.option(fc.constantFrom(...(Object.keys(WORK) as Array<keyof typeof WORK>)), { freq: 2 }),
  symbol: fc.constantFrom('BTC', 'ETH'),
  /** Milliseconds, or as far as the next full hour. */
  ahead: fc.option(fc.integer({ min: 1, max: 15 * MINUTE }), { freq: 4 }),
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
    // The last ends what is held, and all that was to act on it, at the first settlement.
    constantRate: fc.constantFrom(0.000_1, -0.003, 2_000),
    steps: fc.array(step, { minLength: 4, maxLength: 14 }),
  });
  await holdLaw(24, drawn, ({ seed, interest, constantRate, steps }) => {
    const rate = { constantRate, intervalMs: HOUR_MS };
    const fundingRates = { BTC: rate, ETH: rate };
    const create = () => createBench({ feeds: feedsOf(seed), fundingRates });
    const [skips, walks] = [create(), create()];
    for (const bench of [skips, walks]) {
      bench.engine.setMarketInterest(INTERESTS[interest]!);
      bench.run(20);
    }
    const ofBars = ({ event }: { event: string }): boolean => event === 'bar_closed';
    for (const { work, symbol, ahead } of steps) {
      if (work !== null) {
        const [code, ...others] = [skips, walks].map((bench) =>
          refusalOf(() => WORK[work](bench, symbol)),
        );
        expect(others).toEqual([code]);
      }
      const { now } = walks.engine;
      const last = ahead === null ? nextHourAfter(now) : now + ahead;
      const limit = Math.min(last, walks.engine.endTime);
      const until = skips.engine.quietUntil(limit);
      expect(until).toBeGreaterThanOrEqual(now);
      expect(until).toBeLessThanOrEqual(limit);
      if (until > now) {
        const before = walks.events.length;
        skips.engine.skipTo(until);
        walks.engine.advanceTo(until);
        const during = walks.events.slice(before);
        tried.take(during.length > 0 ? 'bars closed meanwhile' : 'nothing meanwhile');
        const [acted] = during.filter((event) => !ofBars(event));
        if (acted !== undefined) {
          tried.take(
            during.some(({ event }) => event === 'liquidation') ? 'liquidated' : 'settled',
          );
          expect([acted.event, until % HOUR_MS]).toEqual(['funding', 0]);
        }
      } else tried.take('no stretch');
      for (const { engine } of [skips, walks]) engine.advanceTo(limit);
    }
    const acted = ({ events }: Bench) => events.filter((event) => !ofBars(event));
    expect(acted(skips)).toEqual(acted(walks));
    expect(skips.engine.save()).toEqual(walks.engine.save());
  });
  const often = ['bars closed meanwhile', 'nothing meanwhile', 'no stretch', 'settled'];
  expect(tried.rare(often, 1)).toEqual([]);
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
  for (const later of [hour, hour + 1]) expect(engine.quietUntil(later)).toBe(hour);
  expect(engine.quietUntil(hour - 1)).toBe(hour - 1);
});

test('funding ends a stretch only where nothing else acts at its instant', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 300))] });
  const { engine } = bench;
  bench.order({ side: 'buy', size: 1, order_type: 'market' });
  const hour = engine.now + HOUR_MS;
  expect(engine.quietUntil(hour)).toBe(hour);
  const stop_loss = { trail: { pct: 1, interval: '1h' } };
  bench.run(1);
  bench.order({ side: 'buy', size: 1, order_type: 'market', stop_loss });
  expect(engine.quietUntil(hour)).toBe(hour - 1);
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
