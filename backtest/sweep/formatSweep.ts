import {
  formatColumns,
  formatGain,
  formatMoney,
  formatTime,
  formatWhole,
  type Align,
} from '../../src/operate/index.ts';
import { isRun, type PointResult } from './PointResult.ts';
import { bestPoints, overfittingOf, rankPoints, type BestPoint } from './rankPoints.ts';
import type { SweepOutcome } from './runSweep.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';

const NONE = '–';
const ratio = (value: number | null): string => (value === null ? NONE : value.toFixed(2));
const share = (value: number | null): string =>
  value === null ? NONE : `${(value * 100).toFixed(0)} %`;

/** What a sweep came to, as text: the best points with what speaks for and against each. */
export function formatSweep(plan: SweepPlan, outcome: SweepOutcome, top: number): string {
  const parts = plan.walk === null ? [wholeSweep(plan, outcome, top)] : walkForward(plan, outcome);
  return `${[...parts, faults(outcome)].filter((part) => part !== '').join('\n\n')}\n`;
}

function wholeSweep(plan: SweepPlan, { jobs, results }: SweepOutcome, top: number): string {
  const points = rankPoints(jobs, results, plan.objective);
  if (points.length === 0) return 'No point ran.';
  const table = bestTable(plan, bestPoints(plan, points, top));
  const pbo = overfittingOf(points);
  const verdict =
    pbo === null
      ? 'Probability of backtest overfitting: not enough data.'
      : `Probability of backtest overfitting: ${share(pbo.probability)} (CSCV, ${formatWhole(pbo.splits)} splits, Sharpe ratio).`;
  return `${table}\n\n${verdict}\n${LEGEND}`;
}

const LEGEND = [
  'DSR: deflated Sharpe ratio, the probability of skill after the best of so many by chance.',
  'neighbours: mean and worst of the points one step away. 95 % drawdown: of the trades reordered.',
].join('\n');

function bestTable(plan: SweepPlan, best: readonly BestPoint[]): string {
  const { objective } = plan;
  const names = plan.params.map(({ name }) => name);
  const figures = ['P&L', 'drawdown', 'trades', 'DSR', 'neighbours', '95 % drawdown'];
  const head = ['#', ...names, objective, ...figures];
  const rows = best.map(({ job, run, objective: value, robustness }, index) => {
    const { deflatedSharpe, neighbours, shuffled } = robustness;
    const around =
      neighbours === null ? NONE : `${ratio(neighbours.mean)} ${ratio(neighbours.worst)}`;
    return [
      String(index + 1),
      ...job.values,
      ratio(value),
      formatGain(run.figures.pnl),
      formatMoney(run.figures.max_drawdown),
      formatWhole(run.figures.trades),
      share(deflatedSharpe),
      around,
      shuffled === null ? NONE : formatMoney(shuffled.drawdown.p95),
    ];
  });
  return formatColumns(
    [head, ...rows],
    head.map((): Align => 'right'),
  );
}

/** Each window's choice, and what it was worth where it had not been chosen. */
function walkForward(plan: SweepPlan, { jobs, results }: SweepOutcome): string[] {
  const { objective } = plan;
  const tests = jobs.filter(({ part }) => part === 'test');
  if (tests.length === 0) return ['No window was tested: no trained point has the objective.'];
  const names = plan.params.map(({ name }) => name);
  const head = [
    'window',
    'tested from (UTC)',
    ...names,
    `${objective} trained`,
    `${objective} tested`,
    'P&L tested',
  ];
  const rows = tests.map((test) => {
    const trained = jobs.filter(({ window, part }) => window === test.window && part === 'train');
    const [best] = rankPoints(trained, results, objective);
    const result = results.get(test.index);
    const figures = result !== undefined && isRun(result) ? result.figures : null;
    return [
      String((test.window ?? 0) + 1),
      formatTime(test.range.from ?? 0),
      ...test.values,
      ratio(best?.objective ?? null),
      ratio(figures?.[objective] ?? null),
      figures === null ? NONE : formatGain(figures.pnl),
    ];
  });
  const align = head.map((_name, index): Align => (index === 1 ? 'left' : 'right'));
  return [formatColumns([head, ...rows], align), totalOf(tests, results)];
}

function totalOf(tests: readonly SweepJob[], results: ReadonlyMap<number, PointResult>): string {
  const runs = tests.flatMap(({ index }) => {
    const result = results.get(index);
    return result !== undefined && isRun(result) ? [result] : [];
  });
  const pnl = runs.reduce((sum, { figures }) => sum + figures.pnl, 0);
  const won = runs.filter(({ figures }) => figures.pnl > 0).length;
  return `Out of sample: ${formatGain(pnl)} over ${runs.length} windows, ${won} of them above zero.`;
}

function faults({ jobs, results }: SweepOutcome): string {
  const counts = new Map<string, number>();
  for (const { index } of jobs) {
    const result = results.get(index);
    if (result === undefined || isRun(result)) continue;
    counts.set(result.fault, (counts.get(result.fault) ?? 0) + 1);
  }
  return [...counts]
    .map(
      ([fault, count]) =>
        `${formatWhole(count)} ${count === 1 ? 'point' : 'points'} failed: ${fault}`,
    )
    .join('\n');
}
