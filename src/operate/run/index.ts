/** A configuration as a running bot: load → connect → run → figures. */
export { runPaper, type PaperRun, type RunPaperOptions } from './runPaper.ts';
export { runService, type RunServiceOptions } from './runService.ts';
export type { RunFailure, RunResult } from './RunFailure.ts';
export { loadDialect } from './loadDialect.ts';
export { openService } from './openService.ts';
