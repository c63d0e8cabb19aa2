import { DatabaseSync } from 'node:sqlite';
import { checksumOf } from '../checksumOf.ts';

/** Row of `meta` that names the writing process, for the message that refuses a second one. */
const WRITER = 'writer';

export function writeWriter(db: DatabaseSync): void {
  const row = db.prepare("SELECT unixepoch('subsec') * 1000 AS now").get();
  const value = JSON.stringify({ pid: process.pid, since: Math.round(Number(row?.['now'])) });
  db.prepare(
    `INSERT INTO meta (key, value, sum) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, sum = excluded.sum`,
  ).run(WRITER, value, checksumOf(WRITER, value));
}

/** Best effort, and only for people: the lock itself is what counts. */
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
