/** An author's loop: save → backtest in a thread → figures in the terminal, the report in the browser. */
export type { DevSettings } from './DevMessage.ts';
export type { DevState } from './DevState.ts';
export { startDev, type DevSession } from './startDev.ts';
