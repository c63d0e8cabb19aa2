/** Many backtests of one configuration: points → engine → results → ranking. */
export { createPostgresEngine } from './postgres/createPostgresEngine.ts';
export { workOnSweeps, type WorkOptions } from './postgres/workOnSweeps.ts';
export { configHashOf } from './loadPlanData.ts';
export { createThreadEngine, runInFreshThreads } from './createThreadEngine.ts';
export { formatSweep } from './formatSweep.ts';
export { firstJobs, gridSize, pointsOf, stepsAt, windowsOf } from './jobsOf.ts';
export { openResults, ResultsRefusal, type Results } from './openResults.ts';
export { parseParamRange, parseValues, type ParamRange } from './ParamRange.ts';
export { isRun, type PointResult, type PointRun } from './PointResult.ts';
export { bestPoints, overfittingOf, rankPoints, type BestPoint } from './rankPoints.ts';
export { renderSweep } from './renderSweep.ts';
export { runSweep, type SweepOutcome, type SweepProgress } from './runSweep.ts';
export { sweepCsv } from './sweepCsv.ts';
export { shareMarketData } from './shareMarketData.ts';
export { sourceFilesOf, toMark, type SourceMark } from './SourceMark.ts';
export type { SweepEngine } from './SweepEngine.ts';
export { planId, type SweepJob, type SweepPlan, type WalkForward } from './SweepPlan.ts';
export { describeUnsteady } from './unsteadyPoints.ts';
