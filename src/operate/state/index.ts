/** A running bot as an operator sees it: events and books → a view, and its changes. */
export type * from './BotView.ts';
export { createBotState, type BotState, type BotStateOptions } from './createBotState.ts';
export { createUnsentExits, describeUnsent, type UnsentExit } from './createUnsentExits.ts';
export { createCandleTrack } from './createCandleTrack.ts';
