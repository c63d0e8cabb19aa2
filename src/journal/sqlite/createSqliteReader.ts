import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { meantFile } from '../../env/index.ts';
import { checksumOf } from '../checksumOf.ts';
import { monitorIdsOf } from '../monitorIdsOf.ts';
import { JournalFault } from '../JournalFault.ts';
import type { IntentFilter, IntentLife, JournalReader, KnownIntent } from '../JournalReader.ts';
import type { JournalEntry, Latch } from '../JournalStore.ts';
import { withFaults } from '../withFaults.ts';
import { followLink } from './followLink.ts';
import { idsOfTime } from './idsOfTime.ts';
import { openAsItIs } from './openAsItIs.ts';
import {
  hasLog,
  isLogLost,
  lostLog,
  requireOurs,
  requireReadable,
  requireWhole,
} from './openDatabase.ts';
import { codeOf, SQLITE } from './sqliteCodes.ts';
import { entryFields, intentFields } from './recordFields.ts';
import { changedRecord, toJournalFault } from './toJournalFault.ts';
import { wrongRecords } from './wrongRecords.ts';

const INTENT = `id, key, decision_key AS decisionKey, generation, instance, wallet, kind, intent,
  state, opened, updated, sum,
  (SELECT market_time FROM entries WHERE entries.key = intents.key ORDER BY seq LIMIT 1) AS marketOpened`;
const MADE_MONITORS = `SELECT data FROM intents JOIN entries ON entries.key = intents.key
  WHERE kind = 'create_monitor' AND intents.state = 'accepted' AND entries.state = 'accepted'`;
const ENTRY = 'key, state, wall_time AS wallTime, market_time AS marketTime, data, sum';

/** Reads a journal in a SQLite file; a bot may be writing it. */
export function createSqliteReader(place: string): JournalReader {
  const path = followLink(place);
  const { db, isWhole } = openForReading(path);
  const entriesOf = db.prepare(`SELECT ${ENTRY} FROM entries WHERE key = ? ORDER BY seq`);
  const oneIntent = db.prepare(`SELECT ${INTENT} FROM intents WHERE key = ?`);

  /** What was read, once its checksum matches. */
  const right = <T>(row: unknown, fields: (row: T) => Array<string | number>): T => {
    const { sum, id: _id, ...rest } = row as { sum: number; id?: number };
    const read = rest as T;
    const [name, ...others] = fields(read);
    if (checksumOf(name!, ...others) === sum) return read;
    throw changedRecord(path, name!);
  };
  const intentOf = (row: unknown): KnownIntent => right<KnownIntent>(row, intentFields);
  const lifeOf = (row: unknown): IntentLife => {
    const intent = intentOf(row);
    const entries = entriesOf
      .all(intent.key)
      .map((entry) => right<JournalEntry>(entry, entryFields));
    return { intent, entries };
  };

  const reader: JournalReader = {
    async find(filter) {
      const { where, values } = conditions(filter, idsOfTime(db, filter));
      const text = `SELECT ${INTENT} FROM intents ${where} ORDER BY id DESC LIMIT ?`;
      const rows = db.prepare(text).all(...values, filter.limit + 1);
      const page = rows.slice(0, filter.limit);
      const items = page.map(intentOf);
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
      const found = keys.filter((key) => one.get(key) !== undefined);
      if (found.length === keys.length) return new Set(found);
      const made = monitorIdsOf(db.prepare(MADE_MONITORS).all());
      return new Set([...found, ...keys.filter((key) => made.has(key))]);
    },
    async latchChanges() {
      return db
        .prepare('SELECT name, value, reason, time, sum FROM latches ORDER BY seq')
        .all()
        .map((row) =>
          right<Latch & { name: string }>(row, ({ name, value, reason, time }) => [
            name,
            value,
            reason,
            time,
          ]),
        );
    },
    async facts() {
      const rows = db.prepare('SELECT key, value FROM meta ORDER BY key').all();
      return Object.fromEntries(rows.map(({ key, value }) => [String(key), String(value)]));
    },
    async *lives() {
      // Row by row, so that what has been read is freed at once; all from one snapshot.
      const rows = db.prepare(`SELECT ${INTENT} FROM intents ORDER BY id`);
      db.exec('BEGIN');
      try {
        for (const row of rows.iterate()) yield lifeOf(row);
      } finally {
        db.exec('ROLLBACK');
      }
    },
    async problems() {
      const found = db.prepare('PRAGMA integrity_check(20)').all();
      const structure = found.map(({ integrity_check: text }) => String(text));
      const lost = isWhole ? [] : [lostLog(path)];
      return [...lost, ...structure.filter((text) => text !== 'ok'), ...wrongRecords(db)];
    },
    async retired() {
      return Number(db.prepare('SELECT count(*) AS n FROM retired').get()?.['n']);
    },
    async hasRetired() {
      return db.prepare('SELECT 1 FROM retired LIMIT 1').get() !== undefined;
    },
    async close() {
      db.close();
    },
  };
  return withFaults(reader, (error) => toJournalFault(error, path));
}

/** @returns whether the file's log exists, or none belongs to it */
export function openForReading(path: string): { db: DatabaseSync; isWhole: boolean } {
  requireReadable(path);
  if (!existsSync(path)) {
    const remedy = meantFile(path) ?? "`journal:` in the bot's configuration has its path.";
    throw new JournalFault('missing', `There is no journal at ${path}.\n  ${remedy}`);
  }
  requireWhole(path);
  // SQLite may create an empty one.
  const isLogThere = hasLog(path);
  const db = openFile(path);
  try {
    requireOurs(db, path);
    if (db.prepare('PRAGMA user_version').get()?.['user_version'] === 1) {
      const message = `The journal ${path} is of format 1, and reading changes nothing.\n  Start its bot once: that backs it up beside it and brings it up to date.`;
      throw new JournalFault('version', message);
    }
    return { db, isWhole: isLogThere || !isLogLost(db) };
  } catch (error) {
    db.close();
    throw toJournalFault(error, path);
  }
}

/** A file beside which nothing can be written (a backup on a read-only disk) is read as it is. */
function openFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    return db;
  } catch (error) {
    db.close();
    const isUnwritable = [SQLITE.CANTOPEN, SQLITE.READONLY].includes(codeOf(error) as never);
    if (!isUnwritable || existsSync(`${path}-wal`)) throw toJournalFault(error, path);
    return openAsItIs(path);
  }
}

function conditions(
  filter: IntentFilter,
  ids: ReturnType<typeof idsOfTime>,
): { where: string; values: Array<string | number> } {
  const { states, instance, wallet, kind, since, until, cursor } = filter;
  const parts: Array<[text: string, ...values: Array<string | number>]> = [];
  if (states !== undefined) {
    parts.push([`state IN (${states.map(() => '?').join(', ')})`, ...states]);
  }
  if (instance !== undefined) parts.push(['instance = ?', instance]);
  if (wallet !== undefined) parts.push(['wallet = ?', wallet]);
  if (kind !== undefined) parts.push(['kind = ?', kind]);
  if (since !== undefined) parts.push(['opened >= ?', since]);
  if (until !== undefined) parts.push(['opened < ?', until]);
  if (ids.from !== undefined) parts.push(['id >= ?', ids.from]);
  // One upper bound: of two, SQLite seeks by the first and reads its way to the other.
  const below = Math.min(ids.before ?? Infinity, cursor === undefined ? Infinity : Number(cursor));
  if (below < Infinity) parts.push(['id < ?', below]);
  if (parts.length === 0) return { where: '', values: [] };
  const where = `WHERE ${parts.map(([text]) => text).join(' AND ')}`;
  return { where, values: parts.flatMap(([, ...values]) => values) };
}
