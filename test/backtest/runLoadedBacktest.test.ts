import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runLoadedBacktest, type TimeRange } from '../../backtest/index.ts';
import { loadConfig, type ConfigOverrides } from '../../src/config/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { runPaper, type PaperRun } from '../../src/operate/run/index.ts';
import { root } from '../sourceFiles.ts';

const SHORT = ['paper.feeds[0].generate.bars=3500', 'paper.feeds[1].generate.bars=3500'];
const silent = { update: () => {}, finish: () => {} };

async function load(overrides: ConfigOverrides) {
  const file = join(root, 'configs/demo.yaml');
  const loaded = await loadConfig(file, { overrides: { journal: 'memory', ...overrides } });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return { loaded, env: createLiveEnv(), progress: silent, isStopped: () => false };
}

async function backtest(
  set: string[] = [],
  range: TimeRange = {},
  charts = true,
): Promise<PaperRun> {
  const options = await load({ onPaper: true, set: [...SHORT, ...set] });
  const result = await runLoadedBacktest({ ...options, range, charts });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

async function onPaper(set: string[] = []): Promise<PaperRun> {
  const result = await runPaper({ ...(await load({ set: [...SHORT, ...set] })), charts: true });
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

describe('a backtest is a run on paper', () => {
  test('to the last figure of its report', { timeout: 60_000 }, async () => {
    const direct = await backtest();
    const sockets = await onPaper();
    expect(direct.data.hash).toBe(sockets.data.hash);
    expect(JSON.stringify(direct)).toBe(JSON.stringify(sockets));
    expect(direct.data.fills.length).toBeGreaterThan(30);
  });

  test('what strategies compute and the levels of legs are recorded for a report alone', async () => {
    const { data, ...reported } = await backtest();
    const { data: bare, ...plain } = await backtest([], {}, false);
    expect([bare.plots, bare.levels]).toEqual([[], []]);
    expect(JSON.stringify({ ...data, plots: [], levels: [] })).toBe(JSON.stringify(bare));
    expect(JSON.stringify(reported)).toBe(JSON.stringify(plain));
    const { plots = [], levels = [] } = data;
    expect(new Set(plots.map(({ strategy }) => strategy)).size).toBe(data.strategies.length);
    for (const { times } of plots) {
      expect(times[0]).toBeGreaterThan(data.startTime);
      expect(times.at(-1)).toBeLessThanOrEqual(data.endTime);
    }
    const moves = levels.filter(({ kind, times }) => kind === 'trailing stop' && times.length > 3);
    expect(moves.length).toBeGreaterThan(2);
    for (const { times, prices } of moves) {
      const steps = prices.slice(1).map((price, at) => Math.sign(price - prices[at]!));
      // A trailing stop only tightens.
      expect(new Set(steps).size).toBe(1);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  test('with denied and waiting intents', { timeout: 60_000 }, async () => {
    const tight = ['budget.weight_per_minute=46', 'guards.max_order_notional=20000'];
    const direct = await backtest(tight);
    const sockets = await onPaper(tight);
    expect(JSON.stringify(direct)).toBe(JSON.stringify(sockets));
    expect(direct.refusals.map(({ cause }) => cause)).toContain('max_order_notional');
    expect(direct.delays.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(0);
    // A refusal has an example, too.
    for (const delay of direct.delays)
      expect(delay).toEqual({ cause: expect.any(String), count: expect.any(Number) });
  });
});

describe('a time range', () => {
  const HOUR = 3_600_000;
  const START = 1_735_689_600_000;

  test('limits trading, and leaves earlier bars as warm-up', async () => {
    const range = { from: START + 24 * HOUR, until: START + 48 * HOUR };
    const { data, suppressed } = await backtest([], range);
    expect([data.startTime, data.endTime]).toEqual([range.from, range.until]);
    expect(data.fills.length).toBeGreaterThan(5);
    for (const { time } of data.intents) {
      expect(time).toBeGreaterThanOrEqual(range.from);
      expect(time).toBeLessThanOrEqual(range.until);
    }
    // Without history, its first hours would be warm-up.
    const first = data.intents.find(({ strategy }) => strategy === 'reversion')!;
    expect(first.time).toBeLessThan(range.from + 6 * HOUR);
    expect(suppressed).toBeGreaterThan(0);
  });

  test('never begins before the end of the warm-up', async () => {
    const { data } = await backtest([], { from: START });
    expect(data.startTime).toBe(START + 1_000 * 60_000);
  });

  test.each([
    [
      { from: START + 900 * HOUR },
      '--timerange begins at 2025-02-07 12:00: BTC can be traded from',
    ],
    [{ until: START + HOUR }, '1000 bars before are warm-up'],
  ])('that names nothing of the tape is refused: %j', async (range, words) => {
    await expect(backtest([], range)).rejects.toThrow(words);
  });
});

describe('a time range off the boundaries of daily bars', () => {
  const HOUR = 3_600_000;
  const at = (day: number, hour = 0): number => Date.UTC(2024, 0, day, hour);
  const feed = `{ symbol: BTC, interval: 1d, generate: { seed: 1, bars: 40, start_price: 61000, start_time: ${at(1)} } }`;

  async function daily(range: TimeRange) {
    const folder = await mkdtemp(join(tmpdir(), 'trimtab-daily-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'daily.yaml');
    const plant = join(root, 'test/backtest/plants/buysDaily.ts');
    await writeFile(
      file,
      `name: daily
link: { kind: paper }
paper:
  feeds: [${feed}]
  warmup: 5
  speed: max
  budget_clock: replay
strategies: [{ name: daily, use: ${plant}, symbols: [BTC] }]
`,
    );
    const loaded = await loadConfig(file, { overrides: { journal: 'memory', onPaper: true } });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
    const env = createLiveEnv();
    return runLoadedBacktest({ loaded, env, range, progress: silent, isStopped: () => false });
  }

  test('trades whole bars within it, and decides at their closes', async () => {
    const ran = await daily({ from: at(12, 12), until: at(20, 12) });
    if (!ran.ok) throw new Error(ran.failure.message);
    const { data } = ran.value;
    expect([data.startTime, data.endTime]).toEqual([at(13), at(20)]);
    expect(data.fills.length).toBeGreaterThan(4);
    for (const { time } of data.fills) expect(time % (24 * HOUR)).toBeLessThan(HOUR);
    for (const { time } of data.intents) expect(time % (24 * HOUR)).toBe(0);
  });

  test('that holds no whole bar is refused', async () => {
    const ran = await daily({ from: at(12, 12), until: at(13, 12) });
    expect(ran.ok ? '' : ran.failure.message).toContain(
      '--timerange holds no whole bar: with bars of 1d it begins at 2024-01-13 00:00',
    );
  });
});

test('the same seed gives the same run, parameters give another', async () => {
  const [one, two] = [await backtest(), await backtest()];
  expect(JSON.stringify(one)).toBe(JSON.stringify(two));
  const options = await load({ onPaper: true, set: SHORT, params: ['trend.fast=5'] });
  const other = await runLoadedBacktest(options);
  expect(other.ok && other.value.data.hash).not.toBe(one.data.hash);
});
