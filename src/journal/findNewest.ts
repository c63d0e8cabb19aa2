import type { IntentState } from './IntentState.ts';
import type { IntentRow, JournalStore } from './JournalStore.ts';

type Row = IntentRow & { state: IntentState };

/** The newest intent of which this is true; the journal is read from its end, and no further than to it. */
export function findNewest(
  store: Pick<JournalStore, 'newestIntents'>,
  isIt: (row: Row) => boolean,
): Row | undefined {
  for (const row of store.newestIntents()) if (isIt(row)) return row;
  return undefined;
}
