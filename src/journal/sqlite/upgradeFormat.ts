import type { DatabaseSync } from 'node:sqlite';
import { ownVersion, reasonOf } from '../../env/index.ts';
import { checksumOf } from '../checksumOf.ts';
import { JournalFault } from '../JournalFault.ts';
import type { JournalUpgrade } from '../JournalStore.ts';
import { backUpFormat } from './backUpFormat.ts';
import { APPLICATION_ID, SCHEMA_VERSION, UPGRADE } from './schema.ts';
import { codeOf, SQLITE } from './sqliteCodes.ts';
import { damaged } from './toJournalFault.ts';

/** Facts about changes of the format start with it, and end with the new format. */
export const UPGRADE_FACT = 'upgrade ';

/**
 * Brings a journal of the former format up to date in one transaction, once a verified copy of it is durable beside
 * it. Until the transaction is, the journal is the old one, whole.
 *
 * @returns what was done; undefined if the journal is of this format
 */
export function upgradeFormat(
  db: DatabaseSync,
  path: string,
  onUncommitted: () => void,
): JournalUpgrade | undefined {
  const from = pragma(db, 'user_version');
  if (from === SCHEMA_VERSION) return undefined;
  // A damaged journal is not worth a backup that looks like one.
  const found = db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
  if (found !== 'ok') throw damaged(path, String(found).replace(/\s+/g, ' ').replace(/\.$/, ''));
  const seen = pragma(db, 'data_version');
  const backup = backUp(db, path, from);
  const now = db.prepare("SELECT unixepoch('subsec') * 1000 AS now").get()?.['now'];
  const time = Math.round(Number(now));
  const upgrade = { from, to: SCHEMA_VERSION, time, version: ownVersion(), backup };
  db.function('checksum', { varargs: true, deterministic: true }, (...fields) =>
    checksumOf(...(fields as Array<string | number>)),
  );
  db.exec('BEGIN IMMEDIATE');
  try {
    if (pragma(db, 'data_version') !== seen) throw writtenMeanwhile(path);
    db.exec(UPGRADE);
    writeFact(db, upgrade);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    onUncommitted();
    db.exec('COMMIT');
  } catch (error) {
    // SQLite ends the transaction itself when the disk is full.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
  return upgrade;
}

function backUp(db: DatabaseSync, path: string, from: number): string {
  try {
    return backUpFormat(db, path, from);
  } catch (cause) {
    if (cause instanceof JournalFault || codeOf(cause) === SQLITE.CORRUPT) throw cause;
    const isFull = codeOf(cause) === SQLITE.FULL;
    throw new JournalFault(
      isFull ? 'full' : 'read_only',
      `The journal ${path} is of format ${from}, and no backup of it can be written beside it: ${reasonOf(cause)}. It was left as it is.\n` +
        '  Free as much space as it has, or give this user the right to write there, then start again.',
      { cause },
    );
  }
}

function writeFact(db: DatabaseSync, upgrade: JournalUpgrade): void {
  const key = `${UPGRADE_FACT}${upgrade.to}`;
  const value = JSON.stringify(upgrade);
  db.prepare('INSERT INTO meta (key, value, sum) VALUES (?, ?, ?)').run(
    key,
    value,
    checksumOf(key, value),
  );
}

const pragma = (db: DatabaseSync, name: string): number =>
  Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);

/** No bot does so, as the writer's lock is of both formats; an operator's shell may. */
function writtenMeanwhile(path: string): JournalFault {
  return new JournalFault(
    'in_use',
    `The journal ${path} was written while its backup was made. It was left as it is.\n  Close what writes it, then start again.`,
  );
}
