import { closeSync, fsyncSync, openSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { openForReading } from './createSqliteReader.ts';
import { followLink } from './followLink.ts';
import { lostLog } from './openDatabase.ts';
import { OWNER_ONLY } from './ownerOnly.ts';
import { damaged, toCopyFault } from './toJournalFault.ts';
import { writeWriter } from './writerRow.ts';

/** All pages in one step: a copy in several restarts with each append in between. */
const WHOLE = 0x7fff_ffff;

/**
 * Copies a journal from one snapshot, while a bot may be writing it, into one file that needs no log beside it
 * and that only its user may read.
 *
 * @param copy must not exist
 * @throws JournalFault if there is no complete journal; the file system's error if the copy can't be written
 */
export async function copySqlite(place: string, copy: string): Promise<void> {
  const path = followLink(place);
  const { db, isWhole } = openForReading(path);
  try {
    if (!isWhole) throw damaged(path, lostLog(path));
    closeSync(openSync(copy, 'wx', OWNER_ONLY));
    await backup(db, copy, { rate: WHOLE });
  } catch (error) {
    throw toCopyFault(error, path);
  } finally {
    db.close();
  }
  finishCopy(copy);
}

/** The copy carries the open mark of its source, but is not open itself. */
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
