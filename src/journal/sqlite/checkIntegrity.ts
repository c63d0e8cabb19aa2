import type { DatabaseSync } from 'node:sqlite';
import { isLegalTransition, type IntentState } from '../IntentState.ts';
import { checksumOf } from '../checksumOf.ts';
import { damaged } from './toJournalFault.ts';

/** Newest entries whose checksums are verified at each opening; older ones are verified when they are read. */
const NEWEST_ENTRIES = 50_000;

const CHECKED: ReadonlyArray<[table: string, columns: string, where: string]> = [
  ['meta', 'key, value', ''],
  ['latches', 'name, value, reason, time', ''],
  ['strategy_states', 'instance, state', ''],
  ['intents', 'key, decision_key, generation, instance, wallet, kind, intent', 'WHERE final = 0'],
  [
    'intents',
    'key, decision_key, generation, instance, wallet, kind, intent',
    `WHERE id > (SELECT coalesce(max(id), 0) FROM intents) - ${NEWEST_ENTRIES}`,
  ],
  [
    'entries',
    'key, state, wall_time, market_time, data',
    `WHERE seq > (SELECT coalesce(max(seq), 0) FROM entries) - ${NEWEST_ENTRIES}`,
  ],
  [
    'entries',
    'key, state, wall_time, market_time, data',
    'WHERE key IN (SELECT key FROM intents WHERE final = 0)',
  ],
];

/**
 * Verifies what the bot will rely on, before it does: the structure of the file, the checksums of the newest
 * records and of all that is open, and that every open intent has a legal life.
 *
 * @throws JournalFault `damaged`
 */
export function checkIntegrity(db: DatabaseSync, path: string): void {
  const found = db.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
  if (found !== 'ok') throw damaged(path, String(found).replace(/\s+/g, ' ').replace(/\.$/, ''));
  for (const [table, columns, where] of CHECKED) checkSums(db, path, { table, columns, where });
  checkOpen(db, path);
}

function checkSums(
  db: DatabaseSync,
  path: string,
  { table, columns, where }: { table: string; columns: string; where: string },
): void {
  const rows = db.prepare(`SELECT ${columns}, sum FROM ${table} ${where}`);
  rows.setReturnArrays(true);
  for (const row of rows.iterate() as Iterable<unknown> as Iterable<Array<string | number>>) {
    if (checksumOf(...row.slice(0, -1)) === row.at(-1)) continue;
    throw damaged(path, `a record of ${table} is not what was written (${String(row[0])})`);
  }
}

function checkOpen(db: DatabaseSync, path: string): void {
  const rows = db
    .prepare(
      `SELECT intents.key, intents.state AS last, entries.state FROM intents
       LEFT JOIN entries ON entries.key = intents.key WHERE final = 0 ORDER BY id, seq`,
    )
    .all() as Array<{ key: string; last: IntentState; state: IntentState | null }>;
  for (const [index, { key, last, state }] of rows.entries()) {
    const before = rows[index - 1];
    const from = before?.key === key ? before.state : undefined;
    const isLast = rows[index + 1]?.key !== key;
    const isLegal = state !== null && from !== null && isLegalTransition(from, state);
    if (isLegal && (!isLast || state === last)) continue;
    throw damaged(path, `the steps of intent ${key} do not follow from each other`);
  }
}
