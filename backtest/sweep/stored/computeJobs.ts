import type { ComputedPoint, PointThreads } from '../createPointThreads.ts';
import type { SweepJob } from '../SweepPlan.ts';

/** Computes these points one after the other, as long as they are wanted; those that remain are left out. */
export async function computeJobs(
  jobs: readonly SweepJob[],
  threads: () => PointThreads | null | undefined,
): Promise<ComputedPoint[]> {
  const done: ComputedPoint[] = [];
  for (const job of jobs) {
    const wanted = threads();
    if (!wanted) break;
    done.push(await wanted.run(job));
  }
  return done;
}
