import type { DatabaseSync } from 'node:sqlite';
import { checksumOf } from '../checksumOf.ts';
import type { Latch } from '../JournalStore.ts';
import { openForReading } from './createSqliteReader.ts';
import { followLink } from './followLink.ts';
import { openAsItIs } from './openAsItIs.ts';
import { hasLog, isLogLost, requireOurs } from './openDatabase.ts';

/** What a journal's file still says of what is in force. */
export interface Surviving {
  /** The last change of each latch that can be read. */
  latches: ReadonlyArray<Latch & { name: string }>;
  facts: ReadonlyMap<string, string>;
  /** When its last step was written, epoch milliseconds; undefined if there is none that can be read. */
  lastTime: number | undefined;
  /** False if a change of a latch or a fact can't be read: what was in force may be another. */
  isWhole: boolean;
}

const LATCH = ['name', 'value', 'reason', 'time'];
const FACT = ['key', 'value'];

/**
 * Reads latches and facts of a journal that may be damaged elsewhere: each row whose checksum says that it is what was
 * written. Changes nothing.
 *
 * @throws JournalFault if the file is no journal, or none of this format
 */
export function readSurviving(place: string): Surviving {
  const { db, isWhole } = openQuietly(followLink(place));
  try {
    const newest = rowsOf(db, { table: 'latches', columns: LATCH, order: 'seq DESC' });
    // What lies on the other side of a page that can't be read: older, and better than nothing.
    const oldest = newest.isRead
      ? newest
      : rowsOf(db, { table: 'latches', columns: LATCH, order: 'seq' });
    const latches = new Map<string, Latch & { name: string }>();
    for (const [name, value, reason, time] of [...newest.rows, ...oldest.rows.toReversed()]) {
      if (latches.has(String(name))) continue;
      const latch = { value: String(value), reason: String(reason), time: Number(time) };
      latches.set(String(name), { name: String(name), ...latch });
    }
    const facts = rowsOf(db, { table: 'meta', columns: FACT, order: 'key' });
    return {
      latches: [...latches.values()],
      facts: new Map(facts.rows.map(([key, value]) => [String(key), String(value)])),
      lastTime: lastStepOf(db),
      isWhole: isWhole && newest.isRead && newest.isRight && facts.isRead && facts.isRight,
    };
  } finally {
    db.close();
  }
}

/** Without a log there is nothing else to read, and no empty one is to be left beside the file. */
function openQuietly(path: string): { db: DatabaseSync; isWhole: boolean } {
  if (hasLog(path)) return openForReading(path);
  const db = openAsItIs(path);
  try {
    requireOurs(db, path);
    return { db, isWhole: !isLogLost(db) };
  } catch (error) {
    db.close();
    throw error;
  }
}

function lastStepOf(db: DatabaseSync): number | undefined {
  try {
    const last = db
      .prepare('SELECT wall_time AS time FROM entries ORDER BY seq DESC LIMIT 1')
      .get();
    return typeof last?.['time'] === 'number' ? last['time'] : undefined;
  } catch {
    return undefined;
  }
}

type Rows = Array<Array<string | number>>;

function rowsOf(
  db: DatabaseSync,
  { table, columns, order }: { table: string; columns: readonly string[]; order: string },
): { rows: Rows; isRead: boolean; isRight: boolean } {
  const rows: Rows = [];
  let isRight = true;
  try {
    const found = db.prepare(`SELECT ${columns.join(', ')}, sum FROM ${table} ORDER BY ${order}`);
    found.setReturnArrays(true);
    for (const row of found.iterate() as Iterable<unknown> as Iterable<Array<string | number>>) {
      const fields = row.slice(0, -1);
      if (checksumOf(...fields) === row.at(-1)) rows.push(fields);
      else isRight = false;
    }
    return { rows, isRead: true, isRight };
  } catch {
    return { rows, isRead: false, isRight };
  }
}
