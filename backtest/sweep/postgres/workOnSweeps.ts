import type { JobWithMetadata } from 'pg-boss';
import { pause, reasonOf } from '../../../src/env/index.ts';
import type { ComputedPoint, PointThreads } from '../createPointThreads.ts';
import type { PointResult } from '../PointResult.ts';
import type { SweepJob } from '../SweepPlan.ts';
import { openQueue, type QueueOptions } from './openQueue.ts';

export interface WorkOptions extends QueueOptions {
  /** Stored with its results, and shown in the engine's list of instances: host and process. */
  worker: string;
  /** Points that it computes at the same time. */
  threads: number;
  /** Ends when no process waits for a sweep that this worker can compute, instead of waiting for more. */
  exitWhenDone: boolean;
  /** Checks a stored plan and loads what it needs. @throws for one that can't be computed here */
  prepare(signed: string): Promise<PointThreads>;
  onResult(result: PointResult): void;
  /** A sweep that this worker can't compute, and why. */
  onRefused(sweep: string, reason: string): void;
}

type Batch = JobWithMetadata<{ jobs: SweepJob[] }>;

const [LOOK_MS, ATTEMPTS] = [2_000, 3];
const GIVEN_UP = `${ATTEMPTS} workers ended while they computed it: its plugin may end the process, or take its memory`;

/**
 * Computes points of the sweeps for which processes wait, in turns if there are several. pg-boss gives out
 * batches and holds them for this process by heartbeats. While the database is unavailable the log reports
 * the reason, and computed results wait for it.
 *
 * @throws JournalFault `unreachable` at the start; later any refusal of the database
 */
export async function workOnSweeps(options: WorkOptions): Promise<void> {
  const { worker, env, isStopped } = options;
  const more = { instanceName: worker, supervise: false };
  const { boss, query, attempt } = await openQueue(options, more);
  /** By sweep; null for one that was refused. */
  const taken = new Map<string, PointThreads | null>();
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  refused.catch(() => {});
  const write = async (sweep: string, done: ComputedPoint[], by: string): Promise<void> => {
    // A point that was given up has no worker: a result that comes after all is no contradiction.
    const text = `INSERT INTO trimtab.sweep_results AS first (sweep, point, result, ms, cpu_ms, worker)
      SELECT $1, point, result, ms, cpu_ms, $6 FROM unnest($2::int[], $3::text[], $4::real[], $5::real[])
        AS computed (point, result, ms, cpu_ms)
      WHERE EXISTS (SELECT FROM trimtab.sweep_waits WHERE sweep = $1) ON CONFLICT (sweep, point)
      DO UPDATE SET other = excluded.result WHERE first.result <> excluded.result AND first.worker <> ''`;
    const [points, texts] = [
      done.map((each) => each.result.index),
      done.map((each) => JSON.stringify(each.result)),
    ];
    const costs = [done.map(({ ms }) => ms), done.map(({ cpuMs }) => cpuMs)];
    await attempt(() => query(text, [sweep, points, texts, ...costs, by])).catch(refuse);
    for (const { result } of done) options.onResult(result);
  };
  const compute = async (sweep: string, { data, signal, retryCount }: Batch): Promise<void> => {
    const [name, { jobs }, done] = [`sweep-${sweep}`, data, [] as ComputedPoint[]];
    const again = (some: SweepJob[][]) =>
      boss.insert(
        name,
        some.map((each) => ({ data: { jobs: each } })),
      );
    // One of them may have ended its worker: each alone shows which.
    if (retryCount > 0 && jobs.length > 1) return void (await again(jobs.map((job) => [job])));
    const givenUp = ({ index }: SweepJob) => ({
      result: { index, fault: GIVEN_UP },
      ms: 0,
      cpuMs: 0,
    });
    if (retryCount >= ATTEMPTS) return write(sweep, jobs.map(givenUp), '');
    const isWanted = (): boolean => !signal.aborted && taken.has(sweep);
    while (done.length < jobs.length && isWanted() && !isStopped())
      done.push(await taken.get(sweep)!.run(jobs[done.length]!));
    await write(sweep, done, worker);
    // A stop is no attempt at the points that it leaves.
    if (done.length < jobs.length && isWanted()) await again([jobs.slice(done.length)]);
  };
  const take = async (sweep: string, signed: string): Promise<void> => {
    const threads = await options.prepare(signed).catch(reasonOf);
    taken.set(sweep, typeof threads === 'string' ? null : threads);
    if (typeof threads === 'string') return options.onRefused(sweep, threads);
    const often = { pollingIntervalSeconds: 0.5, localConcurrency: options.threads };
    const how = { ...often, includeMetadata: true } as const;
    await boss.work(`sweep-${sweep}`, how, ([batch]: Batch[]) => compute(sweep, batch!));
  };
  const leave = async (sweep: string): Promise<void> => {
    const threads = taken.get(sweep);
    taken.delete(sweep);
    await boss.offWork(`sweep-${sweep}`);
    await threads?.close();
  };
  const look = async (): Promise<void> => {
    const text = `SELECT DISTINCT ON (sweep) sweep, CASE WHEN NOT sweep = ANY($1) THEN plan END AS plan
      FROM trimtab.sweep_waits WHERE until > now() ORDER BY sweep, until DESC`;
    const rows = await query(text, [[...taken.keys()]]);
    const waited = new Map(rows.map(({ sweep, plan }) => [String(sweep), plan]));
    for (const sweep of taken.keys()) if (!waited.has(sweep)) await leave(sweep);
    for (const [sweep, plan] of waited) if (plan !== null) await take(sweep, String(plan));
  };
  try {
    for (; !isStopped(); await Promise.race([refused, pause(env.timers, LOOK_MS)])) {
      await attempt(look);
      if (options.exitWhenDone && [...taken.values()].every((each) => each === null)) return;
    }
  } finally {
    await Promise.all([...taken.keys()].map(leave));
    await boss.stop().catch(() => {});
  }
}
