import { expect, test } from 'vitest';
import { createGrowingFeed, generateFeed, type Feed } from '../../../src/paper/index.ts';
import { createEngine, type Engine, type EngineEvent } from '../../../src/paper/index.ts';

const MINUTE = 60_000;
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
