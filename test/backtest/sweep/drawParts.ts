import { join } from 'node:path';
import {
  openResults,
  shardOfJob,
  type SweepJobs,
  type SweepPlan,
} from '../../../backtest/index.ts';
import { cellsOf, type PointCells } from '../../../backtest/sweep/results/pointRow.ts';
import { createRandom } from '../../../src/env/index.ts';

/** Rows that are written at once. */
const BATCH = 10_000;

/**
 * Writes the files of all shards of a sweep whose results are drawn instead of computed: as many days of
 * returns, with a little skill that depends on the point.
 *
 * @returns paths of the files, and the index of the job with the best Sharpe ratio
 */
export function drawParts(
  folder: string,
  { plan, jobs, count, days }: { plan: SweepPlan; jobs: SweepJobs; count: number; days: number },
): { paths: string[]; best: number } {
  const now = (): number => 0;
  const paths = Array.from({ length: count }, (_none, at) => join(folder, `part-${at + 1}.sqlite`));
  const files = paths.map((path, at) =>
    openResults(path, plan, { now, shard: { number: at + 1, count } }),
  );
  const waiting = paths.map((): PointCells[] => []);
  const random = createRandom('drawn');
  let [best, most] = [0, -Infinity];
  for (const job of jobs) {
    const skill = Math.sin(job.index / 5_000) / 20;
    const returns = Array.from({ length: days }, () => (random.next() - 0.5 + skill) / 50);
    const trades = Array.from({ length: 40 }, () => random.next() - 0.5);
    const pnl = returns.reduce((sum, each) => sum + each, 0);
    const mean = pnl / days;
    const square = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0);
    const sharpe = (mean / Math.sqrt(square / (days - 1))) * Math.sqrt(365);
    if (sharpe > most) [best, most] = [job.index, sharpe];
    const ratios = { sharpe, sortino: sharpe, calmar: sharpe, profit_factor: 1, win_rate: 0.5 };
    const counts = { trades: 40, fills: 80, intents: 80, denied: 0, liquidations: 0 };
    const money = { pnl, max_drawdown: 1, max_drawdown_share: 0.1, fees: 1, turnover: 10 };
    const rest = { days, time_in_market: 0.5, hash: `hash of ${job.index}` };
    const figures = { ...ratios, ...counts, ...money, ...rest };
    const at = shardOfJob(job.index, count) - 1;
    const own = waiting[at]!;
    own.push(cellsOf(job, { index: job.index, figures, returns, edges: [0.01, 0], trades }));
    if (own.length >= BATCH) files[at]!.addRows(own.splice(0));
  }
  files.forEach((file, at) => {
    file.addRows(waiting[at]!);
    file.close();
  });
  return { paths, best };
}
