import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ownVersion } from '../../env/index.ts';
import { JournalFault } from '../JournalFault.ts';
import type { Durability } from '../Durability.ts';
import type { JournalUpgrade } from '../JournalStore.ts';
import { openAsItIs } from './openAsItIs.ts';
import { OWNER_ONLY } from './ownerOnly.ts';
import { requireWholeLog } from './requireWholeLog.ts';
import { APPLICATION_ID, FIRST_TABLES, SCHEMA, SCHEMA_VERSION, STANDING_INDEX } from './schema.ts';
import { codeOf, SQLITE } from './sqliteCodes.ts';
import { syncPath } from './syncPath.ts';
import { damaged, missing, readOnly, unreadable } from './toJournalFault.ts';
import { upgradeFormat } from './upgradeFormat.ts';
import { wasLeftOpen } from './writerRow.ts';

/** How a file is opened by its one writer. */
export interface OpenOptions {
  durability: Durability;
  /** Called in an upgrade when its rows are written and nothing is durable yet. */
  onUncommitted(): void;
}

/** An open file, and what its opening changed of its format. */
export interface OpenedDatabase {
  db: DatabaseSync;
  upgraded: JournalUpgrade | undefined;
}

/** Opens the file for its one writer; creates it if there is none. */
export function openDatabase(path: string, options: OpenOptions): OpenedDatabase {
  const { durability, onUncommitted } = options;
  if (path === ':memory:') {
    return { db: createTables(new DatabaseSync(path)), upgraded: undefined };
  }
  requireWhole(path);
  if (!existsSync(path)) createFile(path);
  // SQLite creates it again with the first read.
  const isLogThere = hasLog(path);
  // Without a sync for each append, several may be in flight when the power fails.
  if (durability === 'power') requireWholeLog(path);
  const db = new DatabaseSync(path);
  try {
    // An operator's `sqlite3` shell may lock it: worth a short wait, not a failed append.
    db.exec('PRAGMA busy_timeout = 2000');
    requireOurs(db, path);
    if (!isLogThere && isLogLost(db)) throw damaged(path, lostLog(path));
    db.exec('PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 67108864;');
    db.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
    const upgraded = upgradeFormat(db, path, onUncommitted);
    db.exec(STANDING_INDEX);
    return { db, upgraded };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Queried from the system first: SQLite reports a missing directory and a read-only one alike. */
export function requireWritable(path: string): void {
  const directory = dirname(resolve(path));
  for (const target of existsSync(path) ? [directory, path] : [directory]) {
    try {
      accessSync(target, constants.W_OK);
    } catch (cause) {
      const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
      throw isMissing ? missing(path, { cause }) : readOnly(path, { cause });
    }
  }
}

/** Asked of the system: what this user may not read is there, and no new journal may take its place. */
export function requireReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') throw unreadable(path, { cause });
  }
}

/**
 * What an accident leaves: an empty file, another kind of file, or a log without its database. SQLite would
 * take each of them for a new, empty journal, and every decision for one never made.
 */
export function requireWhole(path: string): void {
  if (!existsSync(path)) {
    if (!existsSync(`${path}-wal`)) return;
    throw damaged(path, `its file is gone, and ${path}-wal is still there`);
  }
  const about = statSync(path);
  if (about.isDirectory())
    throw new JournalFault('foreign', `${path} is a folder.\n  Name the journal's file in it.`);
  if (about.size === 0) throw damaged(path, 'the file is empty, which a journal never is');
  if (isDatabase(path)) return;
  throw new JournalFault(
    'foreign',
    `${path} is not a journal: it is not a SQLite file. It was left as it is.\n  Name another path.`,
  );
}

/** What else keeps it from being read is reported by its opening. */
function isDatabase(path: string): boolean {
  requireReadable(path);
  let db: DatabaseSync | undefined;
  try {
    db = openAsItIs(path);
    db.prepare('PRAGMA user_version').get();
    return true;
  } catch (error) {
    return codeOf(error) !== SQLITE.NOTADB;
  } finally {
    db?.close();
  }
}

/** A journal that an earlier version created may be readable by everyone. */
export function closeToOthers(path: string): void {
  for (const ending of ['', '-wal', '-shm', '.lock']) {
    try {
      const { mode } = statSync(`${path}${ending}`);
      if ((mode & 0o077) !== 0) chmodSync(`${path}${ending}`, mode & 0o700);
    } catch {
      // Missing, or owned by another user, who decides about it.
    }
  }
}

/** A reader creates an empty one if it finds none; a writer's has at least a header. */
export function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * A file whose writer left it open has its newest appends in the log beside it. Without the log it is intact
 * but outdated, and a bot would repeat decisions that it had made already.
 */
export function isLogLost(db: DatabaseSync): boolean {
  return hasTable(db, 'meta') && wasLeftOpen(db);
}

export function lostLog(path: string): string {
  return (
    `its log ${path}-wal is missing, and with it what was appended last. To copy the journal of a\n` +
    '  bot that runs takes both files, or trimtab journal backup'
  );
}

function hasTable(db: DatabaseSync, name: string): boolean {
  const text = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
  return db.prepare(text).get(name) !== undefined;
}

/** Created beside and moved into place whole, so that a journal is never found half written. */
function createFile(path: string): void {
  const fresh = `${path}.new`;
  for (const ending of ['', '-wal', '-shm', '-journal'])
    rmSync(`${fresh}${ending}`, { force: true });
  // SQLite gives the files beside it the same permissions.
  closeSync(openSync(fresh, 'wx', OWNER_ONLY));
  const db = new DatabaseSync(fresh);
  try {
    // Not in a log yet: a close does not say that it could not write what is in one.
    createTables(db);
  } finally {
    db.close();
  }
  syncPath(fresh);
  renameSync(fresh, path);
  syncPath(dirname(resolve(path)));
}

function createTables(db: DatabaseSync): DatabaseSync {
  db.exec(`BEGIN; ${SCHEMA} ${STANDING_INDEX};
    PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
  return db;
}

/** A Trimtab journal, of a version that this program reads. */
export function requireOurs(db: DatabaseSync, path: string): void {
  const pragma = (name: string): unknown => db.prepare(`PRAGMA ${name}`).get()?.[name];
  const version = pragma('user_version');
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const names = new Set(tables.map(({ name }) => name));
  const hasTables = FIRST_TABLES.every((name) => names.has(name));
  const isOurs = pragma('application_id') === APPLICATION_ID || (version === 1 && hasTables);
  if (!isOurs) {
    throw new JournalFault(
      'foreign',
      `${path} is not a Trimtab journal, but another SQLite file. It was left as it is.\n  Name another path.`,
    );
  }
  if (!hasTables) throw damaged(path, 'tables of it are missing');
  if (version === 1 || version === SCHEMA_VERSION) return;
  throw new JournalFault(
    'version',
    `The journal ${path} is of format ${String(version)}; this program (trimtab ${ownVersion()}) has format ${SCHEMA_VERSION}. It was left as it is.\n` +
      '  Run the version of trimtab that wrote it, which also takes it back (trimtab journal downgrade), or name\n' +
      '  another path.',
  );
}
