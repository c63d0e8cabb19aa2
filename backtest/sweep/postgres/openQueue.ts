import type { ConstructorOptions } from 'pg-boss';
import { unreachable } from '../../../src/journal/postgres/index.ts';
import { createPatience, type PatienceOptions } from '../stored/createPatience.ts';
import { createSweepTables } from '../stored/createSweepTables.ts';
import type { SweepJob } from '../SweepPlan.ts';

/** What a job of pg-boss carries: points that one worker computes. */
export interface Batch {
  jobs: readonly SweepJob[];
}

export const queueOf = (sweep: string): string => `sweep-${sweep}`;
/** Where pg-boss puts batches that failed. */
export const deadOf = (sweep: string): string => `sweep-${sweep}-dead`;
const [ALONE, ROWS] = [{ retryLimit: 2 }, 100];

/**
 * pg-boss on a database, with the tables of sweeps beside its own.
 *
 * @throws JournalFault `unreachable` if the first connection fails: then the address is likely wrong
 */
export async function openQueue(options: PatienceOptions, more: ConstructorOptions) {
  const { url } = options;
  const { PgBoss: Boss } = await import('pg-boss').catch(() => {
    throw unreachable('it needs the package pg-boss: npm install pg-boss@12', url);
  });
  const connection = { connectionString: url, keepAlive: true, query_timeout: 30_000, max: 3 };
  const boss = new Boss({ ...connection, schema: 'trimtab_jobs', schedule: false, ...more });
  const query = async (text: string, values: unknown[]) =>
    (await boss.getDb().executeSql(text, values)).rows;
  const tables = createSweepTables(query);
  // Its own polls fail while the database is away, which `attempt` reports.
  boss.on('error', () => {});
  try {
    await boss.start();
    await tables.create();
  } catch (error) {
    await boss.stop().catch(() => {});
    throw unreachable(error, url);
  }
  return {
    boss,
    tables,
    attempt: createPatience(options),
    async put(sweep: string, batches: ReadonlyArray<readonly SweepJob[]>): Promise<void> {
      // A batch that failed is split; a point alone is tried again.
      const rows = batches.map((jobs) => ({ data: { jobs }, ...(jobs.length === 1 ? ALONE : {}) }));
      while (rows.length > 0) await boss.insert(queueOf(sweep), rows.splice(0, ROWS));
    },
    /** Whether none of its batches waits or runs. */
    async isIdle(sweep: string): Promise<boolean> {
      const text = `SELECT FROM trimtab_jobs.job WHERE name IN ($1, $2) AND state < 'completed' LIMIT 1`;
      return (await query(text, [queueOf(sweep), deadOf(sweep)])).length === 0;
    },
  };
}
