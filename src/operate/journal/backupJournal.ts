import { existsSync, linkSync, rmSync } from 'node:fs';
import type { FailureCode } from '../../contract/index.ts';
import { reasonOf } from '../../env/index.ts';
import { copySqlite, isPostgresUrl, JournalFault } from '../../journal/index.ts';
import { explainUnwritable } from '../explainUnwritable.ts';
import type { JournalPlace } from './openJournalReader.ts';
import { verifyCopy, type Verification } from './verifyJournal.ts';

/** A completed backup, or why there is none. */
export type BackupResult =
  { ok: true; found: Verification } | { ok: false; code: FailureCode; reason: string };

const IN_DATABASE =
  'A journal in PostgreSQL is backed up by the database: pg_dump --schema=trimtab DATABASE > FILE\n' +
  '  holds the journals of all its accounts.';

/**
 * Copies a whole journal file, even while its bot writes it, and verifies the copy before it gets its
 * name: an existing backup is a usable one.
 *
 * @param pid of this process, for a unique temporary name
 * @throws JournalFault if there is no complete journal to copy
 */
export async function backupJournal(
  { place }: JournalPlace,
  out: string,
  pid: number,
): Promise<BackupResult> {
  if (isPostgresUrl(place))
    return { ok: false, code: 'TRIMTAB_JOURNAL_IN_DATABASE', reason: IN_DATABASE };
  if (place === 'memory') {
    const message = 'A journal in memory ends with its bot; there is nothing to back up.';
    throw new JournalFault('missing', message);
  }
  if (existsSync(out)) return taken(out);
  const unwritable = explainUnwritable(out);
  if (unwritable !== null) return refused(out, unwritable);
  const part = `${out}.${pid}.part`;
  try {
    await copySqlite(place, part);
    const found = await verifyCopy(part);
    if (found.problems.length === 0) linkSync(part, out);
    return { ok: true, found };
  } catch (error) {
    if (error instanceof JournalFault) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return taken(out);
    return refused(out, reasonOf(error));
  } finally {
    rmSync(part, { force: true });
  }
}

function taken(out: string): BackupResult {
  const reason = `${out} exists already, and a backup overwrites nothing.\n  Name another file.`;
  return { ok: false, code: 'TRIMTAB_OUTPUT_EXISTS', reason };
}

function refused(out: string, why: string): BackupResult {
  const reason = `${out} can't be written: ${why}`;
  return { ok: false, code: 'TRIMTAB_OUTPUT_UNWRITABLE', reason };
}
