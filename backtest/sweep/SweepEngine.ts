import type { PointResult } from './PointResult.ts';
import type { SweepJob } from './SweepPlan.ts';

export interface RunJobs {
  jobs: readonly SweepJob[];
  /** Is given each job's one result, in the order in which they end. */
  onResult(result: PointResult): void;
  /** True once the user asked to stop: what runs ends, nothing else begins. */
  isStopped(): boolean;
}

/** What carries out the jobs of a sweep: threads of this process, or other processes. */
export interface SweepEngine {
  /** @throws where the engine itself fails; a point's fault is its result */
  run(options: RunJobs): Promise<void>;
  close(): Promise<void>;
}
