import { FEWEST_SAMPLED, SAMPLE, sampleOf } from './estimateSweep.ts';
import type { Results } from './openResults.ts';
import type { PointCost } from './PointCost.ts';
import { isRun } from './PointResult.ts';
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
  /**
   * Receives what some points cost, spread over all, where there are many: they run before the others.
   * Without it they wait for none: workers elsewhere are idle while the last of a few runs.
   */
  onSample?(costs: readonly PointCost[], left: number): void;
}

/** Runs those of several lists of jobs that have no result yet, and counts over all of them. */
export interface JobRunner {
  /** Number of results that were there before. */
  readonly resumed: number;
  run(jobs: Iterable<SweepJob>): Promise<void>;
  /** Corrects the number of jobs over all lists, once it is known better. */
  expect(total: number): void;
  /** Whether each of these has its result, and nobody stopped them. */
  isDone(jobs: Iterable<SweepJob>): boolean;
}

/** @param expected number of jobs over all lists */
export function createJobRunner(
  { engine, results, onProgress, isStopped, onSample }: RunMissing,
  expected: number,
): JobRunner {
  const resumed = results.size;
  let [total, failed] = [expected, 0];
  const report = (): void => onProgress({ done: results.size, total, resumed, failed });
  report();
  const runSome = async (jobs: readonly SweepJob[]): Promise<PointCost[]> => {
    const costs: PointCost[] = [];
    if (jobs.length === 0) return costs;
    const byIndex = new Map(jobs.map((job) => [job.index, job]));
    try {
      await engine.run({
        jobs,
        onResult(result, cost) {
          const job = byIndex.get(result.index);
          if (job === undefined) return;
          results.add(job, result, cost);
          if (!isRun(result)) failed++;
          if (cost !== undefined && costs.length < SAMPLE) costs.push(cost);
          report();
        },
        flush: () => results.flush(),
        isStopped,
      });
    } finally {
      results.flush();
    }
    return costs;
  };
  return {
    resumed,
    async run(jobs) {
      const left: SweepJob[] = [];
      for (const job of jobs) if (!results.has(job.index)) left.push(job);
      if (onSample !== undefined && left.length >= FEWEST_SAMPLED) {
        const costs = await runSome(sampleOf(left));
        const rest = left.filter(({ index }) => !results.has(index));
        if (costs.length > 0) onSample(costs, rest.length);
        await runSome(rest);
      } else await runSome(left);
    },
    expect(corrected) {
      total = corrected;
      report();
    },
    isDone(jobs) {
      if (isStopped()) return false;
      for (const { index } of jobs) if (!results.has(index)) return false;
      return true;
    },
  };
}
