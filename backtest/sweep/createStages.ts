import type { SweepJob } from './SweepPlan.ts';

/** Long against the cost of giving out a batch, short against the loss when its worker dies. */
const [BATCH_MS, MOST_POINTS, SAMPLE] = [4_000, 500, 64];

/** Which points workers are given when, and how many at a time. */
export interface Stages {
  /** What a point took a worker, in milliseconds. */
  add(ms: number): void;
  /** Batches to give out now. @param isIdle whether no worker has any */
  next(missing: readonly SweepJob[], isIdle: boolean): SweepJob[][];
}

/** Points from all over the grid run one by one first, and their times size the batches of the others. */
export function createStages(jobs: readonly SweepJob[]): Stages {
  const sample = new Set(jobs.filter((_, at) => at % Math.ceil(jobs.length / SAMPLE) === 0));
  const times: number[] = [];
  let stage = 0;
  return {
    add: (ms) => void times.push(ms),
    next(missing, isIdle) {
      if (!isIdle && (stage !== 1 || times.length * 2 < sample.size)) return [];
      const isRest = isIdle && stage > 0;
      stage++;
      const isDue = (job: SweepJob): boolean => isRest || sample.has(job) === (stage === 1);
      return batchesOf(missing.filter(isDue), times);
    },
  };
}

/** Points that workers take together, so many that a batch takes some seconds. */
function batchesOf(jobs: readonly SweepJob[], times: readonly number[]): SweepJob[][] {
  const usual = times.toSorted((a, b) => a - b)[times.length >> 1] ?? BATCH_MS;
  const size = Math.min(MOST_POINTS, Math.ceil(BATCH_MS / Math.max(usual, 1)));
  const count = Math.ceil(jobs.length / size);
  // Every so many-th point: where one side of the grid takes longer, batches still take as long.
  const batches = Array.from({ length: count }, (): SweepJob[] => []);
  jobs.forEach((job, at) => batches[at % count]!.push(job));
  return batches;
}
