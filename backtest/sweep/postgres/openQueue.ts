import type { WorkOptions } from 'pg-boss';
import { sha256 } from '../../../src/env/index.ts';
import { unreachable } from '../../../src/journal/postgres/index.ts';
import { createPatience, type PatienceOptions } from '../workers/createPatience.ts';
import type { Batch, StoredResult, SweepQueue } from '../workers/SweepQueue.ts';

/** A row of a sweep's results: as the worker's text, since `jsonb` changes the order of fields; or its plan. */
type Row = Partial<Omit<StoredResult, 'row'>>;

const [BATCHES_A_STATEMENT, RESULTS_A_PAGE, MOST] = [100, 1_000, 100_000];
const OPTIONS = { schema: 'trimtab_jobs', schedule: false, instanceHeartbeatSeconds: 10 };
/** Three attempts at a batch, or at a point alone. A worker without a heartbeat loses its batch. */
const BATCHES = { retryLimit: 2, heartbeatSeconds: 20, expireInSeconds: 86_400 };
const RESULTS = { retentionSeconds: 365 * 86_400 };
/** Who waits supervises, since workers may be very many. */
const WORKER = { supervise: false, registerInstance: false };
const WAITING = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };
/** A batch that took longer than this is followed by the next one at once. */
const EACH = { pollingIntervalSeconds: 0.5, includeMetadata: true } as const;
const [SUFFIX, PLAN] = ['.results', 'plan'];
const resultsOf = (sweep: string): string => sweep + SUFFIX;

export interface QueueOptions extends PatienceOptions {
  /** The sweep for which this process waits; a worker waits for none. */
  waitsFor?: string;
}

/**
 * pg-boss on a database: a queue for each sweep, under the sweep's identity, and one that holds its signed
 * plan and its results, which nobody takes out. Its instances are the processes that wait for a sweep, named
 * after it.
 *
 * @throws JournalFault `unreachable` if the first connection fails: then the address is likely wrong
 */
export async function openQueue(options: QueueOptions): Promise<SweepQueue> {
  const { url, waitsFor } = options;
  const { PgBoss: Boss } = await import('pg-boss').catch(() => {
    throw unreachable('it needs the package pg-boss: npm install pg-boss@12', url);
  });
  const connection = { connectionString: url, keepAlive: true, query_timeout: 30_000, max: 3 };
  const role = waitsFor === undefined ? WORKER : { ...WAITING, instanceName: waitsFor };
  const boss = new Boss({ ...connection, ...OPTIONS, ...role });
  // Its own polls fail while the database is away, which `attempt` reports.
  boss.on('error', () => {});
  await boss.start().catch(async (error: unknown) => {
    await boss.stop().catch(() => {});
    throw unreachable(error, url);
  });
  return {
    attempt: createPatience(options),
    async begin(sweep, signed) {
      await boss.createQueue(resultsOf(sweep), RESULTS);
      await boss.upsert(resultsOf(sweep), { signed }, { singletonKey: PLAN });
      await boss.createQueue(sweep, BATCHES);
    },
    async plan(sweep) {
      const found = boss.findJobs<{ signed: string }>(resultsOf(sweep), { key: PLAN });
      return (await ifPresent(found))[0]?.data.signed;
    },
    async put(sweep, batches) {
      const rows = batches.map((jobs) => ({ data: { jobs } }));
      while (rows.length > 0) await boss.insert(sweep, rows.splice(0, BATCHES_A_STATEMENT));
    },
    async takeBack(sweep) {
      await boss.deleteQueuedJobs(sweep);
    },
    async take(sweep, count, compute) {
      const how = { ...EACH, localConcurrency: count } satisfies WorkOptions;
      await boss.work<Batch, void, typeof how>(sweep, how, async ([job]) => {
        const { data, retryCount: retries, signal } = job!;
        await compute({ ...data, retries, signal });
      });
    },
    leave: (sweep) => boss.offWork(sweep),
    async write(sweep, done, worker) {
      const rows = done.map(({ result: point, ms, cpuMs }) => {
        const result = JSON.stringify(point);
        return { id: identify(result), data: { result, cost: { worker, ms, cpuMs } } };
      });
      await ifPresent(boss.insert(resultsOf(sweep), rows));
    },
    async read(sweep, after) {
      const page = { limit: RESULTS_A_PAGE, ...(after !== undefined && { after }) };
      const rows = await boss.findJobs<Row>(resultsOf(sweep), page);
      const results = rows.flatMap(({ id: row, data: { result, cost } }) =>
        result === undefined ? [] : [{ row, result, cost: cost! }],
      );
      return { results, end: rows.at(-1)?.id, isLast: rows.length < RESULTS_A_PAGE };
    },
    async failed(sweep) {
      const jobs = 'FROM trimtab_jobs.job WHERE name = $1 AND state';
      const query = (text: string) => boss.getDb().executeSql(text, [sweep]);
      const open = await query(`SELECT ${jobs} < 'completed' LIMIT 1`);
      if (open.rows.length > 0) return undefined;
      const { rows } = await query(`SELECT data, output ${jobs} = 'failed'`);
      return rows.map(({ data, output }) => ({ ...data, reason: reasonOf(output) }));
    },
    async waited() {
      const all = await boss.getInstances({ limit: MOST });
      return new Set(all.filter(({ live }) => live).map(({ name }) => String(name)));
    },
    async abandoned() {
      const queues = await boss.getQueues(undefined, { limit: MOST });
      const known = new Set((await boss.getInstances({ limit: MOST })).map(({ name }) => name));
      const sweeps = new Set(queues.map(({ name }) => name.replace(SUFFIX, '')));
      return [...sweeps].filter((sweep) => !known.has(sweep));
    },
    stopWaiting: () => boss.stop({ close: false, timeout: 1_000 }).catch(() => {}),
    async remove(sweep) {
      await boss.deleteQueue(sweep);
      await boss.deleteQueue(resultsOf(sweep));
    },
    close: () => boss.stop().catch(() => {}),
  };
}

/** An identity for the same text everywhere, in the form that PostgreSQL takes for one. */
const identify = (text: string): string => sha256(text).slice(0, 32);

/** What pg-boss stored of a last attempt. */
function reasonOf(output: { message?: unknown; value?: { message?: unknown } } | null): string {
  const message = output?.message ?? output?.value?.message;
  const text = typeof message === 'string' ? message : '';
  return /heartbeat|timed? ?out/i.test(text) || text === ''
    ? '3 workers ended while they computed it: its plugin may end the process, or take its memory'
    : text;
}

/** Nothing where the queue has been removed, with its sweep. */
const ifPresent = <T>(asked: Promise<T>): Promise<T | []> =>
  asked.catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'PGBOSS_QUEUE_NOT_FOUND') return [];
    throw error;
  });
