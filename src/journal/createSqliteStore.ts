import { DatabaseSync } from 'node:sqlite';
import { isFinal, type IntentState } from './IntentState.ts';
import type { IntentRow, JournalEntry, JournalStore } from './JournalStore.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS intents (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  decision_key TEXT NOT NULL,
  generation INTEGER NOT NULL,
  instance TEXT NOT NULL,
  wallet TEXT NOT NULL,
  kind TEXT NOT NULL,
  intent TEXT NOT NULL,
  state TEXT NOT NULL,
  final INTEGER NOT NULL DEFAULT 0,
  UNIQUE (decision_key, generation)
) STRICT;
CREATE INDEX IF NOT EXISTS open_intents ON intents (id) WHERE final = 0;
CREATE TABLE IF NOT EXISTS entries (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  wall_time REAL NOT NULL,
  market_time REAL NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS entries_by_key ON entries (key, seq);
CREATE TABLE IF NOT EXISTS strategy_states (instance TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;
PRAGMA user_version = 1;
`;

/** `power`: an append survives a power cut. `process`: it survives a killed process only. */
export type Durability = 'power' | 'process';

const INTENT_COLUMNS = `key, decision_key AS decisionKey, generation, instance, wallet, kind, intent,
  state`;

/** A journal that reads by these fields is one of ours. */
function checkVersion(db: DatabaseSync, path: string): void {
  const version = db.prepare('PRAGMA user_version').get()?.['user_version'];
  if (version !== 0 && version !== 1) {
    throw new Error(`${path} is a journal of version ${String(version)}; this program reads 1.`);
  }
}

/**
 * Takes the file's writer lock: an exclusive transaction on a sibling file, which the system ends
 * with the process, however it dies. Readers of the journal itself are not shut out.
 */
function lockWriter(path: string): () => void {
  if (path === ':memory:') return () => {};
  const lock = new DatabaseSync(`${path}.lock`);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    throw new Error(`The journal ${path} is in use by another process.`, { cause });
  }
  return () => lock.close();
}

/**
 * The journal in a SQLite file (WAL). One writer a file: a second process is refused.
 *
 * @param path a file path, or `:memory:`
 */
export function createSqliteStore(path: string, durability: Durability = 'power'): JournalStore {
  const unlock = lockWriter(path);
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL;');
  db.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'};`);
  checkVersion(db, path);
  db.exec(SCHEMA);
  const addIntent = db.prepare(
    `INSERT INTO intents (key, decision_key, generation, instance, wallet, kind, intent, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'emitted')`,
  );
  const addEntry = db.prepare(
    'INSERT INTO entries (key, state, wall_time, market_time, data) VALUES (?, ?, ?, ?, ?)',
  );
  const setState = db.prepare('UPDATE intents SET state = ?, final = ? WHERE key = ?');
  const oneIntent = db.prepare(`SELECT ${INTENT_COLUMNS} FROM intents WHERE key = ?`);
  const someEntries = db.prepare(
    `SELECT key, state, wall_time AS wallTime, market_time AS marketTime, data
     FROM entries WHERE key = ? ORDER BY seq`,
  );
  const open = db.prepare(`SELECT ${INTENT_COLUMNS} FROM intents WHERE final = 0 ORDER BY id`);
  const all = db.prepare(`SELECT ${INTENT_COLUMNS} FROM intents ORDER BY id`);
  const getState = db.prepare('SELECT state FROM strategy_states WHERE instance = ?');
  const putState = db.prepare(
    `INSERT INTO strategy_states (instance, state) VALUES (?, ?)
     ON CONFLICT (instance) DO UPDATE SET state = excluded.state`,
  );
  type Row = IntentRow & { state: IntentState };
  return {
    append({ intent, entries }) {
      db.exec('BEGIN IMMEDIATE');
      try {
        if (intent !== undefined) {
          const { key, decisionKey, generation, instance, wallet, kind } = intent;
          addIntent.run(key, decisionKey, generation, instance, wallet, kind, intent.intent);
        }
        for (const entry of entries) {
          addEntry.run(entry.key, entry.state, entry.wallTime, entry.marketTime, entry.data);
          setState.run(entry.state, isFinal(entry.state) ? 1 : 0, entry.key);
        }
        db.exec('COMMIT');
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    },
    intent: (key) => oneIntent.get(key) as unknown as Row | undefined,
    entries: (key) => someEntries.all(key) as unknown as JournalEntry[],
    openIntents: () => open.all() as unknown as Row[],
    intents: () => all.all() as unknown as Row[],
    readState: (instance) => getState.get(instance)?.['state'] as string | undefined,
    writeState(instance, state) {
      putState.run(instance, state);
    },
    close() {
      db.close();
      unlock();
    },
  };
}
