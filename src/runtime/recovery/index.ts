/** What the previous process left: read from the journal, reconciled with the service, resumed or ended. */
export { adoptSpots } from './adoptSpots.ts';
export { createLookUp } from './createLookUp.ts';
export { createSettle } from './createSettle.ts';
export { explainRenamed, rememberNames } from './formerStrategies.ts';
export { recoverIntents } from './recoverIntents.ts';
export { reportTakeOver, type TakeOver } from './reportTakeOver.ts';
