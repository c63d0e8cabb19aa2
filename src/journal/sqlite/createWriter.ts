import type { DatabaseSync } from 'node:sqlite';
import { JournalFault } from '../JournalFault.ts';
import type { Statements } from './createStatements.ts';
import type { Presence } from './createPresence.ts';
import { codeOf, extendedCodeOf, SQLITE } from './sqliteCodes.ts';
import { toJournalFault } from './toJournalFault.ts';

export interface WriterOptions {
  path: string;
  run: Pick<Statements, 'begin' | 'commit' | 'savepoint' | 'release'>;
  presence: Presence;
  onUncommitted(): void;
}

export interface Writer {
  /** Makes a change durable, with all that waits. */
  write<T>(change: () => T): T;
  /** Makes a change that is durable with the next write, at the latest when this turn of the event loop is over. */
  writeSoon(change: () => void): Promise<void>;
  /** Makes durable what waits; whoever waits for it learns how that ended. */
  settle(): void;
}

/**
 * One transaction for each write, and for all changes of a turn that may wait: a sync takes milliseconds, in which
 * nothing else happens. After a failed sync the content of the disk is unknown (the system forgets what it could not
 * write, and the next sync succeeds), so the writer refuses from then on; a full disk is known to have changed nothing,
 * and works again when there is room.
 */
export function createWriter(db: DatabaseSync, options: WriterOptions): Writer {
  const { path, run, presence, onUncommitted } = options;
  let broken: unknown;
  /** Who waits for the transaction that is open. */
  const waiting: Array<PromiseWithResolvers<void>> = [];

  function requireSound(): void {
    if (broken === undefined) return;
    const message = `The journal ${path} failed before and must be reopened.`;
    throw new JournalFault('broken', message, { cause: broken });
  }

  /** Undoes a change that failed, or the whole transaction: whoever waits for that learns why. */
  function undo(error: unknown, isWhole: boolean): unknown {
    if (isUnsure(error)) broken = error;
    const isOver = isWhole || broken !== undefined;
    const isDuplicate = codeOf(error) === SQLITE.CONSTRAINT;
    const message = 'The journal holds that decision already.';
    const fault = isDuplicate
      ? new JournalFault('duplicate', message, { cause: error })
      : toJournalFault(error, path);
    // SQLite ends the transaction itself when the disk is full.
    if (db.isTransaction) db.exec(isOver ? 'ROLLBACK' : 'ROLLBACK TO change; RELEASE change');
    if (!db.isTransaction) for (const { reject } of waiting.splice(0)) reject(fault);
    return fault;
  }

  /** Within the transaction that is open, or in a new one. */
  function make<T>(change: () => T): T {
    requireSound();
    const isShared = waiting.length > 0;
    try {
      if (!isShared) {
        run.begin.run();
        return change();
      }
      run.savepoint.run();
      const result = change();
      run.release.run();
      return result;
    } catch (error) {
      throw undo(error, !isShared);
    }
  }

  function commit(): void {
    try {
      onUncommitted();
      run.commit.run();
      // Afterwards: a write counts only where the next start finds it.
      presence.require();
    } catch (error) {
      throw undo(error, true);
    }
    for (const { resolve } of waiting.splice(0)) resolve();
  }

  function settle(): void {
    if (waiting.length === 0) return;
    try {
      commit();
    } catch {
      // Each of them was told.
    }
  }

  return {
    write(change) {
      const result = make(change);
      commit();
      return result;
    },
    writeSoon(change) {
      make(change);
      if (waiting.length === 0) queueMicrotask(settle);
      const written = Promise.withResolvers<void>();
      waiting.push(written);
      return written.promise;
    },
    settle,
  };
}

function isUnsure(error: unknown): boolean {
  if (error instanceof JournalFault) return error.code === 'gone';
  const extended = extendedCodeOf(error);
  const isSync = extended === SQLITE.IOERR_FSYNC || extended === SQLITE.IOERR_DIR_FSYNC;
  return isSync || [SQLITE.CORRUPT, SQLITE.NOTADB].includes(codeOf(error) as never);
}
