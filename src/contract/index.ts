/**
 * The v1 nouns: shapes, rules, tables and limits that client, paper service and tests share. Their
 * published part is frozen beside the tests; a change to it is a decision (VER-2).
 */
export * from './algorithms.ts';
export * from './automationRequests.ts';
export * from './checkRequest.ts';
export * from './commands.ts';
export * from './delayOf.ts';
export * from './createTranslation.ts';
export * from './createWireShapes.ts';
export * from './dialect.ts';
export * from './endpoints.ts';
export * from './entryPrice.ts';
export * from './errorCodes.ts';
export * from './errorEnvelope.ts';
export * from './exchange.ts';
export * from './executeRequest.ts';
export * from './failures/FAILURES.ts';
export * from './failures/withCode.ts';
export * from './frames.ts';
export * from './identifiers.ts';
export * from './indicatorCatalogue.ts';
export * from './indicatorRead.ts';
export * from './intervals.ts';
export * from './isLoopback.ts';
export * from './isMonitorOver.ts';
export * from './isSpot.ts';
export * from './legs.ts';
export * from './limits.ts';
export * from './marketRequests.ts';
export * from './openEnum.ts';
export { publishPacemakerMinimum } from './pacemakerSeconds.ts';
export * from './orderRequest.ts';
export * from './positionRequests.ts';
export * from './priceGrid.ts';
export * from './readRetryAfterMs.ts';
export * from './records.ts';
export * from './signedSize.ts';
export { showNoAnswer } from './showNoAnswer.ts';
export { showNotSent } from './showNotSent.ts';
export { issueText, showValue } from './showValue.ts';
export * from './validation.ts';
export * from './vocabulary.ts';
