/** A configuration as a running bot: load → connect → run → figures. */
export { describeFunding } from './describeFunding.ts';
export { describeNotice } from './describeNotice.ts';
export { loadStrategies } from './loadStrategies.ts';
export { explainNothingToReplay } from './explainNothingToReplay.ts';
export { loadTape, type LoadedTape, type TapeInputs } from './loadTape.ts';
export type { DriveOptions, PaperVenue } from './PaperVenue.ts';
export { runPaper, type RunPaperOptions } from './runPaper.ts';
export { runService } from './runService.ts';
export { failed, type RunFailure, type RunResult } from './RunFailure.ts';
export { runTape, type PaperRun } from './runTape.ts';
export { stepMsOf } from './stepMsOf.ts';
export { loadDialect } from './loadDialect.ts';
export { openService } from './openService.ts';
export { BotCrashed, type ServiceRun } from './endServiceRun.ts';
export { noteSlowImports } from './noteSlowImports.ts';
export { hasEndedItsStrategy } from './watchOwnErrors.ts';
