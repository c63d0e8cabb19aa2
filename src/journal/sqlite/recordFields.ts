import type { IntentRow, JournalEntry } from '../JournalStore.ts';

/** What the checksum of an intent is made of; the first names it. */
export function intentFields(row: IntentRow): Array<string | number> {
  const { key, decisionKey, generation, instance, wallet, kind, intent } = row;
  return [key, decisionKey, generation, instance, wallet, kind, intent];
}

/** What the checksum of a step is made of; the first names its intent. */
export function entryFields(entry: JournalEntry): Array<string | number> {
  const { key, state, wallTime, marketTime, data } = entry;
  return [key, state, wallTime, marketTime, data];
}
