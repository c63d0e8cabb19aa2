/** The research bench: a bot's configuration in virtual time, on the paper core of this process. */
export { runLoadedBacktest, type LoadedBacktestOptions } from './runLoadedBacktest.ts';
export { parseTimeRange, type TimeRange, type TimeRangeResult } from './TimeRange.ts';
export * from './sweep/index.ts';
export { tapeInRange } from './tapeInRange.ts';
export { explainEmptyRange } from './explainEmptyRange.ts';
