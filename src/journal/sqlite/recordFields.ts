import type { IntentRow, JournalEntry } from '../JournalStore.ts';

/** The fields of an intent's checksum; the first names it. */
export function intentFields(row: IntentRow): Array<string | number> {
  const { key, decisionKey, generation, instance, wallet, kind, intent } = row;
  return [key, decisionKey, generation, instance, wallet, kind, intent];
}

/** The fields of a step's checksum; the first names its intent. */
export function entryFields(entry: JournalEntry): Array<string | number> {
  const { key, state, wallTime, marketTime, data } = entry;
  return [key, state, wallTime, marketTime, data];
}
