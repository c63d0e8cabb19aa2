/** The service as the bot reaches it: over sockets, in steps on a replay, with a latency; and its rate budget. */
export { createOwnBudget } from './createOwnBudget.ts';
export { createRequest } from './createRequest.ts';
export { learnBudget } from './learnBudget.ts';
