/** Can a backtest be trusted: look-ahead, warm-up, determinism, fill assumptions, costs. */
export { checkBot, type CheckResult } from './checkBot.ts';
export { formatCheck } from './formatCheck.ts';
