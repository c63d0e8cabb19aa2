import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openForReading } from './createSqliteReader.ts';
import { lostLog } from './openDatabase.ts';
import { OWNER_ONLY } from './ownerOnly.ts';
import { FIRST_SCHEMA } from './schema.ts';
import { syncPath } from './syncPath.ts';
import { damaged, toCopyFault } from './toJournalFault.ts';

/** Rows of a journal that were written in the former format. */
export interface Converted {
  intents: number;
  steps: number;
}

const COLUMNS: ReadonlyArray<[table: string, columns: string]> = [
  ['intents', 'id, key, decision_key, generation, instance, wallet, kind, intent, state, final'],
  ['entries', 'seq, key, state, wall_time, market_time, data'],
  ['strategy_states', 'instance, state'],
];

/**
 * Writes what version 1 of the format can hold of a journal into a new file, durably: intents, steps and the
 * strategies' states. Facts, latches and retired keys have no place there; the caller decides about them.
 *
 * @param copy must not exist
 * @throws JournalFault if there is no complete journal; the file system's error if the copy can't be written
 */
export function convertToFirst(path: string, copy: string): Converted {
  const { db: source, isWhole } = openForReading(path);
  try {
    if (!isWhole) throw damaged(path, lostLog(path));
    closeSync(openSync(copy, 'wx', OWNER_ONLY));
    const target = new DatabaseSync(copy);
    try {
      source.exec('BEGIN');
      target.exec(`BEGIN; ${FIRST_SCHEMA}`);
      const [intents = 0, steps = 0] = COLUMNS.map(([table, columns]) =>
        copyRows(source, target, { table, columns }),
      );
      target.exec('PRAGMA user_version = 1; COMMIT');
      return { intents, steps };
    } finally {
      target.close();
      syncPath(copy);
    }
  } catch (error) {
    throw toCopyFault(error, path);
  } finally {
    source.close();
  }
}

function copyRows(
  source: DatabaseSync,
  target: DatabaseSync,
  { table, columns }: { table: string; columns: string },
): number {
  const places = columns.replaceAll(/\w+/g, '?');
  const insert = target.prepare(`INSERT INTO ${table} (${columns}) VALUES (${places})`);
  const rows = source.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1`);
  rows.setReturnArrays(true);
  let count = 0;
  for (const row of rows.iterate() as Iterable<unknown> as Iterable<Array<string | number>>) {
    insert.run(...row);
    count++;
  }
  return count;
}
