import type { Objective } from '../../src/config/index.ts';
import { createRandom } from '../../src/env/index.ts';
import { FEWEST_RETURNS } from '../../src/operate/report/index.ts';
import {
  deflatedSharpe,
  momentsOf,
  overfitting,
  shuffleTrades,
  type Overfitting,
  type ShuffledTrades,
} from '../../src/statistics/index.ts';
import { isRun, type PointResult, type PointRun } from './PointResult.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';

/** The robustness of a point's objective. */
export interface Robustness {
  /** Probability that it has skill at all, given the number of trials. */
  deflatedSharpe: number | null;
  /** Results of other orders of its trades; null with too few trades. */
  shuffled: ShuffledTrades | null;
  /** Objective of the points one step away in one parameter. */
  neighbours: { count: number; mean: number; worst: number } | null;
}

export interface RankedPoint {
  job: SweepJob;
  run: PointRun;
  /** Its figure of `rankedBy`, higher is better. */
  objective: number | null;
  /** The plan's objective, or the P&L if the tape is too short for it. */
  rankedBy: Objective;
}

export interface BestPoint extends RankedPoint {
  robustness: Robustness;
}

/** Runs of the Monte Carlo on trades. */
const SHUFFLES = 2_000;

/** Objectives that are computed from daily returns. */
export const RATIOS: readonly Objective[] = ['sharpe', 'sortino', 'calmar'];

/**
 * Points that ran, best first; those without the objective last, ties by their position in the sweep. If
 * none has the days that a ratio needs, the P&L ranks them: a choice is needed, and a ratio would be
 * misleading.
 */
export function rankPoints(
  jobs: readonly SweepJob[],
  results: ReadonlyMap<number, PointResult>,
  objective: Objective,
): RankedPoint[] {
  const ran = jobs.flatMap((job) => {
    const run = results.get(job.index);
    return run === undefined || !isRun(run) ? [] : [{ job, run }];
  });
  const isShort = ran.every(({ run }) => run.returns.length < FEWEST_RETURNS);
  const rankedBy = isShort && RATIOS.includes(objective) ? 'pnl' : objective;
  const points = ran.map((point) => ({
    ...point,
    objective: point.run.figures[rankedBy],
    rankedBy,
  }));
  return points.sort(
    (a, b) => (b.objective ?? -Infinity) - (a.objective ?? -Infinity) || a.job.index - b.job.index,
  );
}

/** Probability that the choice of the best point is overfitted; null with too little data. */
export function overfittingOf(points: readonly RankedPoint[]): Overfitting | null {
  // Spreading many points into arguments would overflow the stack.
  const shortest = points.reduce((least, { run }) => Math.min(least, run.returns.length), Infinity);
  return overfitting(points.map(({ run }) => run.returns.slice(0, shortest)));
}

/** The first `count` of ranked points, each with its robustness. */
export function bestPoints(
  plan: SweepPlan,
  points: readonly RankedPoint[],
  count: number,
): BestPoint[] {
  const sharpes = points.map(({ run }) => {
    const { mean, deviation } = momentsOf(run.returns);
    return deviation > 0 ? mean / deviation : 0;
  });
  const byValues = new Map(points.map((point) => [keyOf(point.job.values), point.objective]));
  return points.slice(0, count).map((point) => {
    const random = createRandom(`trades ${point.job.index}`);
    const next = (): number => random.next();
    return {
      ...point,
      robustness: {
        // Too little data for the ratio is too little for its probability.
        deflatedSharpe:
          point.run.figures.sharpe === null
            ? null
            : deflatedSharpe(momentsOf(point.run.returns), sharpes),
        shuffled: shuffleTrades(point.run.trades, { runs: SHUFFLES, next }),
        neighbours: neighboursOf(plan, point, byValues),
      },
    };
  });
}

const keyOf = (values: readonly string[]): string => JSON.stringify(values);

function neighboursOf(
  { params }: SweepPlan,
  { job }: RankedPoint,
  byValues: ReadonlyMap<string, number | null>,
): Robustness['neighbours'] {
  const found = params.flatMap(({ values }, at) => {
    const step = values.indexOf(job.values[at]!);
    return [step - 1, step + 1].flatMap((other) => {
      if (values[other] === undefined) return [];
      const objective = byValues.get(keyOf(job.values.with(at, values[other])));
      return objective === undefined || objective === null ? [] : [objective];
    });
  });
  if (found.length === 0) return null;
  const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
  return { count: found.length, mean, worst: Math.min(...found) };
}
