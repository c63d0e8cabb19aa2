import { reasonOf } from '../../../src/env/index.ts';
import { describeDatabase } from '../../../src/journal/index.ts';
import { connectPg, type PgClient } from '../../../src/journal/postgres/index.ts';

/**
 * A sweep's jobs are its queue and its results: a row without a result is free, or computed by the worker
 * that holds its lock. The lock belongs to the worker's session, so the server frees the job when the
 * worker dies, however it does. A worker whose connection broke acquires it again with the next one, and
 * a result is written only if there is none, so that a job can't have two.
 */
const SCHEMA = `BEGIN; SELECT pg_advisory_xact_lock(7830917);
CREATE SCHEMA IF NOT EXISTS trimtab;
CREATE TABLE IF NOT EXISTS trimtab.sweeps (
  id text PRIMARY KEY, plan jsonb NOT NULL, created timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS trimtab.sweep_jobs (
  sweep text NOT NULL REFERENCES trimtab.sweeps ON DELETE CASCADE, index integer NOT NULL,
  job jsonb NOT NULL, result jsonb, worker text, finished timestamptz,
  attempts integer NOT NULL DEFAULT 0, PRIMARY KEY (sweep, index));
CREATE INDEX IF NOT EXISTS sweep_jobs_free ON trimtab.sweep_jobs (sweep, index) WHERE result IS NULL;
COMMIT`;

/** The most attempts at a job: a point that ends its process would otherwise take down every worker. */
export const MOST_ATTEMPTS = 3;

/** Time in which a worker with a broken connection has it back, with its locks. */
export const BACK_MS = 10_000;

/** The key of a job's lock, from the columns that identify the job. */
export const JOB_LOCK = `hashtextextended(sweep || ' ' || index, 7830917)`;

/** The key of a sweep's lock, from its id: processes that wait for its results share it. */
export const sweepLock = (id: string): string => `hashtextextended(${id}, 7830917)`;

/**
 * The keys of all sweeps with a waiting process. Trying their locks instead would briefly acquire them.
 */
export const WAITED_FOR = `SELECT classid::bigint << 32 | objid::bigint FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 1 AND mode = 'ShareLock' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Whether no process waits for the sweep of the first parameter, or begins to while the statement runs.
 */
export const ALONE = `alone AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${sweepLock('$1')}) AS yes)`;

export type Statement = Parameters<PgClient['query']>[0];

/**
 * A connection to a database with the tables of sweeps, and with the locks that `hold` acquires.
 *
 * @throws JournalFault `unreachable`, or the database's refusal to create them
 */
export async function connectSweeps(
  url: string,
  name: string,
  hold?: Statement,
): Promise<PgClient> {
  const client = await connectPg({ url, name });
  try {
    await client.query({ text: SCHEMA });
    if (hold !== undefined) await client.query(hold);
    return client;
  } catch (error) {
    // A connection that is left open would keep the process alive.
    await client.end();
    throw refusal(error, url);
  }
}

/** A refusal of the database. */
export function refusal(error: unknown, url: string): Error {
  return new Error(
    `The database ${describeDatabase(url)} refuses what a sweep needs: ${reasonOf(error)}.\n` +
      '  Check the rights of that user, and that it can be written; then start this again.',
    { cause: error },
  );
}
