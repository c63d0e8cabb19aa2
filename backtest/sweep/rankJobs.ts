import type { Objective } from '../../src/config/index.ts';
import { FEWEST_RETURNS } from '../../src/operate/report/index.ts';
import { objectiveOf } from './objectiveOf.ts';
import { hasRun, type SweepResults } from './results/SweepResults.ts';

/** What decides the rank of each job, by its index: a few bytes a job. */
export interface RankColumns {
  /** 1 for a job that ran. */
  ran: Uint8Array;
  /** NaN for none, infinite where nothing was lost. */
  objective: Float64Array;
  pnl: Float64Array;
  /** Number of daily returns. */
  days: Int32Array;
}

/** A job's place in a ranking. */
export interface Ranked {
  index: number;
  /** Its figure of `rankedBy`, higher is better; infinite where nothing was lost. */
  objective: number | null;
}

/** Jobs that ran, best first. */
export interface Ranking extends Iterable<Ranked> {
  readonly length: number;
  /** How many of them have the objective: they come first. */
  readonly valued: number;
  /** The objective, or the P&L if the tape is too short for it. */
  rankedBy: Objective;
  /** By place; negative from the end. */
  at(place: number): Ranked | undefined;
  objectiveOf(index: number): number | null;
}

/** Objectives that are computed from daily returns. */
export const RATIOS: readonly Objective[] = ['sharpe', 'sortino', 'calmar'];

/** @param jobs their number: indexes go from 0 to below it */
export function rankColumnsOf(
  results: SweepResults,
  jobs: number,
  objective: Objective,
): RankColumns {
  const columns = {
    ran: new Uint8Array(jobs),
    objective: new Float64Array(jobs).fill(NaN),
    pnl: new Float64Array(jobs),
    days: new Int32Array(jobs),
  };
  for (const outline of results.outlines()) {
    const { index } = outline;
    if (!hasRun(outline) || index >= jobs) continue;
    columns.ran[index] = 1;
    columns.objective[index] = objectiveOf(objective, outline, results) ?? NaN;
    columns.pnl[index] = outline.figures.pnl;
    columns.days[index] = outline.days;
  }
  return columns;
}

/**
 * Those that ran, best first: those that lost nothing, by their P&L, then by the objective, and those without one
 * last; ties by their position in the sweep. If
 * none has the days that a ratio needs, the P&L ranks them: a choice is needed, and a ratio would be
 * misleading.
 */
export function rankJobs(
  columns: RankColumns,
  objective: Objective,
  { from, until } = { from: 0, until: columns.ran.length },
): Ranking {
  const { ran, days, pnl } = columns;
  const some = new Int32Array(ran.subarray(from, until).reduce((sum, each) => sum + each, 0));
  let [count, isShort] = [0, some.length > 0];
  for (let index = from; index < until; index++) {
    if (ran[index] === 0) continue;
    some[count++] = index;
    isShort &&= days[index]! < FEWEST_RETURNS;
  }
  const isByPnl = isShort && RATIOS.includes(objective);
  const values = isByPnl ? columns.pnl : columns.objective;
  const valueOf = (index: number): number => {
    const value = values[index]!;
    return Number.isNaN(value) ? -Infinity : value;
  };
  // Two that have none are equal; a difference of two infinities would be no number.
  some.sort((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)];
    if (first === Infinity && second === Infinity) return pnl[b]! - pnl[a]! || a - b;
    return first === second ? a - b : second - first;
  });
  // What did not run has no figure, whatever its place in a column holds.
  const objectiveOf = (index: number): number | null =>
    ran[index] !== 1 || Number.isNaN(values[index]!) ? null : values[index]!;
  const ranked = (index: number): Ranked => ({ index, objective: objectiveOf(index) });
  return {
    length: some.length,
    valued: some.reduce((sum, index) => (Number.isNaN(values[index]!) ? sum : sum + 1), 0),
    rankedBy: isByPnl ? 'pnl' : objective,
    at: (place) => (some.at(place) === undefined ? undefined : ranked(some.at(place)!)),
    objectiveOf,
    *[Symbol.iterator]() {
      for (const index of some) yield ranked(index);
    },
  };
}
