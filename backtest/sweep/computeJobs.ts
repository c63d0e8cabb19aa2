import type { ComputedPoint, PointThreads } from './createPointThreads.ts';
import type { SweepJob } from './SweepPlan.ts';

/** Computes these points one after the other, as long as they are wanted. */
export async function computeJobs(
  jobs: readonly SweepJob[],
  threads: PointThreads,
  isWanted: () => boolean,
): Promise<ComputedPoint[]> {
  const done: ComputedPoint[] = [];
  for (const job of jobs) {
    if (!isWanted()) break;
    done.push(await threads.run(job));
  }
  return done;
}
