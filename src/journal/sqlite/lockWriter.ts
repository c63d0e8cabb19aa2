import { closeSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { JournalFault } from '../JournalFault.ts';
import { followLink } from './followLink.ts';
import { closeToOthers } from './openDatabase.ts';
import { OWNER_ONLY } from './ownerOnly.ts';
import { codeOf, SQLITE } from './sqliteCodes.ts';
import { readWriter } from './writerRow.ts';

/** Journals that this process writes. A second lock of one would not outlive the other. */
const written = new Set<string>();

/**
 * Takes the file's writer lock: an exclusive transaction on a sibling file, which the system ends with the
 * process, however it dies. Readers of the journal itself are not blocked.
 *
 * @returns releases the lock
 */
export function lockWriter(place: string): () => void {
  const path = followLink(place);
  const name = realNameOf(path);
  if (written.has(name)) throw inUse(path, 'this process');
  closeToOthers(path);
  createLockFile(`${path}.lock`);
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw codeOf(cause) === SQLITE.BUSY ? inUse(path, 'another process', { cause }) : cause;
  }
  written.add(name);
  return () => {
    lock.close();
    written.delete(name);
  };
}

/** Only if there is none: to close a descriptor of one would take off the lock that this process may hold. */
function createLockFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The journal itself may not be there yet. */
function realNameOf(path: string): string {
  const file = resolve(path);
  return join(realpathSync(dirname(file)), basename(file));
}

function inUse(path: string, holder: string, options?: ErrorOptions): JournalFault {
  const message = `The journal ${path} is in use by ${describeHolder(path, holder)}.`;
  return new JournalFault('in_use', message, options);
}

function describeHolder(path: string, holder: string): string {
  const writer = readWriter(path);
  if (writer === undefined) return holder;
  return `${holder}: pid ${writer.pid}, since ${new Date(writer.since).toISOString()}.\n  Stop that one first; two writers would send twice`;
}
