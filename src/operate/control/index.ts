/** Orders to a running bot, its pulse, and the watchdog that acts when the pulse is gone. */
export { controlFilesOf, type ControlFiles } from './controlFiles.ts';
export { controlFilesOfBot } from './controlFilesOfBot.ts';
export { giveOrder, type Obedience } from './giveOrder.ts';
export { guardBot, type GuardOptions } from './guardBot.ts';
export { obeyOrders } from './obeyOrders.ts';
