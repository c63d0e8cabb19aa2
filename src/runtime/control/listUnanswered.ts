import { effectOf } from '../../intents/effectOf.ts';
import { symbolOf } from '../../intents/index.ts';
import { isUnsent, type IntentState, type JournalStore } from '../../journal/index.ts';
import { intentOf } from '../intentOf.ts';

/** An intent without an outcome, for an operator. */
export interface OpenIntent {
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

/** A sent and unanswered intent: it may have been executed. */
export type Unanswered = OpenIntent;

type Store = Pick<JournalStore, 'openIntents' | 'entries'>;
type Row = ReturnType<JournalStore['openIntents']>[number];

const SENT: readonly IntentState[] = ['sending', 'unknown', 'unresolved'];

/** Open intents of the journal that may have been executed, oldest first. */
export function listUnanswered(store: Store): Unanswered[] {
  return store
    .openIntents()
    .filter(({ state }) => SENT.includes(state))
    .map((row) => describe(store, row));
}

/** Exits that were never sent, oldest first: what they were to end goes on. */
export function listWaitingExits(store: Store): OpenIntent[] {
  return store
    .openIntents()
    .filter((row) => isUnsent(row.state) && isExit(store, row))
    .map((row) => describe(store, row));
}

/** By itself, or by its approval: moving an exit is one. */
function isExit(store: Store, { key, intent: text }: Row): boolean {
  const { isExit, reduceOnly } = effectOf(intentOf(text));
  if (isExit || reduceOnly) return true;
  const guarded = store.entries(key).find(({ state }) => state === 'guarded');
  return (JSON.parse(guarded?.data || '{}') as { lane?: string }).lane === 'exit';
}

function describe(
  store: Store,
  { key, instance, wallet, kind, state, intent: text }: Row,
): OpenIntent {
  const time = store.entries(key)[0]?.marketTime ?? 0;
  return { key, instance, wallet, kind, symbol: symbolOf(intentOf(text)), state, time };
}
