/** The research bench: a bot's configuration in virtual time, on the paper core of this process. */
export { runBacktest, type BacktestOptions } from './runBacktest.ts';
export { parseTimeRange, type TimeRange, type TimeRangeResult } from './TimeRange.ts';
export * from './sweep/index.ts';
export { tapeInRange } from './tapeInRange.ts';
export { whyNothingInRange } from './whyNothingInRange.ts';
