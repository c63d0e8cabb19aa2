import { DatabaseSync } from 'node:sqlite';
import { checksumOf } from '../checksumOf.ts';

/** Row of `meta` that names the writing process, for the message that refuses a second one. */
const WRITER = 'writer';

/** @param isOpen false if the file holds everything, and its log nothing more */
export function writeWriter(db: DatabaseSync, isOpen: boolean): void {
  const row = db.prepare("SELECT unixepoch('subsec') * 1000 AS now").get();
  const now = Math.round(Number(row?.['now']));
  const value = JSON.stringify({ pid: process.pid, since: now, open: isOpen });
  db.prepare(
    `INSERT INTO meta (key, value, sum) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, sum = excluded.sum`,
  ).run(WRITER, value, checksumOf(WRITER, value));
}

/**
 * Whether the file was left open by its writer: then what its log held is part of it. A journal of an earlier
 * version has no such mark.
 */
export function wasLeftOpen(db: DatabaseSync): boolean {
  const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(WRITER);
  if (row === undefined) return false;
  try {
    return (JSON.parse(String(row['value'])) as { open?: unknown }).open === true;
  } catch {
    // Its checksum reports what is wrong with it.
    return false;
  }
}

/** Best effort, and only for display: the lock itself is what counts. */
export function readWriter(path: string): { pid: number; since: number } | undefined {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(WRITER);
      return JSON.parse(String(row?.['value'])) as { pid: number; since: number };
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}
