/** Many backtests of one configuration: points → engine → results → ranking. */
export { configHashOf } from './loadPlanData.ts';
export { createThreadEngine, runInFreshThreads } from './createThreadEngine.ts';
export { formatSweep } from './formatSweep.ts';
export { firstJobs, gridSize, pointsOf, stepsAt } from './jobsOf.ts';
export {
  estimateSweep,
  sampleOf,
  shardsWithin,
  startOf,
  type SweepEstimate,
} from './estimateSweep.ts';
export { evaluateSweep } from './evaluateSweep.ts';
export { describeSlow, formatSweepStatus } from './formatSweepStatus.ts';
export { formatWorkers } from './formatWorkers.ts';
export {
  openResults,
  ResultsDiffer,
  ResultsRefusal,
  ResultsUnwritable,
  type Results,
  type ResultsOptions,
} from './openResults.ts';
export {
  explainList,
  parseParamRange,
  parseValues,
  shownValue,
  type ParamRange,
} from './ParamRange.ts';
export type { PointCost, RunningPoint, WorkerCost } from './PointCost.ts';
export { isRun, type PointResult, type PointRun } from './PointResult.ts';
export { planDifference } from './planDifference.ts';
export { readSweepStatus, type SweepStatus } from './readSweepStatus.ts';
export { stragglersOf } from './stragglersOf.ts';
export { overridesOf, reportPoint } from './runPoint.ts';
export { POINTS_OF_PAGE, renderSweep } from './renderSweep.ts';
export type { SweepResults } from './results/SweepResults.ts';
export type { RunMissing, SweepProgress } from './runJobs.ts';
export { runSweep, type SweepOutcome } from './runSweep.ts';
export { formatShard, parseShard, shardOfJob, sizeOfShard, type Shard } from './shards/Shard.ts';
export { describeMissing } from './shards/describeMissing.ts';
export { mergeParts, missingIn, requireOneSweep } from './shards/mergeParts.ts';
export { openPart, PartRefusal, type Part } from './shards/openPart.ts';
export { runShard, type RunShard } from './shards/runShard.ts';
export { sweepCsv } from './sweepCsv.ts';
export { shareMarketData } from './shareMarketData.ts';
export type { SweepBench } from './SweepBench.ts';
export { sourceFilesOf, toMark, type SourceMark } from './SourceMark.ts';
export type { SweepEngine } from './SweepEngine.ts';
export type { SweepJobs } from './SweepJobs.ts';
export { planId, valuesOf, type SweepJob, type SweepPlan } from './SweepPlan.ts';
export { explainNoWindow, noteFirstEnd, tradableSpan } from './tradableSpan.ts';
export { describeUnsteady } from './unsteadyPoints.ts';
export { windowsOf, type WalkForward } from './walkForward.ts';
export { createQueueEngine } from './workers/createQueueEngine.ts';
export { prepareSweep, type PrepareOptions } from './workers/prepareSweep.ts';
export { signSweep, type SharedSweep } from './workers/signSweep.ts';
export { openSweepKey, publicText, readPublicText } from './workers/sweepKey.ts';
export { workOnSweeps } from './workers/workOnSweeps.ts';
export { collectContent, type Collected } from './content/collectContent.ts';
export { openCache, type SweepCache } from './content/openCache.ts';
export { serveContent, type ContentServer } from './content/serveContent.ts';
export type { SweepContent } from './content/SweepContent.ts';
export { writeObjects } from './content/writeObjects.ts';
