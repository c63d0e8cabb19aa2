import type { MarketData } from '../../src/paper/index.ts';
import { firstJobs, testJobs } from './jobsOf.ts';
import type { PointResult } from './PointResult.ts';
import type { Results } from './openResults.ts';
import type { SweepEngine } from './SweepEngine.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';
import { tradableSpan } from './tradableSpan.ts';
import { pointsToCheck, unsteadyPoints, type RunFresh } from './unsteadyPoints.ts';
import { windowsOf } from './walkForward.ts';

/** Jobs with a result, of all known jobs; `resumed` of them had one before. */
export interface SweepProgress {
  done: number;
  total: number;
  resumed: number;
}

export interface RunSweep {
  plan: SweepPlan;
  data: MarketData;
  /** Bars of warm-up before anything can be traded. */
  warmup: number;
  engine: SweepEngine;
  results: Results;
  /** For a second run of the points that matter, whichever engine ran them first. */
  runFresh: RunFresh;
  onProgress(progress: SweepProgress): void;
  isStopped(): boolean;
}

/** The result of a sweep: all its jobs, and the results of those that ran. */
export interface SweepOutcome {
  jobs: SweepJob[];
  results: Map<number, PointResult>;
  /** Jobs whose result was in the file already. */
  resumed: number;
  isComplete: boolean;
  /** Points whose decisions differed when they were run again, alone. */
  unsteady: SweepJob[];
}

/**
 * Runs the jobs that the results file lacks. A walk-forward tests the best of each window when all are
 * trained. The decisive points are run once more, each alone, to check that they are the same.
 */
export async function runSweep(sweep: RunSweep): Promise<SweepOutcome> {
  const { plan, results, isStopped } = sweep;
  const span = tradableSpan(plan, sweep.data, sweep.warmup);
  const jobs = firstJobs(plan, span);
  const known = results.all();
  const resumed = known.size;
  const windows = plan.walk === null ? [] : windowsOf(plan.walk, span);
  const total = jobs.length + windows.length;
  const reportProgress = (): void => sweep.onProgress({ done: known.size, total, resumed });
  const runAll = async (some: readonly SweepJob[]): Promise<void> => {
    const byIndex = new Map(some.map((job) => [job.index, job]));
    const onResult = (result: PointResult): void => {
      const job = byIndex.get(result.index);
      if (job === undefined) return;
      known.set(result.index, results.add(job, result));
      reportProgress();
    };
    const left = some.filter(({ index }) => !known.has(index));
    if (left.length > 0) await sweep.engine.run({ jobs: left, onResult, isStopped });
  };
  reportProgress();
  await runAll(jobs);
  if (!isStopped() && plan.walk !== null) {
    const tests = testJobs(plan, jobs, known, windows);
    await runAll(tests);
    jobs.push(...tests);
  }
  const isDone = (): boolean => jobs.every(({ index }) => known.has(index)) && !isStopped();
  const checked = isDone() ? pointsToCheck(plan, jobs, known) : [];
  const unsteady = unsteadyPoints(checked, known, await sweep.runFresh(checked));
  return { jobs, results: known, resumed, isComplete: isDone(), unsteady };
}
