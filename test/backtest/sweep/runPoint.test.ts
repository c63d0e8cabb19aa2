import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createThreadEngine,
  firstJobs,
  isRun,
  runInFreshThreads,
  tradableSpan,
} from '../../../backtest/index.ts';
import type { PointResult } from '../../../backtest/sweep/PointResult.ts';
import { reportPoint, runPoint } from '../../../backtest/sweep/runPoint.ts';
import { pointsToCheck } from '../../../backtest/sweep/unsteadyPoints.ts';
import type { SweepJob, SweepPlan } from '../../../backtest/sweep/SweepPlan.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { unpackPage } from '../../operate/unpackPage.ts';
import { root } from '../../sourceFiles.ts';
import { jobsInMemory, resultsInMemory } from './inMemory.ts';
import { bot, directory, useSweepFolder } from './sweepFolder.ts';

useSweepFolder();

test('the trades of a point are in the order of their exits', async () => {
  const file = join(directory, 'exits.yaml');
  const use = join(root, 'test/backtest/plants/trades.ts');
  const strategy = (name: string, symbol: string, at: string): string =>
    `\n  - { name: ${name}, use: ${use}, symbols: [${symbol}], params: { at: ${at} } }`;
  const feed = (symbol: string): string =>
    `\n    - { symbol: ${symbol}, interval: 1m, generate: { seed: ${symbol}, bars: 700 } }`;
  const text = bot()
    .replace(/\n {4}- \{ symbol: BTC.*/, feed('BTC') + feed('ETH'))
    .replace(/\n {2}- \{ name: breakout.*/, '')
    .replace(
      'strategies:',
      `strategies:${strategy('long', 'BTC', '{ 0: 0.01, 90: -0.01 }')}${strategy('brief', 'ETH', '{ 10: 0.1, 20: -0.1 }')}`,
    );
  await writeFile(file, text);
  const flags = { param: ['brief.at.30=0,0.1'], feed: [], set: [] };
  const { plan, tape } = await planSweep(file, flags);
  const [job] = firstJobs(plan, tradableSpan(plan, tape.data, tape.paper.warmup));
  const result = await runPoint({ plan, text, data: tape.data }, job!);
  if (!isRun(result)) throw new Error(result.fault);
  expect(result.trades).toHaveLength(2);
  // Fees of a size ten times as large tell them apart: the brief one ended first.
  const alone = await runPoint(
    { plan: { ...plan, set: ['strategies[0].params.at={}'] }, text, data: tape.data },
    job!,
  );
  if (!isRun(alone)) throw new Error(alone.fault);
  expect(alone.trades).toHaveLength(1);
  expect(result.trades[0]).toBeCloseTo(alone.trades[0]!, 6);
}, 60_000);

test('a point has the figures of its report: of every fill, of closed trades, and of all of its time', async () => {
  const file = join(directory, 'figures.yaml');
  const use = join(root, 'test/backtest/plants/trades.ts');
  const at = '{ 0: 0.01, 90: -0.01, 200: 0.02, 260: -0.02, 300: 0.03 }';
  const text = bot()
    .replace(/bars: 4000/, 'bars: 1200')
    .replace(
      /\n {2}- \{ name: breakout.*/,
      `\n  - { name: one, use: ${use}, symbols: [BTC], params: { at: ${at} } }`,
    );
  await writeFile(file, text);
  const flags = { param: ['at.400=0,0.01'], feed: [], set: [] };
  const { plan, tape } = await planSweep(file, flags);
  const bench = { plan, text, data: tape.data };
  const [, job] = firstJobs(plan, tradableSpan(plan, tape.data, tape.paper.warmup));
  const result = await runPoint(bench, job!);
  if (!isRun(result)) throw new Error(result.fault);
  const report = await reportPoint(bench, job!);
  if (!report.ok) throw new Error(report.fault);
  const page = unpackPage(report.html);
  const closed = page.trades.filter(({ exit_time: exit }) => exit !== null);
  expect([closed.length, page.trades.length, page.fills.length]).toEqual([2, 3, 6]);
  const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
  const { figures, trades } = result;
  expect(figures).toMatchObject({
    trades: 2,
    fills: 6,
    intents: 6,
    hash: page.hash,
    // The page has twelve digits.
    pnl: expect.closeTo(page.totals.pnl, 6),
    fees: expect.closeTo(page.totals.fees, 6),
    max_drawdown: expect.closeTo(page.totals.max_drawdown, 6),
    max_drawdown_share: expect.closeTo(page.totals.max_drawdown_share, 9),
    win_rate: closed.filter(({ pnl }) => pnl > 0).length / 2,
  });
  expect(figures.turnover).toBeCloseTo(sum(page.fills.map(({ price, size }) => price * size)), 3);
  expect(figures.days).toBeCloseTo((page.endTime - page.startTime) / 86_400_000, 9);
  expect(figures.days % 1).toBeGreaterThan(0.1);
  expect(trades.map((pnl) => pnl.toFixed(2))).toEqual(closed.map(({ pnl }) => pnl.toFixed(2)));
  const held = page.trades.map(
    ({ entry_time: from, exit_time: until }) => (until ?? page.endTime) - from,
  );
  expect(figures.time_in_market).toBeCloseTo(sum(held) / (page.endTime - page.startTime), 9);
}, 60_000);

test('threads that are fresh remember nothing of the point before, and a stop leaves the points that are left', async () => {
  const file = join(directory, 'fresh.yaml');
  const use = join(root, 'test/backtest/plants/remembersRuns.ts');
  const text = bot().replace(join(root, 'strategies/breakout.ts'), use);
  await writeFile(file, text);
  const flags = { param: ['size=0.01..0.6:0.01'], feed: [], set: [] };
  const { plan, tape } = await planSweep(file, flags);
  const bench = { plan, text, data: tape.data };
  const jobs = [...firstJobs(plan, tradableSpan(plan, tape.data, tape.paper.warmup))];
  const fresh = async (some: readonly SweepJob[]) => {
    const all = await runInFreshThreads(bench, some, { threads: 1, isStopped: () => false });
    return new Map(all.map((one) => [one.index, isRun(one) ? one.figures.hash : one.fault]));
  };
  const [forwards, backwards] = [
    await fresh(jobs.slice(0, 3)),
    await fresh(jobs.slice(1, 3).toReversed()),
  ];
  for (const index of [1, 2]) expect(backwards.get(index)).toBe(forwards.get(index));
  const engine = createThreadEngine(bench, { threads: 1 });
  const seen: number[] = [];
  await engine.run({
    jobs,
    onResult: ({ index }) => void seen.push(index),
    isStopped: () => seen.length > 0,
  });
  // Those that ended before the stop reached the thread are there as well.
  expect(jobs).toHaveLength(60);
  expect(seen.length).toBeLessThan(50);
}, 60_000);

test('the five best points are run a second time', () => {
  const jobs = Array.from({ length: 8 }, (_none, index): SweepJob => {
    return { index, values: [String(index)], range: {}, window: null, part: 'all' };
  });
  const results = jobs.map(
    ({ index }) =>
      ({
        index,
        figures: { pnl: index },
        returns: [],
        edges: [0, 0],
        trades: [],
      }) as never as PointResult,
  );
  const checked = pointsToCheck({ walk: null, objective: 'pnl' } as SweepPlan, {
    jobs: jobsInMemory(jobs, 0),
    tests: [],
    results: resultsInMemory(results),
  });
  expect(checked.map(({ index }) => index)).toEqual([7, 6, 5, 4, 3]);
});
