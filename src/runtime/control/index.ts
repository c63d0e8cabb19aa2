/**
 * What is allowed: entry gate, kill levels, throttles, owners of positions; and what ends them: stop policy,
 * flatten.
 */
export { causeOf } from './causeOf.ts';
export { checkPositions, type PositionEvent } from './checkPositions.ts';
export { closeGateUntilShown } from './closeGateUntilShown.ts';
export { isBlind, closeGateOnOutage } from './closeGateOnOutage.ts';
export { createDecisionAge } from './createDecisionAge.ts';
export { createClosures } from './createClosures.ts';
export { createEntryGate, type EntryGate } from './createEntryGate.ts';
export { createKeyWatch } from './createKeyWatch.ts';
export { createLifted } from './createLifted.ts';
export { createKillSwitch, WIRE_CUT, type KillSwitch } from './createKillSwitch.ts';
export { createOutbox } from './createOutbox.ts';
export { createOwnership } from './createOwnership.ts';
export type { OwnerDecision } from './createOwnerDecisions.ts';
export { createOwners, type Owners } from './createOwners.ts';
export { createPauses, isPaused } from './createPauses.ts';
export { createPromote } from './promote.ts';
export { createSpotPositions } from './createSpotPositions.ts';
export { createStages, readStage } from './createStages.ts';
export { createThrottle, isThrottled, type Throttle } from './createThrottle.ts';
export {
  describeExecution,
  describeMonitor,
  describeOrder,
  describePosition,
} from './describeWork.ts';
export { followOutages, type OutagesOptions } from './followOutages.ts';
export { createStandingLevel } from './killLevels.ts';
export {
  confirmKey,
  keyAt,
  lastKeyChange,
  latchKey,
  rotateKey,
  type KeyChanged,
  type KeyRotation,
} from './rotateKey.ts';
export { learnScope } from './learnScope.ts';
export { listUnanswered, listWaitingExits } from './listUnanswered.ts';
export { reattachStops } from './reattachStops.ts';
export { stopBot } from './stopBot.ts';
export { foreignWork } from './workingOrders.ts';
