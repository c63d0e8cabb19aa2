import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runLoadedBacktest } from '../../backtest/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { statistics, wholeCourse } from '../../src/operate/report/index.ts';
import { runPaper, type PaperRun } from '../../src/operate/run/index.ts';
import { generateFeed } from '../../src/paper/index.ts';
import type { TimedValue } from '../../src/statistics/index.ts';
import { root } from '../sourceFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-figures-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MINUTE = 60_000;
const START = Date.UTC(2025, 0, 1);
const BARS = 1_500;

/** The same bars for both symbols, so that a hedge of them always has the value of its cost. */
const feed = generateFeed({
  symbol: 'BTC',
  interval: '1m',
  bars: BARS,
  seed: 3,
  startTime: START,
  startPrice: 60_000,
});
const rows = Array.from(feed.time, (time, at) =>
  [time, feed.open[at], feed.high[at], feed.low[at], feed.close[at], feed.volume[at]].join(','),
);
const writeFeed = (name: string, retained: readonly string[]): string => {
  const file = join(folder, `${name}.csv`);
  writeFileSync(file, `timestamp,open,high,low,close,volume\n${retained.join('\n')}\n`);
  return file;
};
const tape = writeFeed('minutes', rows);
/** The same prices by the hour. */
const hours = writeFeed(
  'hours',
  Array.from({ length: BARS / 60 }, (_none, hour) => {
    const [from, until] = [hour * 60, hour * 60 + 60];
    const high = Math.max(...feed.high.slice(from, until));
    const low = Math.min(...feed.low.slice(from, until));
    const volume = feed.volume.slice(from, until).reduce((sum, value) => sum + value, 0);
    return [feed.time[from], feed.open[from], high, low, feed.close[until - 1], volume].join(',');
  }),
);
const plugin = join(root, 'test/backtest/plants/hedges.ts');
const trades = join(root, 'test/backtest/plants/trades.ts');
/** A settlement of zero, so that holdings follow their price. */
const noFunding = join(folder, 'no-funding.csv');
writeFileSync(noFunding, `timestamp,funding_rate\n${START + 60 * MINUTE},0\n`);
const HEDGE = `
  - { name: hedge, use: ${plugin}, symbols: [BTC, ETH], params: { size: 0.1 } }`;

/** Buys, adds and flips against a thin book, the last time at the end of the tape. */
const TRADES = `{ at: { 5: 2, 9: 0.01, 30: 0.01, 33: -3, 34: -0.01, 70: 0.5, ${BARS - 11}: 0.01 } }`;

interface Hedge {
  strategies?: string;
  set?: string[];
  /** Feed of the other symbol. */
  second?: string;
}

async function load({ strategies = HEDGE, set = [], second = `1m, path: ${tape}` }: Hedge) {
  const file = join(folder, 'hedge.yaml');
  writeFileSync(
    file,
    `name: hedged
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, path: ${tape} }
    - { symbol: ETH, interval: ${second} }
  warmup: 10
  balance: 1000000
  speed: max
  budget_clock: replay
  connections: [{ label: second, balance: 100000 }, { label: idle, balance: 7000 }]
strategies:${strategies}
`,
  );
  const overrides = { onPaper: true, journal: 'memory' as const, set };
  const loaded = await loadConfig(file, { overrides });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const progress = { update: () => {}, finish: () => {} };
  return { loaded, env: createLiveEnv(), progress, isStopped: () => false };
}

async function backtest(options: Hedge = {}): Promise<PaperRun> {
  const result = await runLoadedBacktest(await load(options));
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** Largest drawdown of a curve, zero included: computed independently. */
function deepest(values: readonly number[]): number {
  let [best, fall] = [0, 0];
  for (const value of values) {
    best = Math.max(best, value);
    fall = Math.max(fall, best - value);
  }
  return fall;
}

/** Longest time from a best of a curve to a later point below it: computed independently, backwards from the end. */
function longestBelow(curve: readonly TimedValue[]): number {
  const bests: TimedValue[] = [];
  for (const point of curve) if (point[1] >= (bests.at(-1)?.[1] ?? -Infinity)) bests.push(point);
  const lengths = bests.map(([from, best], at) => {
    const until = bests[at + 1]?.[0] ?? Infinity;
    const under = curve.filter(([time, value]) => time > from && time < until && value < best);
    return (under.at(-1)?.[0] ?? from) - from;
  });
  return Math.max(0, ...lengths);
}

/** When the largest drawdown was deepest, and the last peak before it: computed independently. */
function fallOf(curve: readonly TimedValue[]) {
  const falls: number[] = [];
  let best = -Infinity;
  for (const [, value] of curve) falls.push((best = Math.max(best, value)) - value);
  // Of lows that are equal but for rounding the first.
  const deep = Math.max(...falls) * (1 - 1e-9);
  const lowest = curve[falls.findIndex((fall) => fall >= deep)]!;
  const before = curve.filter(([time]) => time < lowest[0]);
  const highest = Math.max(...valuesOf(before));
  const peak = before.findLast(([, value]) => value === highest)!;
  return { max_drawdown_peak_time: peak[0], max_drawdown_trough_time: lowest[0] };
}

const valuesOf = (curve: readonly TimedValue[]): number[] => curve.map(([, value]) => value);

describe('an exact hedge of two symbols with the same bars', () => {
  test('falls by its cost alone, not by the order in which bars of one instant arrive', async () => {
    const { data } = await backtest();
    const { fees, max_drawdown, pnl } = data.totals;
    const [strategy] = data.strategies;
    expect(data.fills).toHaveLength(2);
    // Slippage and fees are its only losses.
    expect(max_drawdown).toBeGreaterThan(fees);
    expect(max_drawdown).toBeLessThan(fees + 10);
    expect(max_drawdown).toBeCloseTo(-pnl, 6);
    expect(strategy!.max_drawdown).toBeCloseTo(max_drawdown, 9);
    const settled = valuesOf(strategy!.equity).slice(2);
    expect(Math.max(...settled) - Math.min(...settled)).toBeLessThan(1e-6);
  });

  test('gives the same figures over sockets', { timeout: 60_000 }, async () => {
    const direct = await backtest();
    const sockets = await runPaper(await load({}));
    expect(sockets.ok && JSON.stringify(sockets.value)).toBe(JSON.stringify(direct));
  });

  test('two strategies on two wallets: total equity falls by the costs alone', async () => {
    const { data } = await backtest({
      strategies: `
  - { name: longs, use: ${plugin}, symbols: [BTC], params: { size: 0.1, sides: [buy] } }
  - { name: shorts, use: ${plugin}, symbols: [ETH], wallet: second, params: { size: 0.1, sides: [sell] } }`,
    });
    expect(data.fills).toHaveLength(2);
    expect(data.totals.max_drawdown).toBeCloseTo(-data.totals.pnl, 6);
    // Each leg alone followed the market.
    for (const { max_drawdown } of data.strategies) expect(max_drawdown).toBeGreaterThan(100);
  });

  test('shows no daily loss between the two bars of one instant', async () => {
    const strategies = `
  - { name: hedge, use: ${plugin}, symbols: [BTC, ETH], params: { size: 0.1, every: 20 } }`;
    const free = await backtest({ strategies });
    expect(free.data.totals.intents.accepted).toBeGreaterThan(100);
    // One more than its total cost.
    const limit = 1 - free.data.totals.pnl;
    const held = await backtest({ strategies, set: [`guards.daily_loss_limit=${limit}`] });
    expect(held.refusals).toEqual([]);
    expect(held.data.hash).toBe(free.data.hash);
  });
});

test('the curve follows fills and closes: the price of a fill revalues nothing else', async () => {
  const { data } = await backtest({
    strategies: `
  - { name: one, use: ${trades}, symbols: [BTC], params: ${TRADES} }`,
    // A taker pays some percent, and no settlement changes the holdings.
    set: ['paper.half_spread_bps=100', `paper.funding.BTC=${noFunding}`],
  });
  expect(data.fills).toHaveLength(7);
  expect(data.fills.at(-1)!.time).toBe(data.endTime);
  const { time, close } = data.symbols['BTC']!;
  for (const [at, point] of data.equity!.entries()) {
    expect(point[0]).toBe(time[at]! + MINUTE);
    const done = data.fills.filter((fill) => fill.time <= point[0]);
    const worth = done.map(({ side, size, price, fee }) => {
      return (side === 'buy' ? size : -size) * (close[at]! - price) - fee;
    });
    const value = worth.reduce((sum, part) => sum + part, data.totals.start_equity);
    expect(point[1]).toBeCloseTo(value, 6);
  }
  expect(data.totals.end_equity - data.totals.start_equity).toBeCloseTo(data.totals.pnl, 6);
});

test('total drawdown is a share of all wallets’ equity, not of the capital given to strategies', async () => {
  const { data } = await backtest({
    strategies: `
  - { name: one, use: ${trades}, symbols: [BTC], capital_share: 0.2, params: { at: { 5: 2 } } }`,
  });
  const [one] = data.strategies;
  const { start_equity, max_drawdown, max_drawdown_share } = data.totals;
  const earned = valuesOf(data.equity!).map((value) => value - start_equity);
  expect(max_drawdown).toBeGreaterThan(1_000);
  const shareOf = (start: number): number => {
    let [best, share] = [0, 0];
    for (const value of earned) {
      best = Math.max(best, value);
      share = Math.max(share, (best - value) / (start + best));
    }
    return share;
  };
  expect(max_drawdown_share).toBeCloseTo(shareOf(start_equity), 9);
  expect(one!.max_drawdown_share).toBeCloseTo(shareOf(0.2 * start_equity), 9);
});

test('spot that was sold completely is no longer held: the final wallet shows what was earned', async () => {
  const { data } = await backtest({
    strategies: `
  - { name: one, use: ${trades}, symbols: [ETH/USDC], params: { at: { 5: 0.5, 40: -0.5 } } }`,
    set: [`paper.feeds=[{ symbol: ETH/USDC, interval: 1m, path: ${tape} }]`],
  });
  expect(data.fills.map(({ side }) => side)).toEqual(['buy', 'sell']);
  expect(data.totals.end_equity - data.totals.start_equity).toBeCloseTo(data.totals.pnl, 6);
});

test('a wallet without a strategy counts neither at the start nor at the end', async () => {
  const { totals } = (await backtest()).data;
  expect(totals.start_equity).toBe(1_000_000);
  expect(totals.end_equity - totals.start_equity).toBeCloseTo(totals.pnl, 6);
});

test.each([
  ['of one interval', `1m, path: ${tape}`],
  ['of two intervals', `1h, path: ${hours}`],
])('feeds %s: one point per close, in market time, never back in time', async (_of, second) => {
  const { data } = await backtest({ second });
  const times = data.equity!.map(([time]) => time);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  expect(times[0]).toBe(data.startTime + MINUTE);
  expect(times.at(-1)).toBe(data.endTime);
  expect(times).toHaveLength((data.endTime - data.startTime) / MINUTE);
  // Nothing is thinned here: the run's drawdown is that of the curve.
  const earned = valuesOf(data.equity!).map((value) => value - data.totals.start_equity);
  expect(data.totals.max_drawdown).toBeCloseTo(deepest(earned), 6);
  const net = data.strategies[0]!.equity;
  const below = longestBelow([[data.startTime, 0], ...net]);
  expect(below).toBeGreaterThan(10 * MINUTE);
  const fall = { longest_drawdown_ms: below, ...fallOf([[data.startTime, 0], ...net]) };
  expect(data.totals).toMatchObject(fall);
  expect(data.strategies[0]).toMatchObject(fall);
  // The last point of each hour, and the run's last.
  const whole = data.equity!.filter(
    ([time]) => time % (60 * MINUTE) === 0 || time === data.endTime,
  );
  expect(data.hourly).toEqual(whole);
  expect(wholeCourse(data).hourly.at(-1)).toEqual([data.endTime, data.totals.pnl]);
});

test(
  'the drawdowns of a run whose curve is thinned, and when they were, are those of all its closes',
  { timeout: 60_000 },
  async () => {
    const bars = 45_000;
    const long = generateFeed({
      symbol: 'BTC',
      interval: '1m',
      bars,
      seed: 8,
      startTime: START,
      startPrice: 60_000,
    });
    const file = join(folder, 'long.yaml');
    const generate = `{ seed: 8, bars: ${bars}, start_time: ${START}, start_price: 60000 }`;
    writeFileSync(
      file,
      `name: long
link: { kind: paper }
paper:
  feeds: [{ symbol: BTC, interval: 1m, generate: ${generate} }]
  funding: { BTC: ${noFunding} }
  warmup: 10
  balance: 1000000
strategies: [{ name: long, use: ${plugin}, symbols: [BTC], params: { size: 0.5, sides: [buy], every: 100000 } }]
`,
    );
    const loaded = await loadConfig(file, { overrides: { onPaper: true, journal: 'memory' } });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    const progress = { update: () => {}, finish: () => {} };
    const ran = await runLoadedBacktest({
      loaded,
      env: createLiveEnv(),
      progress,
      isStopped: () => false,
    });
    if (!ran.ok) throw new Error(ran.failure.message);
    const { data } = ran.value;
    expect(data.equity!.length).toBeLessThan(bars / 2);
    const [fill] = data.fills;
    expect(data.fills).toHaveLength(1);
    const worth = (close: number): number => 0.5 * (close - fill!.price) - fill!.fee;
    const closes = Array.from(long.time, (time, at): TimedValue => {
      const at_ = time + MINUTE;
      return [at_, at_ < fill!.time ? 0 : worth(long.close[at]!)];
    }).filter(([time]) => time > data.startTime);
    const course: TimedValue[] = [[data.startTime, 0], ...closes];
    const below = longestBelow(course);
    expect(statistics(wholeCourse(data)).longest_drawdown_ms).toBe(below);
    expect(data.totals).toMatchObject({ longest_drawdown_ms: below, ...fallOf(course) });
  },
);
