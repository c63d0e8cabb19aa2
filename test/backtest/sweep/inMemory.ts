import { isRun, type PointFault, type PointResult } from '../../../backtest/sweep/PointResult.ts';
import type { SweepResults } from '../../../backtest/sweep/results/SweepResults.ts';
import { createSweepJobs, type SweepJobs } from '../../../backtest/sweep/SweepJobs.ts';
import type { SweepJob } from '../../../backtest/sweep/SweepPlan.ts';

/** Jobs that a test writes down; their indexes are their positions. */
export const jobsInMemory = (jobs: readonly SweepJob[], windows = 0): SweepJobs =>
  createSweepJobs({ length: jobs.length, windows }, (index) => jobs[index]!);

/** Results that a test writes down. */
export function resultsInMemory(all: Iterable<PointResult>): SweepResults {
  const byIndex = new Map([...all].map((result) => [result.index, result]));
  const ascending = [...byIndex.values()].sort((a, b) => a.index - b.index);
  return {
    size: byIndex.size,
    has: (index) => byIndex.has(index),
    get: (index) => byIndex.get(index),
    outlines: () =>
      ascending.map((result) =>
        isRun(result)
          ? { index: result.index, figures: result.figures, days: result.returns.length }
          : result,
      ),
    returns: () => ascending.filter(isRun),
    faults: () => ascending.filter((result): result is PointFault => !isRun(result)),
  };
}
