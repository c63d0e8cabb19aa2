import { createHash } from 'node:crypto';
import { closeSync, existsSync, linkSync, openSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { OWNER_ONLY } from './ownerOnly.ts';
import { FIRST_TABLES } from './schema.ts';
import { syncPath } from './syncPath.ts';
import { damaged } from './toJournalFault.ts';

/**
 * Copies a journal that is about to change its format into a file beside it, `bot.v1.sqlite` of `bot.sqlite`, in one
 * step and durably. An existing file is never overwritten: one with the same content is the backup of an upgrade
 * that was interrupted; beside another one the copy gets a number, `bot.v1.2.sqlite`.
 *
 * @returns the file's path
 */
export function backUpFormat(db: DatabaseSync, path: string, format: number): string {
  const wanted = contentOf(db);
  for (let n = 1; ; n++) {
    const file = backupPath(path, format, n);
    if (!existsSync(file)) return writeBackup(db, file, wanted, path);
    if (contentOfFile(file) === wanted) return file;
  }
}

function backupPath(path: string, format: number, n: number): string {
  const [, stem = path, ending = ''] = /^(.*?)(\.sqlite|\.db)?$/s.exec(path) ?? [];
  return `${stem}.v${format}${n === 1 ? '' : `.${n}`}${ending}`;
}

/** It gets its name when it is whole, verified and durable; the writer's lock makes the other name unique. */
function writeBackup(db: DatabaseSync, file: string, wanted: string, path: string): string {
  const part = `${file}.part`;
  const clear = (): void => {
    for (const ending of ['', '-journal']) rmSync(`${part}${ending}`, { force: true });
  };
  clear();
  try {
    closeSync(openSync(part, 'wx', OWNER_ONLY));
    db.prepare('VACUUM INTO ?').run(part);
    if (contentOfFile(part) !== wanted) throw damaged(path, 'a copy of it differs from it');
    syncPath(part);
    linkSync(part, file);
    syncPath(dirname(resolve(file)));
    return file;
  } finally {
    clear();
  }
}

/** Undefined if the file is no whole journal. */
function contentOfFile(file: string): string | undefined {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    const found = db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
    return found === 'ok' ? contentOf(db) : undefined;
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** A digest of the format and of every row. */
function contentOf(db: DatabaseSync): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(db.prepare('PRAGMA user_version').get()));
  for (const table of FIRST_TABLES) {
    // The first column of each is its primary key.
    const rows = db.prepare(`SELECT * FROM ${table} ORDER BY 1`);
    for (const row of rows.iterate()) hash.update(`${JSON.stringify(row)}\n`);
  }
  return hash.digest('hex');
}
