import type { Job } from 'pg-boss';
import type { PointThreads } from '../createPointThreads.ts';
import { createLimit } from '../createLimit.ts';
import type { PointResult } from '../PointResult.ts';
import { computeJobs } from '../stored/computeJobs.ts';
import { followSweeps, type FollowOptions } from '../stored/followSweeps.ts';
import { openQueue, queueOf, type Batch } from './openQueue.ts';

export interface WorkOptions extends FollowOptions {
  /** Stored with its results, and shown in the engine's list of instances: host and process. */
  worker: string;
  /** Points that it computes at the same time. */
  threads: number;
  onResult(result: PointResult): void;
}

/**
 * Computes points of the sweeps for which processes wait, in turns if there are several. pg-boss gives out
 * batches and holds them for this process by heartbeats. While the database is unavailable the log reports
 * the reason, and computed results wait for it.
 *
 * @throws JournalFault `unreachable` at the start; later any refusal of the database
 */
export async function workOnSweeps(options: WorkOptions): Promise<void> {
  const { worker, threads, isStopped } = options;
  const more = { instanceName: worker, supervise: false };
  const { boss, tables, put, attempt } = await openQueue(options, more);
  const how = { pollingIntervalSeconds: 1, heartbeatRefreshSeconds: 9 };
  const limited = createLimit(threads);
  const taken = new Map<string, PointThreads | null>();
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  const compute = async (sweep: string, { data: { jobs }, signal }: Job<Batch>): Promise<void> => {
    const isWanted = (): boolean => !signal.aborted && taken.has(sweep);
    const done = await limited(() =>
      computeJobs(jobs, () => (isWanted() && !isStopped() ? taken.get(sweep) : null)),
    );
    await attempt(() => tables.write(sweep, done, worker)).catch(refuse);
    for (const { result } of done) options.onResult(result);
    // A stop is no attempt at the points that it leaves.
    if (done.length < jobs.length && isWanted()) await put(sweep, [jobs.slice(done.length)]);
  };
  const take = async (sweep: string): Promise<void> => {
    // One more batch than threads is held, so that no thread waits for the next one.
    for (let held = 0; held <= threads; held++) {
      const each: string = await boss.work(queueOf(sweep), how, ([batch]: Array<Job<Batch>>) =>
        // It asks again at once, as long as there are batches.
        compute(sweep, batch!).finally(() => boss.notifyWorker(each)),
      );
    }
  };
  const leave = (sweep: string) => boss.offWork(queueOf(sweep));
  try {
    await followSweeps(options, { tables, attempt, refused, take, leave }, taken);
  } finally {
    await boss.stop().catch(() => {});
  }
}
