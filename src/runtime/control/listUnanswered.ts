import { symbolOf, type Intent } from '../../intents/index.ts';
import type { IntentState, JournalStore } from '../../journal/index.ts';

/** A sent and unanswered intent: it may have been executed. */
export interface Unanswered {
  /** Idempotency key. */
  key: string;
  instance: string;
  wallet: string;
  kind: string;
  /** Empty if it names none, or several. */
  symbol: string;
  state: IntentState;
  /** Market time of its first step, epoch milliseconds. */
  time: number;
}

const SENT: readonly IntentState[] = ['sending', 'unknown', 'unresolved'];

/** Open intents of the journal that may have been executed, oldest first. */
export function listUnanswered(store: Pick<JournalStore, 'openIntents' | 'entries'>): Unanswered[] {
  return store
    .openIntents()
    .filter(({ state }) => SENT.includes(state))
    .map(({ key, instance, wallet, kind, state, intent: text }) => {
      const { intent } = JSON.parse(text) as { intent: Intent };
      const time = store.entries(key)[0]?.marketTime ?? 0;
      return { key, instance, wallet, kind, symbol: symbolOf(intent), state, time };
    });
}
