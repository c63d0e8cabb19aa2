import type { IntentState, JournalStore } from '../../journal/index.ts';

/** A sent and unanswered intent: it may have been executed. */
export interface Unanswered {
  /** Idempotency key. */
  key: string;
  instance: string;
  wallet: string;
  kind: string;
  state: IntentState;
}

const SENT: readonly IntentState[] = ['sending', 'unknown', 'unresolved'];

/** Open intents of the journal that may have been executed, oldest first. */
export function listUnanswered(store: Pick<JournalStore, 'openIntents'>): Unanswered[] {
  return store
    .openIntents()
    .filter(({ state }) => SENT.includes(state))
    .map(({ key, instance, wallet, kind, state }) => ({ key, instance, wallet, kind, state }));
}
