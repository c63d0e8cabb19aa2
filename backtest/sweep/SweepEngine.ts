import type { PointCost, RunningPoint } from './PointCost.ts';
import type { PointResult } from './PointResult.ts';
import type { SweepJob } from './SweepPlan.ts';

export interface RunJobs {
  jobs: readonly SweepJob[];
  /** Receives each job's result, in the order in which they end, with its cost where it is known. */
  onResult(result: PointResult, cost?: PointCost): void;
  /** Stores what was received, before the engine may give it up elsewhere. */
  flush?(): void;
  /** True once the user requested a stop: running jobs end, no other begins. */
  isStopped(): boolean;
}

/** Runs the jobs of a sweep: threads of this process, or other processes. */
export interface SweepEngine {
  /** @throws if the engine itself fails; a point's fault is its result */
  run(options: RunJobs): Promise<void>;
  /** The points that are being computed now, where it is known. */
  running?(): RunningPoint[];
  close(): Promise<void>;
}
