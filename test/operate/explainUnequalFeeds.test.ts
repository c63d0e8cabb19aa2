import { expect, test } from 'vitest';
import { explainUnequalFeeds } from '../../src/operate/run/explainUnequalFeeds.ts';
import { generateFeed, type Feed } from '../../src/paper/index.ts';

const START = 1_735_689_600_000; // 2025-01-01
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const feed = (symbol: string, from: number, hours: number): Feed =>
  generateFeed({
    symbol,
    interval: '1h',
    bars: hours,
    seed: symbol,
    startTime: START + from * HOUR,
    startPrice: 100,
  });
const whole = feed('BTC', 0, 1_000);
const run = (other: Feed, more: { from?: number; until?: number; warmup?: number } = {}) =>
  explainUnequalFeeds({
    feeds: [whole, other],
    from: other.time[0]!,
    until: START + 1_000 * HOUR,
    warmup: 0,
    ...more,
  });

test('a feed that begins late, or ends early, is named with both times', () => {
  expect(run(feed('ETH', 100, 900))).toEqual([
    'feeds: ETH@1h begins 2025-01-05 04:00 UTC, and BTC@1h 2025-01-01 00:00: the run begins where all have begun.',
  ]);
  expect(run(feed('ETH', 0, 950))).toEqual([
    'feeds: ETH@1h ends 2025-02-09 14:00 UTC, and BTC@1h 2025-02-11 16:00: the run goes on without bars of the first.',
  ]);
  expect(run(feed('ETH', 100, 800))).toHaveLength(2);
});

test('1 % of their span is near enough, and a day on a long one', () => {
  expect(run(feed('ETH', 10, 980))).toEqual([]);
  expect(run(feed('ETH', 11, 989))).toHaveLength(1);
  const long = { from: START, until: START + 20_000 * HOUR, warmup: 0 };
  const pair = (hours: number) => [feed('BTC', 0, 20_000), feed('ETH', 0, 20_000 - hours)];
  expect(explainUnequalFeeds({ feeds: pair(24), ...long })).toEqual([]);
  expect(explainUnequalFeeds({ feeds: pair(25), ...long })).toHaveLength(1);
});

test('what does not shorten the run is not named: a later range, an end after it, one feed', () => {
  const late = feed('ETH', 100, 900);
  expect(run(late, { from: late.time[0]! + 10 * DAY })).toEqual([]);
  expect(run(late, { from: late.time[0]! + 24 * HOUR, warmup: 24 })).toHaveLength(1);
  for (const hours of [900, 950])
    expect(run(feed('ETH', 0, 950), { until: START + hours * HOUR })).toEqual([]);
  expect(run(feed('ETH', 0, 950), { until: START + 950 * HOUR + 1 })).toHaveLength(1);
  expect(explainUnequalFeeds({ feeds: [late], from: 0, until: 1e15, warmup: 0 })).toEqual([]);
});

test('warm-up counts bars of the longest feed', () => {
  const minutes = (hours: number) =>
    generateFeed({
      symbol: 'ETH',
      interval: '1m',
      bars: 6_000,
      seed: 'ETH',
      startTime: START + hours * HOUR,
      startPrice: 100,
    });
  const late = minutes(100);
  const begun = late.time[0]!;
  const notes = (from: number) =>
    explainUnequalFeeds({ feeds: [whole, late], from, until: begun + 6_000 * 60_000, warmup: 24 });
  expect(notes(begun + 25 * HOUR)).toHaveLength(1);
  expect(notes(begun + 25 * HOUR + 1)).toEqual([]);
});
