import fc from 'fast-check';
import { expect, test } from 'vitest';
import { barOpenTime, INTERVAL_MS, type Interval } from '../../../src/contract/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { createEngine } from '../../../src/paper/engine/createEngine.ts';
import type { EngineEvent } from '../../../src/paper/core/Engine.ts';
import { createBench, feedOf, flat, MINUTE, START, walk } from '../engine/bench.ts';

/** A feed with gaps, as real ones have. */
const holed = (seed: number, bars: number) =>
  feedOf(walk(seed, bars).map((row, index) => ((index * 7 + seed) % 11 === 0 ? null : row)));

test('longer bars equal a naive grouping of the feed, at every instant, gaps included', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.constantFrom<Interval>('1m', '3m', '5m', '15m', '1h'),
      (seed, interval) => {
        const feed = holed(seed, 150);
        const { market, advanceTo, startTime } = createEngine({ feeds: [feed] });
        for (let now = startTime; now <= startTime + 150 * MINUTE; now += 17 * MINUTE + 333) {
          advanceTo(now);
          const bars = market.closedBars('BTC', interval);
          const expected = new Map<number, number[]>();
          feed.time.forEach((time, index) => {
            const open = barOpenTime(time, interval);
            if (open + INTERVAL_MS[interval] > now || time + MINUTE > now) return;
            expected.set(open, [...(expected.get(open) ?? []), index]);
          });
          expect(bars.length).toBe(expected.size);
          [...expected].forEach(([open, rows], at) => {
            expect(bars.time[at]).toBe(open);
            expect(bars.open[at]).toBe(feed.open[rows[0]!]);
            expect(bars.close[at]).toBe(feed.close[rows.at(-1)!]);
            expect(bars.high[at]).toBe(Math.max(...rows.map((row) => feed.high[row]!)));
            expect(bars.low[at]).toBe(Math.min(...rows.map((row) => feed.low[row]!)));
            const volume = rows.reduce((sum, row) => sum + feed.volume[row]!, 0);
            expect(bars.volume[at]).toBeCloseTo(volume, 9);
          });
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('MKT-1: no readable value depends on the future', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 1, max: 89 }),
      (seed, cut) => {
        const rows = walk(seed, 90);
        const other = [...rows.slice(0, cut), ...walk(seed + 1, 90 - cut, { price: 300 })];
        const look = (feedRows: typeof rows) => {
          const { engine } = createBench({ feeds: [feedOf(feedRows)] });
          engine.advanceTo(START + cut * MINUTE);
          const { market } = engine;
          const copy = (interval: Interval) => {
            const { length, ...columns } = market.closedBars('BTC', interval);
            const shown = Object.values(columns).map((column) =>
              Array.from(column.slice(0, length)),
            );
            return [length, shown, market.formingBar('BTC', interval)];
          };
          const bars = market.closedBars('BTC', '5m');
          return [market.quote('BTC'), bars.length, copy('5m'), market.formingBar('BTC', '1m')];
        };
        expect(look(other)).toEqual(look(rows));
      },
    ),
    { numRuns: 50 },
  );
});

test('weekly bars start on Monday, daily ones at midnight UTC', () => {
  const start = START + 2 * 24 * 60 * MINUTE;
  const feed = feedOf(flat(100, 10 * 24), { interval: '1h', stepMs: 60 * MINUTE, start });
  const { market, advanceTo } = createEngine({ feeds: [feed] });
  advanceTo(start + 9 * 24 * 60 * MINUTE);
  expect(market.closedBars('BTC', '1w').time[0]).toBe(START);
  expect(market.closedBars('BTC', '1w').length).toBe(1);
  expect(market.closedBars('BTC', '1d').length).toBe(9);
});

test('an interval that the feed cannot build is refused', () => {
  const feed = feedOf(flat(100, 10), { interval: '3m', stepMs: 3 * MINUTE });
  const { market } = createEngine({ feeds: [feed] });
  for (const interval of ['1m', '5m'] as const) {
    expect(() => market.closedBars('BTC', interval)).toThrow(ServiceError);
  }
});

test('a bar that ends in a gap closes at its boundary, with its event', () => {
  const rows = [...flat(100, 3), null, null, ...flat(100, 5)];
  const { engine, events } = createBench({ feeds: [feedOf(rows)] });
  engine.setMarketInterest({
    ticks: [],
    bars: [{ symbol: 'BTC', interval: '5m', forming: false }],
  });
  engine.advanceTo(START + 5 * MINUTE - 1);
  expect(events).toEqual([]);
  expect(engine.market.formingBar('BTC', '5m')).toMatchObject({ time: START, volume: 3_000 });
  engine.advanceTo(START + 5 * MINUTE);
  expect(events).toMatchObject([
    {
      event: 'bar_closed',
      keys: { symbol: 'BTC', interval: '5m' },
      data: { time: START, closed: true },
    },
  ]);
});

test('only subscribed data is published; by default everything is', () => {
  const rows = walk(1, 10);
  const count = (
    interest?: Parameters<ReturnType<typeof createEngine>['setMarketInterest']>[0],
  ) => {
    const engine = createEngine({ feeds: [feedOf(rows)] });
    const received: EngineEvent[] = [];
    engine.listen((event) => received.push(event));
    if (interest !== undefined) engine.setMarketInterest(interest);
    engine.advanceTo(START + 10 * MINUTE);
    return Object.fromEntries(
      ['tick', 'bar_closed', 'bar_forming'].map((name) => [
        name,
        received.filter(({ event }) => event === name).length,
      ]),
    );
  };
  expect(count({ ticks: [], bars: [] })).toEqual({ tick: 0, bar_closed: 0, bar_forming: 0 });
  // Open, two extremes, close: four corners a bar; at its close nothing is forming.
  expect(count({ ticks: ['BTC'], bars: [] })).toEqual({ tick: 40, bar_closed: 0, bar_forming: 0 });
  const forming = { symbol: 'BTC', interval: '1m', forming: true } as const;
  expect(count({ ticks: [], bars: [forming] })).toEqual({
    tick: 0,
    bar_closed: 10,
    bar_forming: 30,
  });
  expect(count().tick).toBe(40);
});

test('two symbols run in time order', () => {
  const feeds = [feedOf(walk(1, 5)), feedOf(walk(2, 5), { symbol: 'ETH' })];
  const engine = createEngine({ feeds });
  const received: Array<[number, string]> = [];
  engine.listen(({ event, keys }) => {
    if (event === 'tick') received.push([engine.now, keys['symbol'] as string]);
  });
  engine.advanceTo(START + 5 * MINUTE);
  expect(received).toHaveLength(40);
  expect(received).toEqual(received.toSorted((a, b) => a[0] - b[0] || (a[1] < b[1] ? -1 : 1)));
});

test('time starts where every feed has a price, or as configured', () => {
  const late = feedOf(flat(50, 10), { symbol: 'ETH', start: START + 5 * MINUTE });
  const feeds = [feedOf(flat(100, 20)), late];
  const engine = createEngine({ feeds });
  expect(engine.startTime).toBe(START + 5 * MINUTE);
  expect(engine.market.closedBars('BTC', '1m').length).toBe(5);
  expect(engine.endTime).toBe(START + 20 * MINUTE);
  const warm = createEngine({ feeds, startTime: START + 7 * MINUTE });
  expect(warm.now).toBe(START + 7 * MINUTE);
  expect(warm.market.closedBars('ETH', '1m').length).toBe(2);
});
