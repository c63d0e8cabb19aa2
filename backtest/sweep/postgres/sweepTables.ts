import { reasonOf } from '../../../src/env/index.ts';
import { connectPg, describeDatabase, type PgClient } from '../../../src/journal/index.ts';

/**
 * A sweep's jobs are its queue and its results: a row without a result is free, or computed by the worker
 * that holds its lock. The lock is of the worker's session, so that the server frees the job when the
 * worker dies, however it does; a worker whose connection broke takes it again with the next one, and a
 * result is written where there is none, so that a job can't have two. The column is added only where it
 * lacks: to ask for that in the statement itself would wait for everybody who reads.
 */
const SCHEMA = `BEGIN; SELECT pg_advisory_xact_lock(7830917);
CREATE SCHEMA IF NOT EXISTS trimtab;
CREATE TABLE IF NOT EXISTS trimtab.sweeps (
  id text PRIMARY KEY, plan jsonb NOT NULL, created timestamptz NOT NULL DEFAULT now());
CREATE TABLE IF NOT EXISTS trimtab.sweep_jobs (
  sweep text NOT NULL REFERENCES trimtab.sweeps ON DELETE CASCADE, index integer NOT NULL,
  job jsonb NOT NULL, result jsonb, worker text, finished timestamptz,
  attempts integer NOT NULL DEFAULT 0, PRIMARY KEY (sweep, index));
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_attribute WHERE attname = 'attempts'
    AND attrelid = 'trimtab.sweep_jobs'::regclass) THEN
    ALTER TABLE trimtab.sweep_jobs ADD COLUMN attempts integer NOT NULL DEFAULT 0;
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS sweep_jobs_free ON trimtab.sweep_jobs (sweep, index) WHERE result IS NULL;
COMMIT`;

/** So often a job is begun: a point that ends its process would take down every worker there is. */
export const MOST_ATTEMPTS = 3;

/** The key of a job's lock, of the columns that name the job. */
export const JOB_LOCK = `hashtextextended(sweep || ' ' || index, 7830917)`;

/** The key of a sweep's lock, of the first parameter: whoever waits for its results shares it. */
export const SWEEP_LOCK = `hashtextextended($1, 7830917)`;

export type Statement = Parameters<PgClient['query']>[0];

/**
 * A connection to a database that has the tables of sweeps, and the locks that `hold` takes.
 *
 * @throws JournalFault `unreachable`, or what the database has against making them
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
    // One that is left open would keep the process.
    await client.end();
    throw refusal(error, url);
  }
}

/** A database that answers, and says no. */
export function refusal(error: unknown, url: string): Error {
  return new Error(
    `The database ${describeDatabase(url)} refuses what a sweep needs: ${reasonOf(error)}.\n` +
      '  Check the rights of that user, and that it can be written; then start this again.',
    { cause: error },
  );
}
