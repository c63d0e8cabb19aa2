import type { ConstructorOptions, JobWithMetadata } from 'pg-boss';
import { unreachable } from '../../../src/journal/postgres/index.ts';
import type { SweepJob } from '../SweepPlan.ts';
import { createPatience, type PatienceOptions } from './createPatience.ts';
import { createResultStore, type Query } from './createResultStore.ts';

/** What a job of pg-boss carries: points that one worker computes. */
export interface Batch {
  jobs: readonly SweepJob[];
}

export type FailedBatch = Pick<JobWithMetadata<Batch>, 'data' | 'output'>;

export type Queue = Awaited<ReturnType<typeof openQueue>>;

const [BATCHES_A_STATEMENT, BEAT_SECONDS] = [100, 10];

/**
 * pg-boss on a database: a queue for each sweep, under the sweep's identity. Its instances are the processes
 * that wait for a sweep, named after it.
 *
 * @throws JournalFault `unreachable` if the first connection fails: then the address is likely wrong
 */
export async function openQueue(options: PatienceOptions, more: ConstructorOptions) {
  const { url } = options;
  const { PgBoss: Boss } = await import('pg-boss').catch(() => {
    throw unreachable('it needs the package pg-boss: npm install pg-boss@12', url);
  });
  const connection = { connectionString: url, keepAlive: true, query_timeout: 30_000, max: 3 };
  const how = { schema: 'trimtab_jobs', schedule: false, instanceHeartbeatSeconds: BEAT_SECONDS };
  const boss = new Boss({ ...connection, ...how, ...more });
  const query: Query = async (text, values) => (await boss.getDb().executeSql(text, values)).rows;
  const store = createResultStore(query);
  // Its own polls fail while the database is away, which `attempt` reports.
  boss.on('error', () => {});
  try {
    await boss.start();
    await store.create();
  } catch (error) {
    await boss.stop().catch(() => {});
    throw unreachable(error, url);
  }
  return {
    boss,
    store,
    attempt: createPatience(options),
    async put(sweep: string, batches: ReadonlyArray<readonly SweepJob[]>): Promise<void> {
      const rows = batches.map((jobs) => ({ data: { jobs } }));
      while (rows.length > 0) await boss.insert(sweep, rows.splice(0, BATCHES_A_STATEMENT));
    },
    /** Failed batches, with what pg-boss stored of the last attempt; undefined while a batch waits or runs. */
    async failed(sweep: string): Promise<FailedBatch[] | undefined> {
      const jobs = 'FROM trimtab_jobs.job WHERE name = $1 AND state';
      const open = await query(`SELECT ${jobs} < 'completed' LIMIT 1`, [sweep]);
      if (open.length > 0) return undefined;
      return query<FailedBatch>(`SELECT data, output ${jobs} = 'failed'`, [sweep]);
    },
    /** Sweeps for which processes wait, by their heartbeats; known are also those left within a week. */
    async waiting() {
      const all = await boss.getInstances({ limit: 100_000 });
      const names = (some: typeof all) => new Set(some.map(({ name }) => String(name)));
      return { known: names(all), waited: names(all.filter(({ live }) => live)) };
    },
    /** Removes a sweep with its results. */
    async remove(sweep: string): Promise<void> {
      await boss.deleteQueue(sweep);
      await store.remove(sweep);
    },
  };
}
