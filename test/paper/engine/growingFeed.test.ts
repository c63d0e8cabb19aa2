import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGrowingFeed, generateFeed, type Feed } from '../../../src/paper/index.ts';
import { createEngine, type Engine, type EngineEvent } from '../../../src/paper/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { holdLaw } from '../../holdLaw.ts';
import { createBench, feedOf, MINUTE, START, walk } from './bench.ts';

const whole = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: 600,
  seed: 5,
  startTime: 1_735_689_600_000,
  startPrice: 60_000,
  volatilityBps: 20,
  volume: 50,
  outageEveryBars: 97,
});
const HISTORY = 100;

const barAt = (feed: Feed, at: number) => ({
  time: feed.time[at]!,
  open: feed.open[at]!,
  high: feed.high[at]!,
  low: feed.low[at]!,
  close: feed.close[at]!,
  volume: feed.volume[at]!,
});

function listen(engine: Engine): string[] {
  const seen: string[] = [];
  engine.listen(({ channel, event, keys, data }: EngineEvent) => {
    seen.push(JSON.stringify([engine.now, channel, event, keys, data]));
  });
  return seen;
}

test('an engine whose feed grows bar by bar reports what one with the whole feed does', () => {
  const startTime = whole.time[HISTORY]!;
  const instruments = { BTC: { price_decimals: 2 } };
  const growing = createGrowingFeed('BTC', '1m');
  for (let at = 0; at < HISTORY; at++) growing.append(barAt(whole, at));
  const one = createEngine({ feeds: [whole], startTime, instruments });
  const other = createEngine({ feeds: [growing.feed], startTime, instruments });
  const [expected, seen] = [listen(one), listen(other)];
  for (let at = HISTORY; at < whole.time.length; at++) {
    growing.append(barAt(whole, at));
    other.feedsGrew();
    expect(other.endTime).toBe(whole.time[at]! + MINUTE);
    other.advanceTo(other.endTime);
  }
  one.advanceTo(one.endTime);
  expect(expected.length).toBeGreaterThan(2_000);
  // Ticks at the corners of a path, bars in progress and closed ones, of every interval.
  expect(seen).toEqual(expected);
});

test('a bar that is not later than the last is left out', () => {
  const growing = createGrowingFeed('BTC', '1m');
  expect(growing.append(barAt(whole, 1))).toBe(true);
  expect(growing.append(barAt(whole, 1))).toBe(false);
  expect(growing.append(barAt(whole, 0))).toBe(false);
  expect(growing.feed.time.length).toBe(1);
});

test('orders that are placed as a bar closes, or within it, fill as in the whole feed, with the same fees', async () => {
  const [BARS, FIRST] = [30, 3];
  const drawnOrder = fc.record({
    wallet: fc.constantFrom('main', 'other'),
    symbol: fc.constantFrom('BTC', 'ETH'),
    side: fc.constantFrom('buy', 'sell'),
    size: fc.constantFrom(1, 20),
    /** Of the mark, in cents; 0 and above may trade at once. */
    offset: fc.constantFrom(-40, -10, -1, 0, 1, 2, 10),
    time_in_force: fc.constantFrom('gtc', 'post_only'),
  });
  const drawn = fc.record({
    seed: fc.nat(1e6),
    course: fc.array(
      fc.tuple(fc.option(drawnOrder, { nil: null }), fc.constantFrom(0, 0.5, 1, 1, 3)),
      {
        minLength: 3,
        maxLength: 14,
      },
    ),
  });
  await holdLaw(60, drawn, ({ seed, course }) => {
    const feeds = ['BTC', 'ETH'].map((symbol) =>
      feedOf(walk(`${seed} ${symbol}`, BARS, { move: 0.01, volume: 30 }), { symbol }),
    );
    const lives = [false, true].map((grows) => {
      const growing = feeds.map(({ symbol }) => createGrowingFeed(symbol, '1m'));
      const open = growing.map(({ feed: known, append }, at) => {
        const all = feeds[at]!;
        return { known, grow: (bar: number) => void append(barAt(all, bar)) };
      });
      for (let bar = 0; bar < FIRST; bar++) for (const { grow } of open) grow(bar);
      const bench = createBench({ feeds: grows ? open.map(({ known }) => known) : feeds });
      bench.engine.addAccount('other', 100_000);
      const advanceTo = (time: number): void => {
        while (grows && bench.engine.endTime < time) {
          const bar = Math.round((bench.engine.endTime - START) / MINUTE);
          bench.engine.advanceTo(bench.engine.endTime);
          for (const { grow } of open) grow(bar);
          bench.engine.feedsGrew();
        }
        bench.engine.advanceTo(time);
      };
      advanceTo(START + FIRST * MINUTE);
      for (const [order, minutes] of course) {
        if (order !== null) {
          const { wallet, offset, ...rest } = order;
          const { mark } = bench.engine.market.quote(order.symbol);
          const price = Math.round(mark * 100 + (order.side === 'buy' ? offset : -offset)) / 100;
          const body = { ...rest, order_type: 'limit', price };
          try {
            bench.call('orders.place', { wallet, body });
          } catch (error) {
            if (!(error instanceof ServiceError)) throw error;
          }
        }
        advanceTo(Math.min(bench.engine.now + minutes * MINUTE, START + BARS * MINUTE));
      }
      const query = { limit: 500 };
      return ['main', 'other'].map((wallet) => [
        bench.call('orders.fills', { wallet, query }).items,
        bench.call('orders.list', { wallet, query }).items,
      ]);
    });
    expect(lives[1]).toEqual(lives[0]);
  });
});
