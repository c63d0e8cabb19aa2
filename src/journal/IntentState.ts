/**
 * The life of an intent (append-only, monotone):
 *
 * ```
 * emitted → denied | guarded → sending → accepted | rejected | unknown | expired
 *                                unknown → accepted | rejected | absent | unresolved
 *                                unresolved → unknown, when a new process starts
 *                                unresolved → accepted | absent, also by an operator
 * ```
 * `guarded` and `sending` are journaled before the first byte leaves. A wait for the budget is not a state: it
 * is recorded as `deferred` beside `guarded`. `deferred` before `guarded` is a wait for a maintained row, after
 * which the guards are evaluated again.
 *
 * ```ts
 * INTENT_STATES.includes('unknown'); // => true
 * ```
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
  // A new process reconciles again.
  unresolved: ['unknown', 'accepted', 'rejected', 'absent'],
  expired: [],
};

export function isLegalTransition(from: IntentState | undefined, to: IntentState): boolean {
  return from === undefined ? to === 'emitted' : NEXT[from].includes(to);
}

/** In these states nothing of an intent is at the service: a new process evaluates it again. */
const UNSENT: readonly IntentState[] = ['emitted', 'guarded', 'deferred'];

export function isUnsent(state: IntentState): boolean {
  return UNSENT.includes(state);
}

/** No state can follow, so the journal need not hold it in memory. */
export function isFinal(state: IntentState): boolean {
  return NEXT[state].length === 0;
}
