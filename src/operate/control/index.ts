/** Orders and settlements to a running bot, its pulse, and the watchdog that acts when that is gone. */
export { askToSettle, type Settling } from './askToSettle.ts';
export { controlFilesOf, type ControlFiles } from './controlFiles.ts';
export { controlFilesOfBot } from './controlFilesOfBot.ts';
export { giveOrder, type Obedience } from './giveOrder.ts';
export { guardBot, type GuardOptions } from './guardBot.ts';
export { latchStopped, type Latched } from './latchStopped.ts';
export { obeyOrders, type Listening } from './obeyOrders.ts';
export { obeySettlements } from './obeySettlements.ts';
export { STATES, statusOf, type BotStatus } from './statusOf.ts';
