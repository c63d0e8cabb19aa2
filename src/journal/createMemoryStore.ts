import { isFinal, type IntentState } from './IntentState.ts';
import type { IntentRow, JournalEntry, JournalStore } from './JournalStore.ts';

/** A journal that lives as long as its process: for backtests and tests, never for money. */
export function createMemoryStore(): JournalStore {
  const rows = new Map<string, IntentRow & { state: IntentState }>();
  const decisions = new Set<string>();
  const steps = new Map<string, JournalEntry[]>();
  const states = new Map<string, string>();
  return {
    append({ intent, entries }) {
      if (intent !== undefined) {
        const decision = `${intent.decisionKey}/${intent.generation}`;
        if (rows.has(intent.key) || decisions.has(decision)) {
          throw new Error(`The journal holds ${intent.key} already.`);
        }
        decisions.add(decision);
        rows.set(intent.key, { ...intent, state: 'emitted' });
        steps.set(intent.key, []);
      }
      for (const entry of entries) {
        const row = rows.get(entry.key);
        if (row === undefined) throw new Error(`The journal does not hold ${entry.key}.`);
        steps.get(entry.key)?.push(entry);
        row.state = entry.state;
      }
    },
    intent: (key) => rows.get(key),
    entries: (key) => [...(steps.get(key) ?? [])],
    openIntents: () => [...rows.values()].filter((row) => !isFinal(row.state)),
    intents: () => [...rows.values()],
    readState: (instance) => states.get(instance),
    writeState: (instance, state) => void states.set(instance, state),
    close: () => {},
  };
}
