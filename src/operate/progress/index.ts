/** Terminal output of a run while it runs and when it ends: figures → lines of text. */
export { createProgress, type Progress, type ProgressOptions } from './createProgress.ts';
export { createCountProgress, type Count } from './createCountProgress.ts';
export { formatColumns, type Align } from './formatColumns.ts';
export {
  formatDuration,
  formatFixed,
  formatGain,
  formatMoney,
  formatTime,
  formatWhole,
} from './formatNumbers.ts';
export { formatEnds, type Ends } from './formatEnds.ts';
export { formatTable, type ClosingFigures } from './formatTable.ts';
export type { ProgressState } from './ProgressState.ts';
