import { DatabaseSync } from 'node:sqlite';
import { StateRefusal } from './StateRefusal.ts';

const SQLITE_BUSY = 5;

/**
 * Locks a state file for this process: an exclusive transaction on a sibling file, which the system ends
 * with the process, however it dies.
 *
 * @returns releases the lock
 */
export function lockState(path: string): () => void {
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (((cause as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw cause;
    const remedy = 'Stop that one, or give this one a file of its own.';
    throw new StateRefusal(path, 'is in use by another paper service.', remedy, { cause });
  }
  return () => lock.close();
}
