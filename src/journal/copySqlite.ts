import { closeSync, fsyncSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { openForReading } from './createSqliteReader.ts';
import { lostLog, OWNER_ONLY } from './sqlite/openDatabase.ts';
import { damaged, toJournalFault } from './sqlite/toJournalFault.ts';
import { writeWriter } from './sqlite/writerRow.ts';

/** All pages in one step: a copy in several begins anew with each append in between. */
const WHOLE = 0x7fff_ffff;

/**
 * Copies a journal, as of one moment and while a bot may be writing it, into one file that needs no log
 * beside it and that its user alone may read.
 *
 * @param copy must not exist
 * @throws JournalFault where there is no whole journal; what the file system refuses the copy with
 */
export async function copySqlite(path: string, copy: string): Promise<void> {
  const { db, isWhole } = openForReading(path);
  try {
    if (!isWhole) throw damaged(path, lostLog(path));
    closeSync(openSync(copy, 'wx', OWNER_ONLY));
    await backup(db, copy, { rate: WHOLE });
  } catch (error) {
    throw toJournalFault(error, path);
  } finally {
    db.close();
  }
  finishCopy(copy);
}

/** It is the copy of a journal that is open, and is none itself. */
function finishCopy(copy: string): void {
  const db = new DatabaseSync(copy);
  try {
    writeWriter(db, false);
    db.exec('PRAGMA journal_mode = DELETE');
  } finally {
    db.close();
  }
  const file = openSync(copy, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
