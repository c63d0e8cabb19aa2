/**
 * The bot. Its parts are in folders, in the order in which one may depend on another: links, wallet (the
 * state), record, members (the strategies), control (what is allowed), pipe (what goes out), recovery.
 */
export type { BotEvent } from './BotEvent.ts';
export type { BotPlan, PlannedShadow, PlannedStrategy } from './BotPlan.ts';
export type { PipeEvent } from './PipeEvent.ts';
export { isUnsentExit, laneOfWait } from './waits.ts';
export type { LifeEvent, RestartPolicy } from './RestartPolicy.ts';
export type { OwnerDecision } from './control/createOwnerDecisions.ts';
export type { OwnerStanding } from './control/createOwners.ts';
export type { SpotPosition } from './control/createSpotPositions.ts';
export { describeExecution, describeOrder, describeTarget } from './control/describeWork.ts';
export { endAll, inTurn } from './control/endAll.ts';
export {
  KILL_LEVELS,
  type KillLevel,
  rankOf,
  readLatch,
  writeLatch,
  type KillLatch,
} from './control/killLevels.ts';
export { ownerFactOf } from './control/createOwnership.ts';
export { placeName } from './control/createUnowned.ts';
export { isPaused, latchPause } from './control/createPauses.ts';
export { releaseThrottles } from './control/createThrottle.ts';
export type { OpenIntent, Unanswered } from './control/listUnanswered.ts';
export { endEntries } from './control/stopPolicy.ts';
export type { WorkingOrders } from './control/workingOrders.ts';
export type { KeyChanged, KeyRotation } from './control/index.ts';
export { type Bot, type BotOptions, createBot } from './createBot.ts';
export { type BarrierLink, createBarrierLink } from './links/createBarrierLink.ts';
export { createDelayedLink, hasRequestDelay, type DelayedLink } from './links/createDelayedLink.ts';
export { createWireLink } from './links/createWireLink.ts';
export { nextStop } from './links/nextStop.ts';
export {
  confirmStart,
  type ReplayControls,
  type ReplayPosition,
  runReplay,
} from './links/runReplay.ts';
export {
  latchStage,
  readStage,
  STAGES,
  isVersion,
  versionOf,
  type Stage,
  type StageRow,
} from './control/createStages.ts';
export { isSwap, type StageStep, stepRefusal } from './control/promote.ts';
export { createStateStore } from './members/createStateStore.ts';
export { createPlotLog } from './record/createPlotLog.ts';
export type { LedgerSummary } from './record/createLedger.ts';
export { createRunRecord } from './record/createRunRecord.ts';
export type { CutOrders, Delay, Refusal, RunRecord } from './record/RunRecord.ts';
export { createSettle, type Settlement } from './recovery/createSettle.ts';
export { explainRenamed } from './recovery/formerStrategies.ts';
export type { ReadRecord } from './recovery/checkRecords.ts';
export type { TakeOver } from './recovery/reportTakeOver.ts';
export { coverOf, isCovered, uncoveredSize } from './wallet/createCoverage.ts';
export { type AtWork, keysOf, LIVE, monitorKeysOf } from './wallet/AtWork.ts';
export { STANDING } from './wallet/openMonitors.ts';
export type { Liquidation } from './wallet/WalletEvent.ts';
export { isSpot } from './wallet/index.ts';
export { readBought } from './wallet/BoughtSpot.ts';
export { tradedWallets } from './wallet/tradedWallets.ts';
