import { STAYS_WHOLE } from '../staysWhole.ts';
import type { PgClient } from './PgClient.ts';
import { JournalFault } from '../JournalFault.ts';

export const PG_SCHEMA_VERSION = 1;

/** Without them a compaction and a start read all that was ever retired, and all that is whole for those that stay. */
const INDEXES = {
  whole_intents: 'final AND NOT retired',
  standing_intents: `${STAYS_WHOLE} AND NOT retired`,
} as const;
type Index = keyof typeof INDEXES;
const NAMES = Object.keys(INDEXES) as Index[];

const createIndex = (name: Index, how: 'CONCURRENTLY' | ''): string =>
  `CREATE INDEX ${how} IF NOT EXISTS ${name} ON trimtab.intents (account, id) WHERE ${INDEXES[name]}`;

/**
 * One database serves many accounts: each row has its account, and each account one writer, whose token grows
 * each time the account is taken. `id` and `seq` are assigned by that writer, so that an append whose answer
 * was lost is found again, and a second writer's append collides with the first one's. The writer ensures that
 * a step has an intent: the plan of a foreign key's check is made and cached while the tables are empty, and
 * was seen to read a whole account for each step. For the same reason indexes begin with the most selective
 * column.
 */
const TABLES = `
CREATE SCHEMA IF NOT EXISTS trimtab;
CREATE TABLE IF NOT EXISTS trimtab.schema_version (version int NOT NULL);
CREATE TABLE IF NOT EXISTS trimtab.accounts (
  account text PRIMARY KEY,
  token bigint NOT NULL,
  host text NOT NULL,
  pid int NOT NULL,
  since timestamptz NOT NULL,
  seen timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS trimtab.intents (
  account text NOT NULL REFERENCES trimtab.accounts,
  id bigint NOT NULL,
  key text NOT NULL,
  decision_key text NOT NULL,
  generation int NOT NULL,
  instance text NOT NULL,
  wallet text NOT NULL,
  kind text NOT NULL,
  intent text NOT NULL,
  state text NOT NULL,
  final boolean NOT NULL,
  retired boolean NOT NULL DEFAULT false,
  opened float8 NOT NULL,
  updated float8 NOT NULL,
  PRIMARY KEY (key, account),
  UNIQUE (account, id),
  UNIQUE (account, decision_key, generation)
);
CREATE INDEX IF NOT EXISTS open_intents ON trimtab.intents (account, id) WHERE NOT final;
${NAMES.map((name) => `${createIndex(name, '')};`).join('\n')}
CREATE TABLE IF NOT EXISTS trimtab.entries (
  account text NOT NULL,
  seq bigint NOT NULL,
  key text NOT NULL,
  state text NOT NULL,
  wall_time float8 NOT NULL,
  market_time float8 NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (account, seq)
);
CREATE INDEX IF NOT EXISTS entries_by_key ON trimtab.entries (key, account, seq);
CREATE TABLE IF NOT EXISTS trimtab.strategy_states (
  account text NOT NULL,
  instance text NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (account, instance)
);
CREATE TABLE IF NOT EXISTS trimtab.facts (
  account text NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (account, key)
);
CREATE TABLE IF NOT EXISTS trimtab.latches (
  account text NOT NULL,
  seq bigint NOT NULL,
  name text NOT NULL,
  value text NOT NULL,
  reason text NOT NULL,
  time float8 NOT NULL,
  PRIMARY KEY (account, seq)
);
INSERT INTO trimtab.schema_version
  SELECT ${PG_SCHEMA_VERSION} WHERE NOT EXISTS (SELECT FROM trimtab.schema_version);`;

/** Only one process at a time may create tables; any number may try. */
const LOCK_ID = 7_830_915;
const LOCK = `SELECT pg_advisory_xact_lock(${LOCK_ID})`;

/** Less than the time that a query of the writer's has: a start must not fail for an index. */
const INDEX_MS = 8_000;

/** Creates missing tables and their indexes. @throws JournalFault `version` */
export async function createTables(client: PgClient): Promise<void> {
  if (!(await hasTables(client))) {
    await client.query({ text: `BEGIN; ${LOCK}; ${TABLES} COMMIT` });
  }
  await requireVersion(client);
  for (const name of NAMES) await addIndex(client, name);
}

/**
 * In a database of an earlier version, while others write. Everything works without it, so that a user who may not create
 * one goes on. One whose making was cut short is there and serves nobody: it is made again.
 */
async function addIndex(client: PgClient, name: Index): Promise<void> {
  if (await isTrue(client, hasIndex(name))) return;
  // Held by the session: a start that waited for it would hold a snapshot, for which the other's index waits.
  if (!(await isTrue(client, `SELECT pg_try_advisory_lock(${LOCK_ID}) AS found`))) return;
  try {
    await client.query({ text: `SET statement_timeout = ${INDEX_MS}` });
    await client.query({ text: `DROP INDEX CONCURRENTLY IF EXISTS trimtab.${name}` });
    await client.query({ text: createIndex(name, 'CONCURRENTLY') });
  } catch {
    // The next start tries again.
  }
  await client.query({
    text: `RESET statement_timeout; SELECT pg_advisory_unlock(${LOCK_ID})`,
  });
}

const hasIndex = (name: Index): string => `SELECT coalesce((SELECT indisvalid FROM pg_index
  WHERE indexrelid = to_regclass('trimtab.${name}')), false) AS found`;

async function isTrue(client: PgClient, text: string): Promise<boolean> {
  return (await client.query({ text })).rows[0]?.['found'] === true;
}

export function hasTables(client: PgClient): Promise<boolean> {
  return isTrue(client, "SELECT to_regclass('trimtab.latches') IS NOT NULL AS found");
}

export async function requireVersion(client: PgClient): Promise<void> {
  const { rows } = await client.query({ text: 'SELECT version FROM trimtab.schema_version' });
  const version = rows[0]?.['version'];
  if (version === PG_SCHEMA_VERSION) return;
  throw new JournalFault(
    'version',
    `The journal's tables are of version ${String(version)}; this program uses ${PG_SCHEMA_VERSION}.\n  Run the version of trimtab that made them, or name another database.`,
  );
}
