import type { JobWithMetadata } from 'pg-boss';
import { batchesOf } from '../batchesOf.ts';
import { collectResults } from '../stored/collectResults.ts';
import type { PatienceOptions } from '../stored/createPatience.ts';
import { givenUp } from '../stored/describeStored.ts';
import { waitForSweep } from '../stored/waitForSweep.ts';
import type { SweepEngine } from '../SweepEngine.ts';
import type { SweepJob } from '../SweepPlan.ts';
import { deadOf, openQueue, queueOf, type Batch } from './openQueue.ts';

/** Who waits supervises; workers may be very many. */
const OFTEN = { superviseIntervalSeconds: 5, monitorIntervalSeconds: 5 };
/** A worker without a heartbeat loses its batch. */
const BATCHES = { heartbeatSeconds: 20, expireInSeconds: 86_400, retryLimit: 0 };

export interface EngineOptions extends PatienceOptions {
  /** The sweep's identity, and its plan as workers check it. */
  id: string;
  signed: string;
}

/**
 * Puts batches of points into pg-boss on PostgreSQL and collects the results of workers on any machine. It
 * computes nothing itself. A sweep whose results have been delivered is removed when it is closed.
 *
 * @throws JournalFault `unreachable` at the start; later any refusal of the database, and for a point with
 *   two results
 */
export async function createPostgresEngine(options: EngineOptions): Promise<SweepEngine> {
  const { id } = options;
  const [queue, dead] = [queueOf(id), deadOf(id)];
  const { boss, tables, put, isIdle, attempt } = await openQueue(options, OFTEN);
  const shared = { ...options, tables, attempt };
  let missing = new Map<number, SweepJob>();
  let isHandedOver = false;
  const bury = async (batches: Array<JobWithMetadata<Batch>>): Promise<void> => {
    const { data, sourceOutput } = batches[0]!;
    const left = data.jobs.filter(({ index }) => missing.has(index));
    const given = left.map((job) => givenUp(job, sourceOutput));
    if (data.jobs.length === 1) return tables.write(id, given, '');
    // One of them may have ended its worker: each alone shows which.
    const singles = left.map((job) => [job]);
    await put(id, singles);
  };
  const dropQueue = async (sweep: string): Promise<void> => {
    for (const name of [queueOf(sweep), deadOf(sweep)]) await boss.deleteQueue(name);
  };
  const wait = await waitForSweep({ ...shared, dropQueue });
  await attempt(async () => {
    await boss.createQueue(dead);
    await boss.createQueue(queue, { ...BATCHES, deadLetter: dead });
  });
  await boss.work(dead, { includeMetadata: true }, bury);
  return {
    async run(running) {
      isHandedOver = false;
      missing = new Map(running.jobs.map((job) => [job.index, job]));
      await collectResults({
        ...shared,
        ...running,
        missing,
        async isIdle() {
          if (running.isStopped() && (await wait.isAlone()))
            await boss.deleteQueuedJobs(queue).catch(() => {});
          return isIdle(id);
        },
        put: (jobs, times) => put(id, batchesOf(jobs, times)),
      });
      isHandedOver = true;
    },
    async close() {
      await wait.end(isHandedOver);
      await boss.stop({ timeout: 1_000 }).catch(() => {});
    },
  };
}
