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
  /** Of its newest intent; undefined if there is none that can be read. */
  lastKey: string | undefined;
  /** Whether it ever held the intent that was asked for; undefined if none was, or that can't be read. */
  isHeld: boolean | undefined;
  /** False if a change of a latch or a fact can't be read: what was in force may be another. */
  isWhole: boolean;
}

const LATCH = ['name', 'value', 'reason', 'time'];
const FACT = ['key', 'value'];

/**
 * Reads latches and facts of a journal that may be damaged elsewhere: each row whose checksum says that it is what was
 * written. Changes nothing.
 *
 * @param key of an intent that it may have held
 * @throws JournalFault if the file is no journal, or none of this format
 */
export function readSurviving(place: string, key?: string): Surviving {
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
      lastTime: timeOf(firstOf(db, LAST_STEP)),
      lastKey: keyOf(firstOf(db, LAST_INTENT)),
      isHeld: key === undefined ? undefined : isHeld(db, key),
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

const LAST_STEP = 'SELECT wall_time AS found FROM entries ORDER BY seq DESC LIMIT 1';
const LAST_INTENT = 'SELECT key AS found FROM intents ORDER BY id DESC LIMIT 1';
const HELD = `SELECT EXISTS (SELECT 1 FROM intents WHERE key = ?1)
  OR EXISTS (SELECT 1 FROM retired WHERE key = ?1) AS found`;

/** Undefined also if it can't be read. */
function firstOf(db: DatabaseSync, text: string, ...values: string[]): unknown {
  try {
    return db.prepare(text).get(...values)?.['found'];
  } catch {
    return undefined;
  }
}

const timeOf = (found: unknown) => (typeof found === 'number' ? found : undefined);
const keyOf = (found: unknown) => (typeof found === 'string' ? found : undefined);

function isHeld(db: DatabaseSync, key: string): boolean | undefined {
  const found = firstOf(db, HELD, key);
  return found === undefined ? undefined : found === 1;
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
