/** The service as the bot reaches it: over sockets, step by step on a replay, late by a latency; and its budget. */
export { createOwnBudget } from './createOwnBudget.ts';
export { createRequest } from './createRequest.ts';
