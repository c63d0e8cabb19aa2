import type { Objective } from '../../src/config/index.ts';
import { countBefore, createRandom } from '../../src/env/index.ts';
import {
  deflatedSharpe,
  momentsOf,
  shuffleTrades,
  type ShuffledTrades,
} from '../../src/statistics/index.ts';
import { gridSize, pointsOf } from './jobsOf.ts';
import type { PointRun } from './PointResult.ts';
import type { Ranking } from './rankJobs.ts';
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
  /** Its figure of `rankedBy`, higher is better; infinite where nothing was lost. */
  objective: number | null;
  /** The plan's objective, or the P&L if the tape is too short for it. */
  rankedBy: Objective;
}

export interface BestPoint extends RankedPoint {
  robustness: Robustness;
}

/** Runs of the Monte Carlo on trades. */
const SHUFFLES = 2_000;

/** Sharpe ratio per period; 0 for a point that never moved. */
export function sharpeOf(returns: ArrayLike<number>): number {
  const { mean, deviation } = momentsOf(returns);
  return deviation > 0 ? mean / deviation : 0;
}

/**
 * The first points of a ranking, each with its robustness.
 *
 * @param options.sharpes of every point that ran, per period
 */
export function bestPoints(
  plan: SweepPlan,
  points: readonly RankedPoint[],
  { ranking, sharpes }: { ranking: Ranking; sharpes: Float64Array },
): BestPoint[] {
  const objectiveAt = createNeighbourhood(plan, ranking);
  return points.map((point) => {
    const random = createRandom(`trades ${point.job.index}`);
    const next = (): number => random.next();
    const { run } = point;
    return {
      ...point,
      robustness: {
        // Too little data for the ratio is too little for its probability.
        deflatedSharpe:
          run.figures.sharpe === null ? null : deflatedSharpe(momentsOf(run.returns), sharpes),
        shuffled: shuffleTrades(run.trades, { runs: SHUFFLES, next }),
        neighbours: neighboursOf(plan, point.job, objectiveAt),
      },
    };
  });
}

type ObjectiveAt = (values: readonly string[]) => number | null;

/** Looks up a point by its place in the grid, which is that of its job if the whole grid is tried. */
function createNeighbourhood(plan: SweepPlan, ranking: Ranking): ObjectiveAt {
  const { params } = plan;
  const points = plan.random === null ? null : pointsOf(plan);
  const jobs = points?.length ?? gridSize(params);
  return (values) => {
    const point = params.reduce(
      (place, param, at) => place * param.values.length + param.values.indexOf(values[at]!),
      0,
    );
    const index = points === null ? point : placeOf(points, point);
    return index === null || index >= jobs ? null : ranking.objectiveOf(index);
  };
}

function placeOf(ascending: Float64Array, wanted: number): number | null {
  const place = countBefore(ascending, wanted);
  return ascending[place] === wanted ? place : null;
}

function neighboursOf(
  { params }: SweepPlan,
  job: SweepJob,
  objectiveAt: ObjectiveAt,
): Robustness['neighbours'] {
  const found = params.flatMap(({ values }, at) => {
    const step = values.indexOf(job.values[at]!);
    return [step - 1, step + 1].flatMap((other) => {
      if (values[other] === undefined) return [];
      return objectiveAt(job.values.with(at, values[other])) ?? [];
    });
  });
  if (found.length === 0) return null;
  const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
  return { count: found.length, mean, worst: Math.min(...found) };
}
