import { isFinal, type IntentState } from '../IntentState.ts';
import type { IntentRow, JournalAppend, JournalEntry } from '../JournalStore.ts';
import { MOST_STANDING, staysWhole } from '../staysWhole.ts';

type Row = IntentRow & { state: IntentState };

/** What a process holds in memory of an account's journal, so that no read on the hot path waits. */
export interface Held {
  /** Oldest first, open ones and the newest final ones. */
  load(row: Row, entries: readonly JournalEntry[]): void;
  /** A key that is known to be in the journal, without its content. */
  loadKey(key: string, state: IntentState): void;
  /** The same of what is open at the service, however old it is: it is never dropped. */
  learn(key: string, state: IntentState): void;
  /** Counts at once. @returns undoes it, when the database refuses it */
  append(append: JournalAppend): () => void;
  retire(keys: readonly string[]): void;
  holds(key: string): boolean;
  stateOf(key: string): IntentState | undefined;
  row(key: string): Row | undefined;
  entries(key: string): JournalEntry[];
  rows(): Row[];
}

/** Final intents that are held whole; of older ones only the key, but for those that stay whole. */
export const WHOLE_FINALS = 20_000;
export const KNOWN_KEYS = 200_000;

export function createHeld(): Held {
  const rows = new Map<string, Row>();
  const steps = new Map<string, JournalEntry[]>();
  /** In the order in which they became final. */
  const finals = new Set<string>();
  const keys = new Map<string, IntentState>();
  /** Older ones that stay whole, with their last step. */
  const standing = new Map<string, { row: Row; last: JournalEntry[] }>();
  /** As many as were open at a start. */
  const learned = new Map<string, IntentState>();

  function note(key: string, state: IntentState): void {
    if (isFinal(state)) finals.add(key);
    for (const oldest of finals) {
      if (finals.size <= WHOLE_FINALS) break;
      const row = rows.get(oldest)!;
      if (staysWhole(row)) stand(row);
      forget(oldest);
    }
  }

  function stand(row: Row): void {
    standing.set(row.key, { row, last: (steps.get(row.key) ?? []).slice(-1) });
    if (standing.size > MOST_STANDING) standing.delete(standing.keys().next().value!);
  }

  /** Reduces a whole intent to its key; the oldest keys are dropped when there are too many. */
  function forget(key: string): void {
    keys.set(key, rows.get(key)!.state);
    rows.delete(key);
    steps.delete(key);
    finals.delete(key);
    for (const oldest of keys.keys()) {
      if (keys.size <= KNOWN_KEYS) break;
      keys.delete(oldest);
    }
  }

  return {
    load(row, entries) {
      rows.set(row.key, { ...row });
      steps.set(row.key, [...entries]);
      note(row.key, row.state);
    },
    loadKey: (key, state) => void keys.set(key, state),
    learn: (key, state) => void learned.set(key, state),
    append({ intent, entries }) {
      const touched = [...new Set(entries.map(({ key }) => key))];
      const before = touched.map((key) => ({
        key,
        row: rows.get(key),
        steps: steps.get(key),
      }));
      if (intent !== undefined) {
        rows.set(intent.key, { ...intent, state: 'emitted' });
        steps.set(intent.key, []);
      }
      for (const entry of entries) {
        const row = rows.get(entry.key);
        if (row === undefined) continue;
        rows.set(entry.key, { ...row, state: entry.state });
        steps.set(entry.key, [...(steps.get(entry.key) ?? []), entry]);
        note(entry.key, entry.state);
      }
      return () => {
        for (const { key, row, steps: formerSteps } of before) {
          finals.delete(key);
          if (row === undefined) rows.delete(key);
          else rows.set(key, row);
          if (formerSteps === undefined) steps.delete(key);
          else steps.set(key, formerSteps);
        }
      };
    },
    retire(retired) {
      for (const key of retired) {
        standing.delete(key);
        if (rows.has(key)) forget(key);
      }
    },
    holds: (key) => rows.has(key) || standing.has(key) || keys.has(key) || learned.has(key),
    stateOf: (key) =>
      (rows.get(key) ?? standing.get(key)?.row)?.state ?? keys.get(key) ?? learned.get(key),
    row: (key) => rows.get(key) ?? standing.get(key)?.row,
    entries: (key) => [...(steps.get(key) ?? standing.get(key)?.last ?? [])],
    rows: () => [...Array.from(standing.values(), ({ row }) => row), ...rows.values()],
  };
}
