import type { Results } from './openResults.ts';
import type { SweepEngine } from './SweepEngine.ts';
import type { SweepJob } from './SweepPlan.ts';

/** Jobs with a result, of all known jobs; `resumed` of them had one before. */
export interface SweepProgress {
  done: number;
  total: number;
  resumed: number;
  /** Of those that ran since the start. */
  failed: number;
}

export interface RunMissing {
  engine: SweepEngine;
  results: Results;
  /** Called when there is another result, and once before the first. */
  onProgress(progress: SweepProgress): void;
  isStopped(): boolean;
}

/** Runs those of several lists of jobs that have no result yet, and counts over all of them. */
export interface JobRunner {
  /** Number of results that were there before. */
  readonly resumed: number;
  run(jobs: Iterable<SweepJob>): Promise<void>;
  /** Whether each of these has its result, and nobody stopped them. */
  isDone(jobs: Iterable<SweepJob>): boolean;
}

/** @param total number of jobs over all lists */
export function createJobRunner(
  { engine, results, onProgress, isStopped }: RunMissing,
  total: number,
): JobRunner {
  const resumed = results.size;
  let failed = 0;
  const report = (): void => onProgress({ done: results.size, total, resumed, failed });
  report();
  return {
    resumed,
    async run(jobs) {
      const left: SweepJob[] = [];
      for (const job of jobs) if (!results.has(job.index)) left.push(job);
      if (left.length === 0) return;
      const byIndex = new Map(left.map((job) => [job.index, job]));
      try {
        await engine.run({
          jobs: left,
          onResult(result, cost) {
            const job = byIndex.get(result.index);
            if (job === undefined) return;
            results.add(job, result, cost);
            if ('fault' in result) failed++;
            report();
          },
          isStopped,
        });
      } finally {
        results.flush();
      }
    },
    isDone(jobs) {
      if (isStopped()) return false;
      for (const { index } of jobs) if (!results.has(index)) return false;
      return true;
    },
  };
}
