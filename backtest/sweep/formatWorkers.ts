import {
  formatColumns,
  formatDuration,
  formatFixed,
  formatWhole,
  type Align,
} from '../../src/operate/index.ts';
import type { WorkerCost } from './PointCost.ts';

/** Rows of the table; the rest is one row. */
const MOST_ROWS = 20;
const HEAD = ['worker', 'points', 'failed', 'points a second', 'ms a point', 'processor time'];

/** What each worker has cost, those with the most points first, and all of them. */
export function formatWorkers(workers: readonly WorkerCost[]): string {
  const sorted = workers.toSorted((a, b) => b.points - a.points || (a.worker < b.worker ? -1 : 1));
  const [shown, rest] = [sorted.slice(0, MOST_ROWS), sorted.slice(MOST_ROWS)];
  const rows = shown.map((each) => rowOf(each.worker, [each]));
  if (rest.length > 0) rows.push(rowOf(`${formatWhole(rest.length)} more`, rest));
  if (workers.length > 1) rows.push(rowOf('all', workers));
  const align = HEAD.map((_name, at): Align => (at === 0 ? 'left' : 'right'));
  return formatColumns([HEAD, ...rows], align);
}

/** Rates are of the time in which points were computed: waiting for work is not in it. */
export const perSecond = ({ points, ms }: Pick<WorkerCost, 'points' | 'ms'>): number =>
  ms === 0 ? 0 : (points / ms) * 1_000;

function rowOf(name: string, workers: readonly WorkerCost[]): string[] {
  const sum = (what: 'points' | 'failed' | 'ms' | 'cpuMs'): number =>
    workers.reduce((total, each) => total + each[what], 0);
  const rate = workers.reduce((total, each) => total + perSecond(each), 0);
  return [
    name,
    formatWhole(sum('points')),
    formatWhole(sum('failed')),
    formatFixed(rate, rate < 10 ? 2 : 1),
    formatFixed(sum('ms') / Math.max(1, sum('points')), 1),
    formatDuration(sum('cpuMs')),
  ];
}
