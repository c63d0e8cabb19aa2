import { STAYS_WHOLE } from '../staysWhole.ts';

/** `TTjl`: marks a SQLite file as a Trimtab journal. */
export const APPLICATION_ID = 0x5454_6a6c;
export const SCHEMA_VERSION = 2;

/** Tables that every version has; a file without them belongs to something else. */
export const FIRST_TABLES = ['intents', 'entries', 'strategy_states'] as const;

const INTENTS = `
CREATE TABLE intents (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  decision_key TEXT NOT NULL,
  generation INTEGER NOT NULL,
  instance TEXT NOT NULL,
  wallet TEXT NOT NULL,
  kind TEXT NOT NULL,
  intent TEXT NOT NULL,
  state TEXT NOT NULL,
  final INTEGER NOT NULL,
  opened REAL NOT NULL,
  updated REAL NOT NULL,
  sum INTEGER NOT NULL,
  UNIQUE (decision_key, generation)
) STRICT;
CREATE INDEX open_intents ON intents (id) WHERE final = 0;`;

const ENTRIES = `
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  wall_time REAL NOT NULL,
  market_time REAL NOT NULL,
  data TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX entries_by_key ON entries (key, seq);`;

const STATES = `
CREATE TABLE strategy_states (
  instance TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;`;

/** Keys of compacted intents remain, with their last state: a decision is never made twice. */
const SECOND_VERSION = `
CREATE TABLE retired (key TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
CREATE TABLE latches (
  seq INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  reason TEXT NOT NULL,
  time REAL NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX latches_by_name ON latches (name, seq);`;

/** The tables of version 1: without times, checksums, facts, latches and retired keys. */
export const FIRST_SCHEMA = `${INTENTS}${ENTRIES}${STATES}`
  .replaceAll(/^  (opened|updated) REAL NOT NULL,\n/gm, '')
  .replaceAll(/,\n  sum INTEGER NOT NULL/g, '')
  // Its program leaves this column to the default.
  .replace('final INTEGER NOT NULL', 'final INTEGER NOT NULL DEFAULT 0');

/** Without it a compaction reads all intents for those that stay. A file of an earlier program has none. */
export const STANDING_INDEX = `CREATE INDEX IF NOT EXISTS standing_intents ON intents (id) WHERE ${STAYS_WHOLE}`;

export const SCHEMA = `${INTENTS}${ENTRIES}${STATES}${SECOND_VERSION}`;

/** From version 1, which had neither times nor checksums. */
export const UPGRADE = `
ALTER TABLE intents ADD COLUMN opened REAL NOT NULL DEFAULT 0;
ALTER TABLE intents ADD COLUMN updated REAL NOT NULL DEFAULT 0;
ALTER TABLE intents ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entries ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE strategy_states ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
${SECOND_VERSION}
UPDATE intents SET
  opened = coalesce((SELECT min(wall_time) FROM entries WHERE entries.key = intents.key), 0),
  updated = coalesce((SELECT max(wall_time) FROM entries WHERE entries.key = intents.key), 0),
  sum = checksum(key, decision_key, generation, instance, wallet, kind, intent);
UPDATE entries SET sum = checksum(key, state, wall_time, market_time, data);
UPDATE strategy_states SET sum = checksum(instance, state);`;
