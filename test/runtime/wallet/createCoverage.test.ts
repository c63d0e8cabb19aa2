import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import type { MonitorRecord, PositionRecord, WatchRow } from '../../../src/contract/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { persistUncovered } from '../../../src/runtime/wallet/persistUncovered.ts';
import {
  coverOf,
  createCoverage,
  isCovered,
  uncoveredSize,
} from '../../../src/runtime/wallet/createCoverage.ts';

const position = (over: Partial<PositionRecord> = {}): PositionRecord => ({
  symbol: 'BTC',
  side: 'long',
  size: 2,
  entry_price: 100,
  mark_price: 100,
  notional: 200,
  unrealized_pnl: 0,
  realized_pnl: 0,
  opened_time: 0,
  updated_time: 0,
  ...over,
});
const stop = (over: object = {}): WatchRow => ({
  watch_kind: 'leg',
  leg_id: 'leg_1',
  kind: 'stop_loss',
  symbol: 'BTC',
  status: 'armed',
  ...over,
});
const monitor = (
  request: object,
  status = 'armed',
  over: Partial<MonitorRecord> = {},
): MonitorRecord => ({
  monitor_id: 'mon_1',
  trigger: { type: 'price_level', symbol: 'BTC', price: 90, direction: 'below' },
  action: { type: 'execute', request },
  status,
  rearm: false,
  fired_count: 0,
  created_time: 0,
  ...over,
});
const covered = (rows: WatchRow[], monitors: MonitorRecord[] = []): number =>
  coverOf('main', { positions: [position()], rows, monitors })[0]!.covered;

test('a stop that follows the position covers it whole', () => {
  expect(covered([stop()])).toBe(2);
  expect(covered([stop({ coupled: true, size: 0.5 })])).toBe(2);
});

test('a stop of a fixed size covers that size', () => {
  const cover = coverOf('main', {
    positions: [position()],
    rows: [stop({ coupled: false, size: 1.5 })],
    monitors: [],
  })[0]!;
  expect(cover.covered).toBe(1.5);
  expect(isCovered(cover)).toBe(false);
});

test('a target, another symbol’s stop and a stop that is not armed cover nothing', () => {
  expect(covered([stop({ kind: 'take_profit' })])).toBe(0);
  expect(covered([stop({ symbol: 'ETH' })])).toBe(0);
  for (const status of ['queued', 'retired', 'rejected', 'triggered']) {
    expect(covered([stop({ status })]), status).toBe(0);
  }
});

test('a monitor that reduces on the exit side covers its size', () => {
  const exit = { symbol: 'BTC', side: 'sell', total_size: 1, reduce_only: true };
  expect(covered([], [monitor(exit)])).toBe(1);
  expect(covered([], [monitor({ ...exit, side: 'buy' })])).toBe(0);
  expect(covered([], [monitor({ ...exit, reduce_only: false })])).toBe(0);
  expect(covered([], [monitor(exit, 'paused')])).toBe(0);
});

test('a monitor that takes profit, or waits for another symbol, covers nothing', () => {
  const exit = { symbol: 'BTC', side: 'sell', total_size: 2, reduce_only: true };
  const waiting = (trigger: object) =>
    covered([], [monitor(exit, 'armed', { trigger: { type: 'price_level', ...trigger } })]);
  expect(waiting({ symbol: 'BTC', price: 120, direction: 'above' })).toBe(0);
  expect(waiting({ symbol: 'ETH', price: 90, direction: 'below' })).toBe(0);
  const short = position({ side: 'short' });
  const above = { type: 'price_level', symbol: 'BTC', price: 120, direction: 'above' };
  const buyBack = monitor({ ...exit, side: 'buy' }, 'armed', { trigger: above });
  const input = { positions: [short], rows: [], monitors: [buyBack] };
  expect(coverOf('main', input)[0]!.covered).toBe(2);
});

test('an unwinding leg covers its monitor’s frozen size, and nothing while that is not armed', () => {
  const exit = { symbol: 'BTC', side: 'sell', total_size: 1, reduce_only: true };
  const made = { request: { price: 90, exit_style: 'algo_unwind' } };
  const row = stop({ coupled: true, size: 1 });
  expect(covered([row], [monitor(exit, 'armed', made)])).toBe(1);
  expect(covered([row], [monitor(exit, 'paused', made)])).toBe(0);
  expect(covered([row], [monitor(exit, 'failed', made)])).toBe(0);
  // The one before it was replaced by a leg that the venue holds.
  expect(covered([row], [monitor(exit, 'stopped', made)])).toBe(2);
  const entry = stop({ order_id: 'o1', coupled: false, size: 0.5 });
  expect(covered([row, entry], [monitor(exit, 'armed', made)])).toBe(1.5);
});

test('an entry’s stop covers the filled size, whatever its row reported earlier', () => {
  const filledOf = (id: string) => (id === 'o1' ? 1.5 : undefined);
  const coveredBy = (row: WatchRow) =>
    coverOf('main', { positions: [position()], rows: [row], monitors: [], filledOf })[0]!.covered;
  expect(coveredBy(stop({ order_id: 'o1', coupled: false, size: 0.5 }))).toBe(1.5);
  expect(coveredBy(stop({ order_id: 'o1' }))).toBe(1.5);
  expect(coveredBy(stop({ order_id: 'o2', coupled: false, size: 0.5 }))).toBe(0.5);
});

test('uncovered is the time in which any part of any position is, and the longest is part of it', () => {
  let time = 0;
  const coverage = createCoverage({ now: () => time, isIgnored: () => false });
  const half = { wallet: 'main', symbol: 'BTC', size: 2, covered: 1 };
  const bare = { wallet: 'main', symbol: 'ETH', size: 1, covered: 0 };
  const figures = () => [coverage.totalSeconds(), coverage.longestSeconds()];
  coverage.see('main', [half]);
  time = 10_000;
  expect(figures()).toEqual([10, 10]);
  // A smaller hole is one, too; a second position at the same time adds no time.
  coverage.see('main', [{ ...half, covered: 1.9 }, bare]);
  coverage.see('second', [{ ...bare, wallet: 'second' }]);
  time = 20_000;
  expect(figures()).toEqual([20, 20]);
  coverage.see('main', [{ ...half, covered: 2 }, bare]);
  time = 25_000;
  expect(coverage.uncovered()).toEqual([
    { ...bare, since: 10_000 },
    { ...bare, wallet: 'second', since: 10_000 },
  ]);
  coverage.see('main', []);
  time = 40_000;
  coverage.see('second', []);
  time = 99_000;
  expect(figures()).toEqual([40, 30]);
  expect(coverage.uncovered()).toEqual([]);
  coverage.see('main', [half]);
  time = 100_000;
  expect(figures()).toEqual([41, 30]);
});

test('a spell of an earlier process goes on, unless its position is covered or gone at the start', () => {
  const store = createMemoryStore();
  const open = (time: number) =>
    createCoverage({
      now: () => time,
      isIgnored: () => false,
      persisted: persistUncovered(store, (error) => expect.fail(String(error))),
    });
  const bare = (symbol: string, wallet = 'main') => ({ wallet, symbol, size: 1, covered: 0 });
  const since = (coverage: ReturnType<typeof open>) =>
    coverage.uncovered().map((one) => `${one.wallet} ${one.symbol} ${one.since}`);
  open(1_000).see('main', [bare('BTC'), bare('ETH'), bare('SOL')]);
  const next = open(5_000);
  next.see('second', [bare('BTC', 'second')]);
  next.see('main', [bare('BTC'), { ...bare('ETH'), covered: 1 }, bare('DOGE')]);
  expect(since(next)).toEqual(['second BTC 5000', 'main BTC 1000', 'main DOGE 5000']);
  expect([next.totalSeconds(), next.longestSeconds()]).toEqual([0, 0]);
  // Of what was not uncovered at the start nothing is left of before.
  next.see('main', [bare('BTC'), bare('ETH'), bare('SOL'), bare('DOGE')]);
  expect(since(next).slice(1)).toEqual([
    'main BTC 1000',
    'main ETH 5000',
    'main SOL 5000',
    'main DOGE 5000',
  ]);
  next.see('main', []);
  const last = open(9_000);
  last.see('main', [bare('BTC')]);
  expect(since(last)).toEqual(['main BTC 9000']);
  // A replay that starts again is before what its journal says.
  const replay = open(500);
  replay.see('main', [bare('BTC')]);
  expect(since(replay)).toEqual(['main BTC 500']);
});

test('the total is never less than the longest spell', () => {
  const env = createVirtualEnv({ seed: 4 });
  for (let round = 0; round < 200; round++) {
    let time = 0;
    const coverage = createCoverage({ now: () => time, isIgnored: () => false });
    for (let step = 0; step < 30; step++) {
      const wallet = env.random.next() < 0.5 ? 'main' : 'second';
      const covers = ['BTC', 'ETH', 'SOL'].flatMap((symbol) =>
        env.random.next() < 0.4 ? [] : [{ wallet, symbol, size: 1, covered: env.random.next() }],
      );
      coverage.see(wallet, env.random.next() < 0.2 ? [] : covers);
      time += Math.floor(env.random.next() * 10_000);
      expect(coverage.longestSeconds()).toBeLessThanOrEqual(coverage.totalSeconds());
      expect(coverage.totalSeconds()).toBeLessThanOrEqual(time / 1_000);
    }
  }
});

test('a wallet’s view shows nothing of another wallet', () => {
  const coverage = createCoverage({ now: () => 0, isIgnored: () => false });
  coverage.see('main', [{ wallet: 'main', symbol: 'BTC', size: 1, covered: 0 }]);
  coverage.see('second', []);
  expect(coverage.uncovered()).toHaveLength(1);
});

test.each([
  [0.1, 0.01, 0.09],
  [0.18419, 0.00001, 0.18418],
  [0.3, 0.2999999, 0.0000001],
  [1_000_000.3, 0.1, 1_000_000.2],
  [12_345, 0, 12_345],
  [2, 2, 0],
  [0, 0, 0],
])('of %d with %d covered, %d are without a stop, without a binary tail', (size, covered, bare) => {
  expect(uncoveredSize({ size, covered })).toBe(bare);
});
