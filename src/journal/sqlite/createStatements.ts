import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MOST_STANDING, STAYS_WHOLE } from '../staysWhole.ts';

/** The fields of the checksum first, in its order. */
const INTENT = 'key, decision_key, generation, instance, wallet, kind, intent, state, sum';
const LATCH = 'name, value, reason, time, sum';

const TEXTS = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  savepoint: 'SAVEPOINT change',
  release: 'RELEASE change',
  addIntent: `INSERT INTO intents (key, decision_key, generation, instance, wallet, kind, intent,
      sum, state, final, opened, updated)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  addEntry: `INSERT INTO entries (key, state, wall_time, market_time, data, sum)
    VALUES (?, ?, ?, ?, ?, ?)`,
  setState: 'UPDATE intents SET state = ?, final = ?, updated = ? WHERE key = ?',
  state: `SELECT state FROM intents WHERE key = ?
    UNION ALL SELECT state FROM retired WHERE key = ?`,
  intent: `SELECT ${INTENT} FROM intents WHERE key = ?`,
  entries: `SELECT key, state, wall_time AS wallTime, market_time AS marketTime, data, sum
    FROM entries WHERE key = ? ORDER BY seq`,
  openIntents: `SELECT ${INTENT} FROM intents WHERE final = 0 ORDER BY id`,
  intents: `SELECT ${INTENT} FROM intents ORDER BY id`,
  standing: `SELECT ${INTENT} FROM intents WHERE ${STAYS_WHOLE} ORDER BY id DESC LIMIT ?`,
  newest: `SELECT ${INTENT}, id FROM intents WHERE id < ? ORDER BY id DESC LIMIT ?`,
  readState: 'SELECT state, sum FROM strategy_states WHERE instance = ?',
  writeState: `INSERT INTO strategy_states (instance, state, sum) VALUES (?, ?, ?)
    ON CONFLICT (instance) DO UPDATE SET state = excluded.state, sum = excluded.sum`,
  meta: 'SELECT value, sum FROM meta WHERE key = ?',
  setMeta: `INSERT INTO meta (key, value, sum) VALUES (?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, sum = excluded.sum`,
  latch: `SELECT ${LATCH} FROM latches WHERE name = ? ORDER BY seq DESC LIMIT 1`,
  setLatch: 'INSERT INTO latches (name, value, reason, time, sum) VALUES (?, ?, ?, ?, ?)',
  latches: `SELECT ${LATCH} FROM latches
    WHERE seq IN (SELECT max(seq) FROM latches GROUP BY name) ORDER BY name`,
  old: `SELECT key FROM intents WHERE final = 1 AND updated < ? AND NOT (${STAYS_WHOLE} AND id > coalesce(
      (SELECT id FROM intents WHERE ${STAYS_WHOLE} ORDER BY id DESC LIMIT 1 OFFSET ${MOST_STANDING}), 0))
    ORDER BY id LIMIT ?`,
  retire: 'INSERT INTO retired (key, state) SELECT key, state FROM intents WHERE key = ?',
  dropEntries: 'DELETE FROM entries WHERE key = ?',
  dropIntent: 'DELETE FROM intents WHERE key = ?',
} as const;

/** Statements whose rows are arrays of values. */
const LISTED = ['intent', 'openIntents', 'intents', 'standing', 'newest'] as const;

/** Every statement of the store, prepared once. */
export type Statements = Readonly<Record<keyof typeof TEXTS, StatementSync>>;

export function createStatements(db: DatabaseSync): Statements {
  const prepared = Object.entries(TEXTS).map(([name, text]) => [name, db.prepare(text)]);
  const statements = Object.fromEntries(prepared) as Statements;
  // A start may read a hundred thousand: as objects with names they would take three times as long.
  for (const name of LISTED) statements[name].setReturnArrays(true);
  return statements;
}
