import type { MarketData } from '../../src/paper/index.ts';
import { firstJobs, testJobs } from './jobsOf.ts';
import { rankColumnsOf } from './rankJobs.ts';
import type { SweepResults } from './results/SweepResults.ts';
import { createJobRunner, type RunMissing } from './runJobs.ts';
import type { SweepJobs } from './SweepJobs.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';
import { tradableSpan } from './tradableSpan.ts';
import { pointsToCheck, unsteadyPoints, type RunFresh } from './unsteadyPoints.ts';
import { windowsOf } from './walkForward.ts';

export interface RunSweep extends RunMissing {
  plan: SweepPlan;
  data: MarketData;
  /** Bars of warm-up before anything can be traded. */
  warmup: number;
  /** For a second run of the points that matter, whichever engine ran them first. */
  runFresh: RunFresh;
}

/** The result of a sweep: all its jobs, and the results of those that ran. */
export interface SweepOutcome {
  /** Those that were known before anything ran. */
  jobs: SweepJobs;
  /** The tests of a walk-forward, which follow from them. */
  tests: readonly SweepJob[];
  results: SweepResults;
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
  const windows = plan.walk === null ? [] : windowsOf(plan.walk, span);
  const runner = createJobRunner(sweep, jobs.length + windows.length);
  await runner.run(jobs);
  let tests: SweepJob[] = [];
  if (!isStopped() && windows.length > 0) {
    const columns = rankColumnsOf(results, jobs.length, plan.objective);
    tests = testJobs(plan, jobs, columns, windows);
    // A window that chose nothing has no test.
    runner.expect(jobs.length + tests.length);
    await runner.run(tests);
  }
  const isDone = (): boolean => runner.isDone(jobs) && runner.isDone(tests);
  const checked = isDone() ? pointsToCheck(plan, { jobs, tests, results }) : [];
  const unsteady = unsteadyPoints(checked, results, await sweep.runFresh(checked));
  return { jobs, tests, results, resumed: runner.resumed, isComplete: isDone(), unsteady };
}
