/**
 * Commands and settlements to a running bot, its pulse, and the watchdog that acts when the pulse stops.
 */
export type { BotAnswer } from './askBot.ts';
export { askStrategy } from './askStrategy.ts';
export { askToRotate } from './askToRotate.ts';
export { askToSettle } from './askToSettle.ts';
export { controlFilesOf, strategyCommand, type ControlFiles } from './controlFiles.ts';
export { controlFilesOfBot } from './controlFilesOfBot.ts';
export { sendCommand, type CommandOutcome } from './sendCommand.ts';
export { runWatchdog } from './watchdog.ts';
export { isJournalFree } from './isJournalFree.ts';
export type { Liveness } from './readRunning.ts';
export { readLevelsBeside, showStoppedLevel } from './levelsBeside.ts';
export { latchStopped } from './latchStopped.ts';
export { pauseStopped } from './pauseStopped.ts';
export { pollCommands, type Listening } from './pollCommands.ts';
export { pollRotations } from './pollRotations.ts';
export { pollSettlements } from './pollSettlements.ts';
export { NOT_PAUSED, pollStrategyCommands } from './pollStrategyCommands.ts';
export { hasEnded, STATES, statusOf, type BotStatus } from './statusOf.ts';
export {
  describeForeign,
  describeTakingBack,
  endStage,
  readOpenStage,
  versionLatch,
} from './readOpenStage.ts';
export { promoteStopped } from './promoteStopped.ts';
export type { StageMove } from './nextStage.ts';
