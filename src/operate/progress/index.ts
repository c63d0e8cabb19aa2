/** Terminal output of a run while it runs and when it ends: figures → lines of text. */
export { createProgress, type Progress } from './createProgress.ts';
export { createCountProgress } from './createCountProgress.ts';
export { formatColumns, type Align } from './formatColumns.ts';
export {
  formatCount,
  formatDuration,
  formatFixed,
  formatGain,
  formatMoney,
  formatTime,
  formatWhole,
} from './formatNumbers.ts';
export { formatEnds } from './formatEnds.ts';
export { formatTable, type ClosingFigures } from './formatTable.ts';
export type { ProgressState } from './ProgressState.ts';
