/** Can a backtest be trusted: look-ahead, warm-up, determinism, fill assumptions, costs. */
export { checkBot, type CheckOptions, type CheckResult } from './checkBot.ts';
export type { Finding } from './Finding.ts';
export { formatCheck } from './formatCheck.ts';
