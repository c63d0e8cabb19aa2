import type { SweepJob } from './SweepPlan.ts';

/** Long against the cost of giving out a batch, short against the loss when its worker dies. */
const [BATCH_MS, MOST_POINTS] = [4_000, 500];

/** Points that workers take together, so many that a batch takes some seconds. @param times of points so far, in milliseconds */
export function batchesOf(jobs: readonly SweepJob[], times: readonly number[]): SweepJob[][] {
  const usual = times.toSorted((a, b) => a - b)[times.length >> 1] ?? BATCH_MS;
  const size = Math.min(MOST_POINTS, Math.ceil(BATCH_MS / Math.max(usual, 1)));
  const count = Math.ceil(jobs.length / size);
  // Every so many-th point: where one side of the grid takes longer, batches still take as long.
  const batches = Array.from({ length: count }, (): SweepJob[] => []);
  jobs.forEach((job, at) => batches[at % count]!.push(job));
  return batches;
}
