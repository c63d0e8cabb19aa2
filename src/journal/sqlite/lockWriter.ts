import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { JournalFault } from '../JournalFault.ts';
import { closeToOthers } from './openDatabase.ts';
import { OWNER_ONLY } from './ownerOnly.ts';
import { codeOf, SQLITE } from './sqliteCodes.ts';
import { readWriter } from './writerRow.ts';

/**
 * Takes the file's writer lock: an exclusive transaction on a sibling file, which the system ends with the
 * process, however it dies. Readers of the journal itself are not blocked.
 *
 * @returns releases the lock
 */
export function lockWriter(path: string): () => void {
  closeToOthers(path);
  closeSync(openSync(`${path}.lock`, 'a', OWNER_ONLY));
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (codeOf(cause) !== SQLITE.BUSY) throw cause;
    throw new JournalFault('in_use', `The journal ${path} is in use by ${holderOf(path)}.`, {
      cause,
    });
  }
  return () => lock.close();
}

function holderOf(path: string): string {
  const writer = readWriter(path);
  if (writer === undefined) return 'another process';
  return `another process: pid ${writer.pid}, since ${new Date(writer.since).toISOString()}.\n  Stop that one first; two writers would send twice`;
}
