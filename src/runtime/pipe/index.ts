/** The outgoing path: from an emission to the conclusion of its request, journal first. */
export type { PersistedIntent } from './PersistedIntent.ts';
export type { Pipe } from './Pipe.ts';
export { type CatchUp, createCatchUp } from './createCatchUp.ts';
export { createPipe } from './createPipe.ts';
export { createPrepare } from './createPrepare.ts';
export { RESEND_MS } from './createResendRule.ts';
export type { LookUp } from './createReconciliation.ts';
export { createRowReservations, roomOf } from './createRowReservations.ts';
export { OVERTAKEN } from './createSending.ts';
export { omitFrom, withoutFields } from './createSettings.ts';
export { explainChange } from './explainChange.ts';
export { toOutcome } from './toOutcome.ts';
