import type { ConstructorOptions, PgBoss } from 'pg-boss';
import { pause, reasonOf, type Env } from '../../../src/env/index.ts';
import { describeDatabase, withoutPassword } from '../../../src/journal/index.ts';
import { unreachable } from '../../../src/journal/postgres/index.ts';

/**
 * Who waits for a sweep renews its row, by the server's clock alone. The first result of a point counts;
 * `other` is a later one that differs from it.
 */
const TABLES = `BEGIN; SELECT pg_advisory_xact_lock(7830917); CREATE SCHEMA IF NOT EXISTS trimtab;
CREATE TABLE IF NOT EXISTS trimtab.sweep_waits (sweep text, waiter text, plan text NOT NULL,
  until timestamptz NOT NULL, PRIMARY KEY (sweep, waiter));
CREATE TABLE IF NOT EXISTS trimtab.sweep_results (sweep text, point integer, result text NOT NULL,
  other text, worker text NOT NULL, ms real NOT NULL, cpu_ms real NOT NULL, seq bigserial, PRIMARY KEY (sweep, point));
CREATE INDEX IF NOT EXISTS sweep_results_seq ON trimtab.sweep_results (sweep, seq); COMMIT`;
const AGAIN_MS = 2_000;

export interface QueueOptions {
  /** `postgres://user:password@host:port/database`; a pooler may be in front of it. */
  url: string;
  env: Pick<Env, 'timers' | 'log'>;
  isStopped(): boolean;
}

/** pg-boss on a database, with the tables of sweeps beside its own. */
export interface Queue {
  boss: PgBoss;
  query(text: string, values: unknown[]): Promise<Array<Record<string, unknown>>>;
  /**
   * Runs this, and again as long as the database is unreachable.
   *
   * @throws what the database refuses, or when the user stops
   */
  attempt<T>(run: () => Promise<T>): Promise<T>;
}

/** @throws JournalFault `unreachable` if the first connection fails: then the address is likely wrong */
export async function openQueue(options: QueueOptions, more: ConstructorOptions): Promise<Queue> {
  const { url, env, isStopped } = options;
  const { PgBoss: Boss } = await import('pg-boss').catch(() => {
    throw unreachable('it needs the package pg-boss: npm install pg-boss@12', url);
  });
  const connection = { connectionString: url, keepAlive: true, query_timeout: 30_000, max: 3 };
  const boss = new Boss({ ...connection, schema: 'trimtab_jobs', schedule: false, ...more });
  const database = describeDatabase(url);
  // Its own polls fail while the database is away, which `attempt` reports.
  boss.on('error', () => {});
  try {
    await boss.start();
    await boss.getDb().executeSql(TABLES);
  } catch (error) {
    await boss.stop().catch(() => {});
    throw unreachable(error, url);
  }
  let isAway = false;
  const report = (error: unknown): void => {
    const reason = withoutPassword(reasonOf(error), url);
    if (isRefusal(error))
      throw new Error(
        `The database ${database} refuses what a sweep needs: ${reason}.\n  Check the rights of that user, and that it can be written; then start this again.`,
      );
    if (isStopped()) throw new Error(`Stopped while ${database} was unreachable: ${reason}`);
    if (!isAway)
      env.log.warn(
        `The sweep's database is unreachable: trying again every ${AGAIN_MS / 1_000} s`,
        { database, reason },
      );
    isAway = true;
  };
  return {
    boss,
    query: async (text, values) => (await boss.getDb().executeSql(text, values)).rows,
    async attempt(run) {
      for (; ; await pause(env.timers, AGAIN_MS)) {
        try {
          const done = await run();
          if (isAway) env.log.info("The sweep's database is reachable again", { database });
          isAway = false;
          return done;
        } catch (error) {
          report(error);
        }
      }
    },
  };
}

/** Whether a server answered a statement; an error that ends the connection is `FATAL`. */
const isRefusal = (error: unknown): boolean =>
  (error as { severity?: unknown }).severity === 'ERROR';
