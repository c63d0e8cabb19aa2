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

/** What a sweep came to, with what its points say of one another: worked out once for all that shows it. */
export interface JudgedSweep extends SweepOutcome {
  /** Those that ran, best first; none of a walk-forward, which is read window by window. */
  points: RankedPoint[];
  /** The first of them. */
  best: BestPoint[];
  /** Of the choice of the best one; null with too little to tell it from. */
  overfitting: Overfitting | null;
}

/** @param count how many of the best points are shown at most */
export function judgeSweep(plan: SweepPlan, outcome: SweepOutcome, count: number): JudgedSweep {
  const { jobs, results } = outcome;
  const points = plan.walk === null ? rankPoints(jobs, results, plan.objective) : [];
  return {
    ...outcome,
    points,
    best: bestPoints(plan, points, count),
    overfitting: points.length === 0 ? null : overfittingOf(points),
  };
}
