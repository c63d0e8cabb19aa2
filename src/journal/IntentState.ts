/**
 * The life of an intent (append-only, monotone):
 *
 * ```
 * emitted → denied | guarded → sending → accepted | rejected | unknown | expired
 *                                unknown → accepted | rejected | absent | unresolved
 *                                unresolved → unknown, when a process starts anew
 *                                unresolved → accepted | absent, by a person's word too
 * ```
 * `guarded` and `sending` stand in the journal before the first byte leaves. A wait for the budget is
 * not a state: it is noted as `deferred` beside `guarded`. `deferred` before `guarded` is a wait for a
 * maintained row, after which the guards are asked anew.
 */
export const INTENT_STATES = [
  'emitted',
  'denied',
  'guarded',
  'deferred',
  'sending',
  'accepted',
  'rejected',
  'unknown',
  'absent',
  'unresolved',
  'expired',
] as const;
export type IntentState = (typeof INTENT_STATES)[number];

const NEXT: Readonly<Record<IntentState, readonly IntentState[]>> = {
  emitted: ['denied', 'guarded', 'deferred'],
  denied: [],
  guarded: ['deferred', 'sending', 'expired'],
  deferred: ['deferred', 'denied', 'guarded', 'sending', 'expired'],
  sending: ['sending', 'deferred', 'accepted', 'rejected', 'unknown', 'expired'],
  unknown: ['sending', 'accepted', 'rejected', 'absent', 'unresolved'],
  accepted: [],
  rejected: [],
  absent: [],
  // A process that starts anew asks again.
  unresolved: ['unknown', 'accepted', 'rejected', 'absent'],
  expired: [],
};

export function isLegalTransition(from: IntentState | undefined, to: IntentState): boolean {
  return from === undefined ? to === 'emitted' : NEXT[from].includes(to);
}

/** Nothing can follow, so the journal need not hold it in memory. */
export function isFinal(state: IntentState): boolean {
  return NEXT[state].length === 0;
}
