import type { Overfitting } from '../../src/statistics/index.ts';
import {
  bestPoints,
  overfittingOf,
  rankPoints,
  type BestPoint,
  type RankedPoint,
} from './rankPoints.ts';
import type { SweepOutcome } from './runSweep.ts';
import type { SweepPlan } from './SweepPlan.ts';

/** The result of a sweep with the statistics across its points, computed once for all outputs. */
export interface EvaluatedSweep extends SweepOutcome {
  /** The points that ran, best first; none for a walk-forward, which is evaluated window by window. */
  points: RankedPoint[];
  /** The first of them. */
  best: BestPoint[];
  /** Probability that the choice of the best one is overfitted; null with too little data. */
  overfitting: Overfitting | null;
}

/** @param count the most of the best points that are shown */
export function evaluateSweep(
  plan: SweepPlan,
  outcome: SweepOutcome,
  count: number,
): EvaluatedSweep {
  const { jobs, results } = outcome;
  const points = plan.walk === null ? rankPoints(jobs, results, plan.objective) : [];
  return {
    ...outcome,
    points,
    best: bestPoints(plan, points, count),
    overfitting: points.length === 0 ? null : overfittingOf(points),
  };
}
