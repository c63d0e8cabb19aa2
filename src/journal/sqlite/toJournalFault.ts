import { resolve } from 'node:path';
import { JournalFault, type JournalFaultCode } from '../JournalFault.ts';
import { codeOf, extendedCodeOf, SQLITE } from './sqliteCodes.ts';

/** How to proceed without a journal that can't be trusted. */
const SET_ASIDE =
  'Nothing is sent on a journal that may have lost something. Restore a backup: trimtab journal restore\n' +
  '  CONFIG BACKUP, which keeps the damaged file beside it and starts at kill level L1. Only without a\n' +
  '  backup, keep it for inspection (trimtab journal verify), move it and its -wal and -shm files away, and\n' +
  '  start again: what runs on the service is found there and taken over, but kill levels, pauses and\n' +
  '  unresolved intents are forgotten.';

/** What errors of SQLite, and of the file system where the journal calls it itself, mean for a journal. */
const CAUSES: ReadonlyMap<unknown, JournalFaultCode> = new Map<unknown, JournalFaultCode>([
  [SQLITE.BUSY, 'in_use'],
  [SQLITE.CORRUPT, 'damaged'],
  [SQLITE.NOTADB, 'damaged'],
  [SQLITE.READONLY, 'read_only'],
  [SQLITE.FULL, 'full'],
  [SQLITE.CANTOPEN, 'missing'],
  [SQLITE.IOERR, 'unreachable'],
  ['EROFS', 'read_only'],
  ['EACCES', 'read_only'],
  ['EPERM', 'read_only'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EIO', 'unreachable'],
]);

const causeOf = (thrown: unknown): JournalFaultCode | undefined =>
  CAUSES.get(codeOf(thrown)) ?? CAUSES.get((thrown as { code?: unknown } | undefined)?.code);

/** An error of SQLite or the file system as what it means for a journal and what to do; anything else unchanged. */
export function toJournalFault(thrown: unknown, path: string): unknown {
  if (thrown instanceof JournalFault) return thrown;
  const options = { cause: thrown };
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  switch (causeOf(thrown)) {
    case 'in_use':
      return new JournalFault(
        'in_use',
        `The journal ${path} is locked by another program: ${why}. What was to be written was not; the rest is intact.\n` +
          '  End that program’s transaction (a sqlite3 shell?), then start again. trimtab journal and a backup read without a lock.',
        options,
      );
    case 'damaged':
      return new JournalFault(
        'damaged',
        `The journal ${path} is damaged: ${why}.\n  ${SET_ASIDE}`,
        options,
      );
    case 'read_only':
      return readOnly(path, options);
    case 'full':
      return new JournalFault(
        'full',
        `The journal ${path} can't grow: its file system is full. Its content is intact.\n  Free some space, then start again.`,
        options,
      );
    case 'missing':
      return isTooLong(path) ? tooLong(path, options) : missing(path, options);
    case 'unreachable':
      return new JournalFault(
        'unreachable',
        `The journal ${path} can't be read or written: ${why}.\n  Check the disk and its free space, then start again.`,
        options,
      );
    default:
      return thrown;
  }
}

/**
 * An error of a copy that is made of a journal, as a fault of the journal where reading it failed. The rest is the
 * copy's: a disk that is full, a folder without the right to write.
 */
export function toCopyFault(thrown: unknown, path: string): unknown {
  const isOfSource =
    OF_READING.includes(codeOf(thrown)) || extendedCodeOf(thrown) === SQLITE.IOERR_READ;
  return isOfSource ? toJournalFault(thrown, path) : thrown;
}

const OF_READING: ReadonlyArray<number | undefined> = [SQLITE.BUSY, SQLITE.CORRUPT, SQLITE.NOTADB];

export function readOnly(path: string, options?: ErrorOptions): JournalFault {
  return new JournalFault(
    'read_only',
    `The journal ${path} can't be written: it, its directory or its file system is read-only.\n  Give the user of this process the right to write there, or name another path.`,
    options,
  );
}

/** SQLite reports what it may not read as what is not there. */
export function unreadable(path: string, options?: ErrorOptions): JournalFault {
  return new JournalFault(
    'unopened',
    `The journal ${path} can't be read by this user.\n  Give the command as the bot's user, or give this user the right to read it.`,
    options,
  );
}

export function missing(path: string, options?: ErrorOptions): JournalFault {
  return new JournalFault(
    'missing',
    `The journal ${path} can't be opened: its directory is not there.\n  Make the directory, or name another path.`,
    options,
  );
}

/** Bytes of the longest path that SQLite opens with the endings of its lock and its log; of a longer one it says no more than that. */
const MOST_PATH_BYTES = 499;

const isTooLong = (path: string): boolean => Buffer.byteLength(resolve(path)) > MOST_PATH_BYTES;

function tooLong(path: string, options: ErrorOptions): JournalFault {
  const bytes = Buffer.byteLength(resolve(path));
  return new JournalFault(
    'unopened',
    `The journal ${path} can't be opened: its path has ${bytes} bytes, and SQLite takes ${MOST_PATH_BYTES} at most.\n  Name a shorter path.`,
    options,
  );
}

export function damaged(path: string, what: string): JournalFault {
  return new JournalFault('damaged', `The journal ${path} is damaged: ${what}.\n  ${SET_ASIDE}`);
}

/** A record does not match its checksum; its first field names it. */
export const changedRecord = (path: string, name: string | number): JournalFault =>
  damaged(path, `a record is not what was written (${name})`);
