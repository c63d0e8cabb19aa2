import { createHash } from 'node:crypto';
import type { ConstructorOptions, JobWithMetadata } from 'pg-boss';
import { unreachable } from '../../../src/journal/postgres/index.ts';
import type { ComputedPoint } from '../createPointThreads.ts';
import type { PointCost } from '../PointCost.ts';
import type { SweepJob } from '../SweepPlan.ts';
import { createPatience, type PatienceOptions } from './createPatience.ts';

/** What a job of pg-boss carries: points that one worker computes. */
export interface Batch {
  jobs: readonly SweepJob[];
}

export type FailedBatch = Pick<JobWithMetadata<Batch>, 'data' | 'output'>;

/** A point's result as the JSON that a worker wrote, since `jsonb` changes the order of fields. */
interface StoredResult {
  /** Not of the row that holds the plan. */
  result?: string;
  cost: PointCost;
}

/** So many rows, after the one of this id. */
export interface Page {
  limit: number;
  after?: string;
}

export type Queue = Awaited<ReturnType<typeof openQueue>>;

const [BATCHES_A_STATEMENT, BEAT_SECONDS, MOST] = [100, 10, 100_000];
/** Three attempts at a batch, or at a point alone. A worker without a heartbeat loses its batch. */
const BATCHES = { retryLimit: 2, heartbeatSeconds: 20, expireInSeconds: 86_400 };
const RESULTS = { retentionSeconds: 365 * 86_400 };
const [SUFFIX, PLAN] = ['.results', 'plan'];
const resultsOf = (sweep: string): string => sweep + SUFFIX;

/**
 * pg-boss on a database: a queue for each sweep, under the sweep's identity, and one that holds its signed
 * plan and its results, which nobody takes out. Its instances are the processes that wait for a sweep, named
 * after it.
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
  // Its own polls fail while the database is away, which `attempt` reports.
  boss.on('error', () => {});
  await boss.start().catch(async (error: unknown) => {
    await boss.stop().catch(() => {});
    throw unreachable(error, url);
  });
  return {
    boss,
    attempt: createPatience(options),
    /** Begins a sweep, or joins it; the signed plan of who began last stands. */
    async begin(sweep: string, signed: string): Promise<void> {
      await boss.createQueue(resultsOf(sweep), RESULTS);
      await boss.upsert(resultsOf(sweep), { signed }, { singletonKey: PLAN });
      await boss.createQueue(sweep, BATCHES);
    },
    /** A sweep's signed plan, as long as it has not been removed. */
    async plan(sweep: string): Promise<string | undefined> {
      const [job] = await ifPresent(
        boss.findJobs<{ signed: string }>(resultsOf(sweep), { key: PLAN }),
      );
      return job?.data.signed;
    },
    async put(sweep: string, batches: ReadonlyArray<readonly SweepJob[]>): Promise<void> {
      const rows = batches.map((jobs) => ({ data: { jobs } }));
      while (rows.length > 0) await boss.insert(sweep, rows.splice(0, BATCHES_A_STATEMENT));
    },
    /** Stores results of a sweep that has not been removed: the same one of a point once, another one beside it. */
    async write(sweep: string, done: readonly ComputedPoint[], worker: string): Promise<void> {
      const rows = done.map(({ result: point, ms, cpuMs }) => {
        const result = JSON.stringify(point);
        return { id: identify(result), data: { result, cost: { worker, ms, cpuMs } } };
      });
      await ifPresent(boss.insert(resultsOf(sweep), rows));
    },
    /** Stored results, oldest first, and the row of the plan. */
    read: (sweep: string, page: Page) => boss.findJobs<StoredResult>(resultsOf(sweep), page),
    /** Failed batches, with what pg-boss stored of the last attempt; undefined while a batch waits or runs. */
    async failed(sweep: string): Promise<FailedBatch[] | undefined> {
      const jobs = 'FROM trimtab_jobs.job WHERE name = $1 AND state';
      const query = (text: string) => boss.getDb().executeSql(text, [sweep]);
      const open = await query(`SELECT ${jobs} < 'completed' LIMIT 1`);
      if (open.rows.length > 0) return undefined;
      return (await query(`SELECT data, output ${jobs} = 'failed'`)).rows;
    },
    /** Sweeps for which processes wait, by their heartbeats. */
    async waited(): Promise<Set<string>> {
      const all = await boss.getInstances({ limit: MOST });
      return new Set(all.filter(({ live }) => live).map(({ name }) => String(name)));
    },
    /** Sweeps for which no process has waited for a week: then pg-boss forgets it. */
    async abandoned(): Promise<string[]> {
      const queues = await boss.getQueues(undefined, { limit: MOST });
      const known = new Set((await boss.getInstances({ limit: MOST })).map(({ name }) => name));
      const sweeps = new Set(queues.map(({ name }) => name.replace(SUFFIX, '')));
      return [...sweeps].filter((sweep) => !known.has(sweep));
    },
    /** Removes a sweep with its results. */
    async remove(sweep: string): Promise<void> {
      await boss.deleteQueue(sweep);
      await boss.deleteQueue(resultsOf(sweep));
    },
  };
}

/** An identity for the same text everywhere, in the form that PostgreSQL takes for one. */
const identify = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Nothing where the queue has been removed, with its sweep. */
const ifPresent = <T>(asked: Promise<T>): Promise<T | []> =>
  asked.catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'PGBOSS_QUEUE_NOT_FOUND') return [];
    throw error;
  });
