/** The exit code of a sweep's status, by which a script or a supervisor decides. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openResults } from '../../../backtest/index.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { sweepStatus } from '../../../src/cli/sweep/sweepStatus.ts';
import { config, directory, useSweepFolder } from '../../backtest/sweep/sweepFolder.ts';

useSweepFolder();

const RATIOS = { sharpe: null, sortino: null, calmar: null, profit_factor: null, win_rate: null };
const COUNTS = { trades: 0, fills: 0, intents: 0, denied: 0, liquidations: 0 };
const MONEY = { pnl: 1, max_drawdown: 0, max_drawdown_share: 0, fees: 0, turnover: 0 };
const FIGURES = { ...RATIOS, ...COUNTS, ...MONEY, days: 3, time_in_market: 0, hash: 'ab' };

interface Shown {
  points: number;
  /** The first of them has this fault. */
  fault?: string;
  /** Milliseconds for which another point has been computed. */
  runningMs?: number;
  /** Milliseconds since the last sign of its process. */
  silentMs?: number;
}

async function codesOf({ points, fault, runningMs, silentMs = 0 }: Shown) {
  const { plan } = await planSweep(config, { param: ['channel=10..30'], feed: [], set: [] });
  const path = join(directory, `${points} ${fault} ${runningMs} ${silentMs}.sqlite`);
  const now = 1_735_689_600_000;
  const results = openResults(path, plan, { now: () => now });
  for (let index = 0; index < points; index++) {
    const job = { index, values: ['10'], range: {}, window: null, part: 'all' } as const;
    const run = { index, figures: FIGURES, returns: [], edges: [0, 0] as const, trades: [] };
    const cost = { worker: 'one', ms: 1_000, cpuMs: 1_000 };
    results.add(job, index === 0 && fault !== undefined ? { index, fault } : run, cost);
  }
  const running = runningMs === undefined ? [] : [{ worker: 'one', index: points, ms: runningMs }];
  results.note({ total: 3, running });
  results.flush();
  // Its process has the file open as long as it runs.
  onTestFinished(() => results.close());
  const texts = [true, false].map((isJson) => sweepStatus([path], { now: now + silentMs, isJson }));
  const { state } = JSON.parse(texts[0]!.text) as { state: string };
  return [state, ...texts.map(({ exitCode }) => exitCode)];
}

test.each<[string, Shown, string, number]>([
  ['one that runs well', { points: 2, runningMs: 900 }, 'running', 0],
  ['one with a point that failed', { points: 2, fault: 'no margin' }, 'running', 1],
  ['one with a slow point alone', { points: 2, runningMs: 60_000 }, 'running', 1],
  ['one that was stopped', { points: 2, silentMs: 600_000 }, 'stopped', 2],
  ['one that failed, then stopped', { points: 2, fault: 'x', silentMs: 600_000 }, 'stopped', 2],
  ['a complete one', { points: 3, silentMs: 600_000 }, 'complete', 0],
  ['a complete one with a failed point', { points: 3, fault: 'x' }, 'complete', 1],
])('%s', async (_what, shown, state, code) => {
  expect(await codesOf(shown)).toEqual([state, code, code]);
});

test('a file that is named twice counts once, under its first name', async () => {
  const { plan } = await planSweep(config, { param: ['channel=10..30'], feed: [], set: [] });
  const now = 1_735_689_600_000;
  const paths = [1, 2].map((number) => join(directory, `named-${number}.sqlite`));
  for (const [at, path] of paths.entries()) {
    const shard = { number: at + 1, count: 2 };
    const results = openResults(path, plan, { now: () => now, shard });
    const job = { index: at, values: ['10'], range: {}, window: null, part: 'all' } as const;
    const cost = { worker: `w${at}`, ms: 1_000, cpuMs: 1_000 };
    results.add(job, { index: at, fault: 'no margin' }, cost);
    results.note({ total: 3 + at, running: [] });
    results.close();
  }
  const [first, second] = paths as [string, string];
  const again = `${directory}/./named-1.sqlite`;
  const { text } = sweepStatus([first, second, again, first], { now, isJson: true });
  expect(JSON.parse(text)).toMatchObject({
    done: 2,
    total: 7,
    failed: 2,
    workers: [{ worker: 'w0' }, { worker: 'w1' }],
  });
  const { files } = JSON.parse(text) as { files: Array<{ file: string }> };
  expect(files.map(({ file }) => file)).toEqual([first, second]);
});

test('of a sweep whose number of points is not known yet none is said, and it is not complete', async () => {
  const { plan } = await planSweep(config, { param: ['channel=10..30'], feed: [], set: [] });
  const now = 1_735_689_600_000;
  const paths = ['known', 'unknown'].map((name) => join(directory, `${name}.sqlite`));
  for (const [at, path] of paths.entries()) {
    const shard = { number: at + 1, count: 2 };
    const results = openResults(path, plan, { now: () => now, shard });
    onTestFinished(() => results.close());
    const job = { index: at, values: ['10'], range: {}, window: null, part: 'all' } as const;
    results.add(
      job,
      { index: at, fault: 'no margin' },
      { worker: `w${at}`, ms: 1_000, cpuMs: 1_000 },
    );
    results.flush();
    if (at === 0) results.note({ total: 1, running: [] });
  }
  const of = (own: readonly string[]) => sweepStatus(own, { now, isJson: true }).text;
  expect(JSON.parse(of(paths.slice(0, 1)))).toMatchObject({ state: 'complete', total: 1 });
  for (const own of [paths, paths.slice(1)])
    expect(JSON.parse(of(own))).toMatchObject({
      state: 'running',
      done: own.length,
      total: null,
      left_ms: null,
    });
  expect(sweepStatus(paths, { now, isJson: false }).text).toMatch(
    /^The sweep is running: 2 points, 2 failed/,
  );
});
