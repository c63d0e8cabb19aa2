import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstJobs, isRun, tradableSpan } from '../../../backtest/index.ts';
import type { PointResult } from '../../../backtest/sweep/PointResult.ts';
import { runPoint } from '../../../backtest/sweep/runPoint.ts';
import { pointsToCheck } from '../../../backtest/sweep/unsteadyPoints.ts';
import type { SweepJob, SweepPlan } from '../../../backtest/sweep/SweepPlan.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { root } from '../../sourceFiles.ts';
import { jobsInMemory, resultsInMemory } from './inMemory.ts';
import { bot, directory } from './sweepFolder.ts';

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
