import { createRandom } from '../../src/env/index.ts';
import { createOverfitting, type Overfitting } from '../../src/statistics/index.ts';
import { bestPoints, sharpeOf, type BestPoint, type RankedPoint } from './bestPoints.ts';
import { isRun } from './PointResult.ts';
import { rankColumnsOf, rankJobs, type RankColumns, type Ranking } from './rankJobs.ts';
import type { SweepOutcome } from './runSweep.ts';
import type { SweepPlan } from './SweepPlan.ts';

/** The result of a sweep with the statistics across its points, computed once for all outputs. */
export interface EvaluatedSweep extends SweepOutcome {
  columns: RankColumns;
  /** The points that ran; none for a walk-forward, which is evaluated window by window. */
  ranking: Ranking;
  /** The first of them. */
  best: BestPoint[];
  /** Probability that the choice of the best one is overfitted; null with too little data. */
  overfitting: Overfitting | null;
  /** The reasons of points that failed, each with how many did. */
  faults: ReadonlyMap<string, number>;
}

/**
 * Passes over the results twice, and keeps a few numbers of each point.
 *
 * @param count the most of the best points that are shown
 */
export function evaluateSweep(
  plan: SweepPlan,
  outcome: SweepOutcome,
  count: number,
): EvaluatedSweep {
  const { jobs, tests, results } = outcome;
  const total = jobs.length + tests.length;
  const columns = rankColumnsOf(results, total, plan.objective);
  const span = plan.walk === null ? { from: 0, until: total } : { from: 0, until: 0 };
  const ranking = rankJobs(columns, plan.objective, span);
  const evaluated = { ...outcome, columns, ranking, faults: faultsOf(outcome) };
  if (ranking.length === 0) return { ...evaluated, best: [], overfitting: null };
  const { sharpes, overfitting } = acrossPoints(outcome, columns);
  const points = pointsAt(outcome, ranking, count);
  return { ...evaluated, best: bestPoints(plan, points, { ranking, sharpes }), overfitting };
}

/** The first points of a ranking. */
function pointsAt({ jobs, results }: SweepOutcome, ranking: Ranking, count: number): RankedPoint[] {
  return Array.from({ length: Math.min(count, ranking.length) }, (_none, place) => {
    const { index, objective } = ranking.at(place)!;
    const run = results.get(index);
    if (run === undefined || !isRun(run)) throw new Error(`Job ${index} has lost its result.`);
    return { job: jobs.at(index), run, objective, rankedBy: ranking.rankedBy };
  });
}

function acrossPoints(
  { results }: SweepOutcome,
  { ran, days }: RankColumns,
): { sharpes: Float64Array; overfitting: Overfitting | null } {
  let [count, shortest] = [0, Infinity];
  for (let index = 0; index < ran.length; index++) {
    if (ran[index] === 0) continue;
    count++;
    shortest = Math.min(shortest, days[index]!);
  }
  const random = createRandom('splits');
  const next = (): number => random.next();
  const trials = createOverfitting({ periods: shortest, trials: count, next });
  const sharpes = new Float64Array(count);
  let place = 0;
  for (const { returns } of results.returns()) {
    sharpes[place++] = sharpeOf(returns);
    trials.add(returns);
  }
  return { sharpes, overfitting: trials.result() };
}

function faultsOf({ results }: SweepOutcome): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { fault } of results.faults()) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return counts;
}
