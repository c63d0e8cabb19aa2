import { expect, test } from 'vitest';
import { explainNoFills } from '../../src/operate/run/explainNoFills.ts';
import type { Feed } from '../../src/paper/index.ts';

const feed = (symbol: string, volumes: readonly number[]): Feed =>
  ({
    symbol,
    interval: '1m',
    time: Float64Array.from(volumes, (_none, at) => at * 60_000),
    volume: Float64Array.from(volumes),
  }) as Partial<Feed> as Feed;
const run = (fills: number, accepted: number, emitted = 40) => ({
  totals: { fills, intents: { emitted, accepted } },
  isTroubled: false,
  from: 60_000,
  until: 120_000,
});

test('accepted without a fill is explained by bars without volume, of the traded span alone', () => {
  const feeds = [feed('BTC', [5, 0, 0, 5]), feed('ETH', [0, 0, 1, 0])];
  expect(explainNoFills({ ...run(0, 40), feeds })).toMatch(
    /^40 accepted, and nothing was filled: no bar of BTC had volume/,
  );
});

test('with volume, by prices', () => {
  const feeds = [feed('BTC', [0, 1, 0, 0])];
  expect(explainNoFills({ ...run(0, 1), feeds })).toMatch(
    /had volume, so look at prices: .*slippage_bps/,
  );
});

test('a run with a fill, or without anything accepted, needs no explanation', () => {
  const feeds = [feed('BTC', [0, 0, 0, 0])];
  expect(explainNoFills({ ...run(1, 40), feeds })).toBeUndefined();
  expect(explainNoFills({ ...run(0, 0), feeds })).toBeUndefined();
});

test('a run in which no strategy decided anything says so, unless a strategy is in trouble', () => {
  const quiet = { ...run(0, 0, 0), feeds: [feed('BTC', [1, 1])] };
  expect(explainNoFills(quiet)).toMatch(/^No strategy emitted an intent\./);
  expect(explainNoFills({ ...quiet, isTroubled: true })).toBeUndefined();
});
