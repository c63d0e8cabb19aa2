/** A configuration as a running bot: load → connect → run → figures. */
export { runLive, type RunLiveOptions } from './runLive.ts';
export { runPaper, type PaperRun, type RunPaperOptions } from './runPaper.ts';
export type { RunFailure, RunResult } from './RunFailure.ts';
