import { DatabaseSync } from 'node:sqlite';
import type { JournalUpgrade } from '../JournalStore.ts';
import { requireReadable } from './openDatabase.ts';
import { toJournalFault } from './toJournalFault.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { UPGRADE_FACT } from './upgradeFormat.ts';

/** The format of this program's journals in files. */
export const FORMAT = SCHEMA_VERSION;

/**
 * The format of a journal in a file, without a change of it.
 *
 * @throws JournalFault if the file can't be read
 */
export function formatOf(path: string): number {
  requireReadable(path);
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      return Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    } finally {
      db.close();
    }
  } catch (error) {
    throw toJournalFault(error, path);
  }
}

/** The changes of format among a journal's facts, oldest first. */
export function readUpgrades(facts: Readonly<Record<string, string>>): JournalUpgrade[] {
  return Object.entries(facts)
    .filter(([key]) => key.startsWith(UPGRADE_FACT))
    .map(([, value]) => JSON.parse(value) as JournalUpgrade)
    .toSorted((one, other) => one.to - other.to);
}
