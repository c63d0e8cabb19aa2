import type { PointResult, SweepJob, SweepOutcome } from '../../../backtest/index.ts';
import { jobsInMemory, resultsInMemory } from './inMemory.ts';

/** A sweep that has ended, of jobs and results that a test writes down. */
export function outcomeOf(all: readonly SweepJob[], results: Iterable<PointResult>): SweepOutcome {
  const tests = all.filter(({ part }) => part === 'test');
  const jobs = all.filter(({ part }) => part !== 'test');
  const windows = new Set(jobs.flatMap(({ window }) => window ?? [])).size;
  return {
    jobs: jobsInMemory(jobs, windows),
    tests,
    results: resultsInMemory(results),
    resumed: 0,
    isComplete: true,
    unsteady: [],
  };
}
