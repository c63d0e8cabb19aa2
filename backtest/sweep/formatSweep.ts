import { DAY_MS } from '../../src/contract/durations.ts';
import {
  formatColumns,
  formatCount,
  formatFixed,
  formatGain,
  formatMoney,
  formatTime,
  formatWhole,
  type Align,
} from '../../src/operate/index.ts';
import { FEWEST_DAYS, FEWEST_RETURNS } from '../../src/operate/report/index.ts';
import { LEAST_PERIODS, RATIO_CONVENTION, type Overfitting } from '../../src/statistics/index.ts';
import { isRun, type PointFigures } from './PointResult.ts';
import type { EvaluatedSweep } from './evaluateSweep.ts';
import type { BestPoint } from './bestPoints.ts';
import { trainedIn } from './jobsOf.ts';
import { BOUNDLESS, isBoundless, objectiveOfRun } from './objectiveOf.ts';
import { shownValue } from './ParamRange.ts';
import { rankJobs, RATIOS } from './rankJobs.ts';
import type { SweepResults } from './results/SweepResults.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';
import { describeUnsteady } from './unsteadyPoints.ts';

const NONE = '–';
/** Nothing was lost: there is nothing to divide by. */
const BOUNDLESS_SIGN = '∞';
function ratio(value: number | null): string {
  if (value === Infinity) return BOUNDLESS_SIGN;
  return value === null ? NONE : formatFixed(value, 2);
}
/** An estimate: it is never shown as 0 % or 100 %. */
function probability(value: number | null): string {
  if (value === null) return NONE;
  if (value < 0.001) return '<0.1 %';
  return value > 0.999 ? '>99.9 %' : `${(value * 100).toFixed(1)} %`;
}

/** The result of a sweep as text: the best points with their robustness. */
export function formatSweep(plan: SweepPlan, outcome: EvaluatedSweep, top: number): string {
  const parts = plan.walk === null ? [wholeSweep(plan, outcome, top)] : walkForward(plan, outcome);
  const warning = describeUnsteady(plan, outcome.unsteady) ?? '';
  return `${[...parts, warning, faultLines(outcome.faults)].filter((part) => part !== '').join('\n\n')}\n`;
}

function wholeSweep(plan: SweepPlan, outcome: EvaluatedSweep, top: number): string {
  const { head, rows, verdict } = bestTable(plan, outcome, top);
  if (rows.length === 0) return 'No point ran.';
  const table = formatColumns(
    [head, ...rows],
    head.map((): Align => 'right'),
  );
  return `${table}\n\n${verdict}\n${LEGEND}`;
}

/** The meaning of the columns of the best points. */
export const LEGEND = [
  `Sharpe, Sortino and Calmar, and the probabilities: of ${RATIO_CONVENTION}.`,
  'DSR: deflated Sharpe ratio, the probability of skill after selecting the best of so many trials.',
  'neighbours: mean and worst of the points one step away.',
  '95 % drawdown: with the closed trades reordered, without what is open at the end.',
].join('\n');

/** A table as texts, and a sentence on all of it. */
export interface SweepTable {
  head: string[];
  rows: string[][];
  verdict: string;
}

/** The best points, best first, each with its robustness. */
export function bestTable(
  plan: SweepPlan,
  { ranking, best, overfitting }: EvaluatedSweep,
  top: number,
): SweepTable {
  const names = plan.params.map(({ name }) => name);
  const figures = ['P&L', 'drawdown', 'in %', 'trades', 'DSR', 'neighbours', '95 % drawdown'];
  const rows = best.slice(0, top).map((point, index) => bestRow(point, index));
  const verdict =
    overfitting === null
      ? `Probability of backtest overfitting: needs ${LEAST_PERIODS} whole days, and two points that trade.`
      : `Probability of backtest overfitting: ${probability(overfitting.probability)} (CSCV, ${splitsOf(overfitting)}, Sharpe ratio).`;
  const shown = best.slice(0, top);
  const notes = [shortTape(plan, best), ...unbounded(shown), ...hollow(shown)];
  const said = [verdict, ...notes].filter((line) => line !== null).join('\n');
  return { head: ['#', ...names, ranking.rankedBy, ...figures], rows, verdict: said };
}

/** Every split, or how many were drawn and how far that may be off. */
function splitsOf({ splits, possibleSplits, standardError }: Overfitting): string {
  if (splits === possibleSplits) return `${formatWhole(splits)} splits`;
  const error = `standard error ${formatFixed(standardError * 100, 1)} %`;
  return `all points at ${formatWhole(splits)} of ${formatWhole(possibleSplits)} splits, drawn: ${error}`;
}

/** A run's report shows a note instead of the ratio; a sweep still needs an order. */
function shortTape({ objective }: SweepPlan, [first]: readonly BestPoint[]): string | null {
  const days = first?.run.figures.days ?? FEWEST_DAYS;
  if (first === undefined || days >= FEWEST_DAYS) return null;
  if (first.rankedBy !== objective) {
    const has = `The tape has ${formatCount(first.run.returns.length, 'whole UTC day')}`;
    return `${has}, and ${objective} needs ${FEWEST_RETURNS}: the P&L ranks the points.`;
  }
  const length = `The tape is ${daysLong(days)}`;
  return `${length}: its ratios rank the points; below ${FEWEST_DAYS} days they are not meaningful.`;
}

/** Rounded down to a tenth: 29.97 days are not 30. */
const shortened = (days: number): number => Math.floor(days * 10) / 10;
const daysLong = (days: number): string =>
  shortened(days) === 1 ? '1 day long' : `${shortened(days)} days long`;

/** If a training has no ratio, its P&L decides. */
function shortTrainings({ objective }: SweepPlan, byPnl: number): string[] {
  if (byPnl === 0) return [];
  return [
    `The P&L chose in ${formatCount(byPnl, 'window')}: a training has fewer than the ${FEWEST_RETURNS} whole UTC days that ${objective} needs.`,
  ];
}

/** A window's ratio is that of the window alone, for any number of windows. */
function shortTests({ walk, objective }: SweepPlan): string[] {
  const days = (walk?.testMs ?? Infinity) / DAY_MS;
  if (days >= FEWEST_DAYS || !RATIOS.includes(objective)) return [];
  const length = `A test is ${daysLong(days)}`;
  return [`${length}: below ${FEWEST_DAYS} days its ${objective} is not meaningful.`];
}

/** Why a point has no number that ranks it, and where it stands without one. */
function unbounded(points: readonly BestPoint[]): string[] {
  const ranked = points[0]?.rankedBy ?? 'pnl';
  if (!isBoundless(ranked)) return [];
  const all = formatWhole(points.length);
  const spotless = points.filter(({ objective }) => objective === Infinity).length;
  const lacking = points.filter(({ objective }) => objective === null).length;
  const nothing =
    ranked === 'profit_factor'
      ? 'no losing trade, and no P&L above zero'
      : 'too few days, equity that never moved or was lost, or no P&L above zero';
  return [
    ...(spotless === 0
      ? []
      : [
          `${formatWhole(spotless)} of these ${all} had ${BOUNDLESS[ranked]}: ${ranked} is ${BOUNDLESS_SIGN}, ahead of every number, and the P&L orders them.`,
        ]),
    ...(lacking === 0
      ? []
      : [
          `${formatWhole(lacking)} of these ${all} had ${nothing}: ${ranked} is ${NONE}, and they are last.`,
        ]),
  ];
}

/** A point whose intents were refused looks like one without intents. */
function hollow(points: readonly BestPoint[]): string[] {
  const count = (isSo: (figures: PointFigures) => boolean): number =>
    points.filter(({ run }) => isSo(run.figures)).length;
  const say = (some: number, what: string): string[] =>
    some === 0 ? [] : [`${formatWhole(some)} of these ${formatWhole(points.length)} ${what}`];
  return [
    ...say(
      count(({ fills }) => fills === 0),
      'had no fill (column fills of the CSV).',
    ),
    ...say(
      count(({ denied }) => denied > 0),
      'had intents denied (column denied of the CSV).',
    ),
    ...say(
      count(({ liquidations }) => liquidations > 0),
      'had positions liquidated (column liquidations of the CSV).',
    ),
  ];
}

function bestRow({ job, run, objective, robustness }: BestPoint, index: number): string[] {
  const { deflatedSharpe, neighbours, shuffled } = robustness;
  return [
    String(index + 1),
    ...job.values.map(shownValue),
    ratio(objective),
    formatGain(run.figures.pnl),
    formatMoney(run.figures.max_drawdown),
    formatFixed(run.figures.max_drawdown_share * 100, 2),
    formatWhole(run.figures.trades),
    probability(deflatedSharpe),
    neighbours === null ? NONE : `${ratio(neighbours.mean)} ${ratio(neighbours.worst)}`,
    shuffled === null ? NONE : formatMoney(shuffled.drawdown.p95),
  ];
}

function walkForward(plan: SweepPlan, outcome: EvaluatedSweep): string[] {
  const { head, rows, verdict } = windowTable(plan, outcome);
  if (rows.length === 0) return [verdict];
  const align = head.map((_name, index): Align => (index === 1 ? 'left' : 'right'));
  return [formatColumns([head, ...rows], align), `${verdict}\nRatios: ${RATIO_CONVENTION}.`];
}

/** Each window's choice, and its result on data on which it was not chosen. */
export function windowTable(
  plan: SweepPlan,
  { jobs, tests, results, columns, isComplete }: EvaluatedSweep,
): SweepTable {
  const { objective } = plan;
  const names = plan.params.map(({ name }) => name);
  const figures = [`${objective} trained`, `${objective} tested`, 'P&L tested', 'drawdown in %'];
  let byPnl = 0;
  const rows = tests.map((test) => {
    const ranking = rankJobs(columns, objective, trainedIn(test.window ?? 0, jobs));
    const best = ranking.at(0);
    if (best !== undefined && ranking.rankedBy !== objective) byPnl++;
    const trained = best === undefined ? NaN : columns.objective[best.index]!;
    const result = results.get(test.index);
    const tested = result !== undefined && isRun(result) ? result.figures : null;
    return [
      String((test.window ?? 0) + 1),
      formatTime(test.range.from ?? 0),
      ...test.values.map(shownValue),
      ratio(Number.isNaN(trained) ? null : trained),
      ratio(result === undefined || !isRun(result) ? null : objectiveOfRun(objective, result)),
      tested === null ? NONE : formatGain(tested.pnl),
      tested === null ? NONE : formatFixed(tested.max_drawdown_share * 100, 2),
    ];
  });
  const cause = isComplete
    ? 'no training point has a value of the objective'
    : 'it was stopped before';
  const verdict =
    tests.length === 0
      ? `No window was tested: ${cause}.`
      : [totalOf(tests, results), ...shortTrainings(plan, byPnl), ...shortTests(plan)].join('\n');
  return { head: ['window', 'tested from (UTC)', ...names, ...figures], rows, verdict };
}

function totalOf(tests: readonly SweepJob[], results: SweepResults): string {
  const runs = tests.flatMap(({ index }) => {
    const result = results.get(index);
    return result !== undefined && isRun(result) ? [result] : [];
  });
  const pnl = runs.reduce((sum, { figures }) => sum + figures.pnl, 0);
  const won = runs.filter(({ figures }) => figures.pnl > 0).length;
  return `Out of sample: ${formatGain(pnl)} over ${runs.length} windows, ${won} of them above zero.`;
}

function faultLines(faults: ReadonlyMap<string, number>): string {
  return [...faults]
    .map(([fault, count]) => `${formatCount(count, 'point')} failed: ${fault}`)
    .join('\n');
}
