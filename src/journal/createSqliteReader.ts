import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { checksumOf } from './checksumOf.ts';
import { JournalFault } from './JournalFault.ts';
import type { IntentFilter, IntentLife, JournalReader, KnownIntent } from './JournalReader.ts';
import type { JournalEntry, Latch } from './JournalStore.ts';
import { requireOurs, requireWhole } from './sqlite/openDatabase.ts';
import { codeOf, SQLITE } from './sqlite/sqliteCodes.ts';
import { damaged, toJournalFault } from './sqlite/toJournalFault.ts';

const INTENT = `id, key, decision_key AS decisionKey, generation, instance, wallet, kind, intent,
  state, opened, updated,
  sum = checksum(key, decision_key, generation, instance, wallet, kind, intent) AS isRight`;
const ENTRY = `key, state, wall_time AS wallTime, market_time AS marketTime, data,
  sum = checksum(key, state, wall_time, market_time, data) AS isRight`;
const LIFE_PAGE = 500;

/** Reads a journal in a SQLite file; a bot may be writing it. */
export function createSqliteReader(path: string): JournalReader {
  const db = open(path);
  const entriesOf = db.prepare(`SELECT ${ENTRY} FROM entries WHERE key = ? ORDER BY seq`);
  const oneIntent = db.prepare(`SELECT ${INTENT} FROM intents WHERE key = ?`);

  const right = (row: unknown): object => {
    const { isRight, id: _id, ...rest } = row as { key?: string; id?: number; isRight: number };
    if (isRight === 1) return rest;
    throw damaged(path, `a record is not what was written (${rest.key})`);
  };
  const lifeOf = (row: unknown): IntentLife => {
    const intent = right(row) as KnownIntent;
    const entries = entriesOf.all(intent.key).map((entry) => right(entry) as JournalEntry);
    return { intent, entries };
  };

  return {
    async find(filter) {
      const { where, values } = conditions(filter);
      const text = `SELECT ${INTENT} FROM intents ${where} ORDER BY id DESC LIMIT ?`;
      const rows = db.prepare(text).all(...values, filter.limit + 1);
      const page = rows.slice(0, filter.limit);
      const items = page.map((row) => right(row) as KnownIntent);
      const next = rows.length > filter.limit ? String(page.at(-1)!['id']) : null;
      return { items, next };
    },
    async keysLike(prefix, limit) {
      const text = 'SELECT key FROM intents WHERE substr(key, 1, ?) = ? ORDER BY id DESC LIMIT ?';
      return db
        .prepare(text)
        .all(prefix.length, prefix, limit)
        .map(({ key }) => String(key));
    },
    async life(key) {
      const row = oneIntent.get(key);
      return row === undefined ? undefined : lifeOf(row);
    },
    async held(keys) {
      const one = db.prepare(
        'SELECT 1 FROM intents WHERE key = ?1 UNION ALL SELECT 1 FROM retired WHERE key = ?1',
      );
      return new Set(keys.filter((key) => one.get(key) !== undefined));
    },
    async latchChanges() {
      const text = `SELECT name, value, reason, time,
        sum = checksum(name, value, reason, time) AS isRight FROM latches ORDER BY seq`;
      return db
        .prepare(text)
        .all()
        .map((row) => right(row) as Latch & { name: string });
    },
    async facts() {
      const rows = db.prepare('SELECT key, value FROM meta ORDER BY key').all();
      return Object.fromEntries(rows.map(({ key, value }) => [String(key), String(value)]));
    },
    async *lives() {
      const page = db.prepare(`SELECT ${INTENT} FROM intents WHERE id > ? ORDER BY id LIMIT ?`);
      db.exec('BEGIN');
      try {
        let after = 0;
        for (;;) {
          const rows = page.all(after, LIFE_PAGE);
          for (const row of rows) yield lifeOf(row);
          if (rows.length < LIFE_PAGE) return;
          after = Number(rows.at(-1)!['id']);
        }
      } finally {
        db.exec('ROLLBACK');
      }
    },
    async problems() {
      const found = db.prepare('PRAGMA integrity_check(20)').all();
      const structure = found.map(({ integrity_check: text }) => String(text));
      return [...structure.filter((text) => text !== 'ok'), ...wrongRecords(db)];
    },
    async retired() {
      return Number(db.prepare('SELECT count(*) AS n FROM retired').get()?.['n']);
    },
    async close() {
      db.close();
    },
  };
}

function open(path: string): DatabaseSync {
  if (!existsSync(path)) {
    const message = `There is no journal at ${path}.\n  \`journal:\` of the bot's configuration says where it is.`;
    throw new JournalFault('missing', message);
  }
  requireWhole(path);
  const db = openFile(path);
  try {
    requireOurs(db, path);
    if (db.prepare('PRAGMA user_version').get()?.['user_version'] === 1) {
      const message = `The journal ${path} is of version 1.\n  Start its bot once: that brings it up to date.`;
      throw new JournalFault('version', message);
    }
    db.function('checksum', { varargs: true, deterministic: true }, (...fields) =>
      checksumOf(...(fields as Array<string | number>)),
    );
    return db;
  } catch (error) {
    db.close();
    throw toJournalFault(error, path);
  }
}

/** A file that nothing can be written beside (a backup on a read-only disk) is read as it stands. */
function openFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    return db;
  } catch (error) {
    db.close();
    const isUnwritable = [SQLITE.CANTOPEN, SQLITE.READONLY].includes(codeOf(error) as never);
    if (!isUnwritable || existsSync(`${path}-wal`)) throw toJournalFault(error, path);
    const url = pathToFileURL(path);
    url.searchParams.set('immutable', '1');
    return new DatabaseSync(url, { readOnly: true });
  }
}

function conditions(filter: IntentFilter): { where: string; values: Array<string | number> } {
  const { states, instance, wallet, kind, since, cursor } = filter;
  const parts: Array<[text: string, ...values: Array<string | number>]> = [];
  if (states !== undefined) {
    parts.push([`state IN (${states.map(() => '?').join(', ')})`, ...states]);
  }
  if (instance !== undefined) parts.push(['instance = ?', instance]);
  if (wallet !== undefined) parts.push(['wallet = ?', wallet]);
  if (kind !== undefined) parts.push(['kind = ?', kind]);
  if (since !== undefined) parts.push(['opened >= ?', since]);
  if (cursor !== undefined) parts.push(['id < ?', Number(cursor)]);
  if (parts.length === 0) return { where: '', values: [] };
  const where = `WHERE ${parts.map(([text]) => text).join(' AND ')}`;
  return { where, values: parts.flatMap(([, ...values]) => values) };
}

/** Records whose checksum is wrong, and steps without an intent, up to twenty of each. */
function wrongRecords(db: DatabaseSync): string[] {
  const queries: Array<[text: string, say: (id: string) => string]> = [
    [
      'SELECT key AS id FROM entries WHERE sum <> checksum(key, state, wall_time, market_time, data)',
      (id) => `a step of ${id} is not what was written`,
    ],
    [
      `SELECT key AS id FROM intents
       WHERE sum <> checksum(key, decision_key, generation, instance, wallet, kind, intent)`,
      (id) => `the intent ${id} is not what was written`,
    ],
    [
      'SELECT name AS id FROM latches WHERE sum <> checksum(name, value, reason, time)',
      (id) => `the latch ${id} is not what was written`,
    ],
    [
      'SELECT key AS id FROM meta WHERE sum <> checksum(key, value)',
      (id) => `the fact ${id} is not what was written`,
    ],
    [
      'SELECT instance AS id FROM strategy_states WHERE sum <> checksum(instance, state)',
      (id) => `the state of ${id} is not what was written`,
    ],
    [
      'SELECT DISTINCT key AS id FROM entries WHERE key NOT IN (SELECT key FROM intents)',
      (id) => `steps of ${id} have no intent`,
    ],
  ];
  return queries.flatMap(([text, say]) =>
    db
      .prepare(`${text} LIMIT 20`)
      .all()
      .map(({ id }) => say(String(id))),
  );
}
