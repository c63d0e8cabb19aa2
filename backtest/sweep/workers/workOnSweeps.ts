import { pause, type Env } from '../../../src/env/index.ts';
import { createLimit } from '../createLimit.ts';
import type { ComputedPoint, PointThreads } from '../createPointThreads.ts';
import { isFinal } from '../FinalRefusal.ts';
import type { PointResult } from '../PointResult.ts';
import { createRefusals } from './createRefusals.ts';
import type { HeldBatch, SweepQueue } from './SweepQueue.ts';

const LOOK_MS = 2_000;

export interface WorkOptions {
  queue: SweepQueue;
  env: Pick<Env, 'timers' | 'clock'>;
  isStopped(): boolean;
  /** Stored with its results: host and process. */
  worker: string;
  /** Points that it computes at the same time. */
  threads: number;
  /** Ends when no process waits for a sweep that this worker can compute, instead of waiting for more. */
  exitWhenDone: boolean;
  /** Checks a stored plan and loads what it needs. @throws for one that can't be computed here, now or ever */
  prepare(signed: string): Promise<PointThreads>;
  /** A sweep that this worker can't compute, and why; what may pass it tries again. */
  onRefused(sweep: string, reason: string): void;
  onResult(result: PointResult): void;
}

/**
 * Computes points of the sweeps for which processes wait, in turns if there are several, and closes
 * the queue. While that is away computed results wait for it.
 *
 * @throws what the queue refuses
 */
export async function workOnSweeps(options: WorkOptions): Promise<void> {
  const { queue, worker, threads, env, isStopped } = options;
  const { attempt } = queue;
  const limited = createLimit(threads);
  const taken = new Map<string, PointThreads>();
  /** Those that it gives up, until the points of them that it computes have ended. */
  const leaving = new Map<string, Promise<void>>();
  const refusals = createRefusals(env.clock, options.onRefused);
  const { promise: refused, reject: refuse } = Promise.withResolvers<never>();
  // It is looked at between two looks only.
  refused.catch(() => {});
  const compute = async (sweep: string, { jobs, retries, signal }: HeldBatch): Promise<void> => {
    const singles = jobs.map((job) => [job]);
    // One of them may have ended its worker: each alone shows which.
    if (retries > 0 && jobs.length > 1) return queue.put(sweep, singles);
    const isWanted = (): boolean => !signal.aborted && taken.has(sweep) && !isStopped();
    const done: ComputedPoint[] = [];
    try {
      await limited(async () => {
        for (const job of jobs) if (isWanted()) done.push(await taken.get(sweep)!.run(job));
      });
    } catch (error) {
      if (!isFinal(error)) throw error;
      // It says nothing about the points: other workers may compute them.
      refusals.add(sweep, error);
      leave(sweep);
      await queue.put(sweep, [jobs.slice(done.length)]);
    }
    await attempt(() => queue.write(sweep, done, worker)).catch(refuse);
    // Points that a stop leaves are put again by who waits for them.
    for (const { result } of done) options.onResult(result);
  };
  const take = async (sweep: string): Promise<void> => {
    const signed = refusals.isDue(sweep) ? await queue.plan(sweep) : undefined;
    if (signed === undefined) return;
    const prepared = await refusals.watch(sweep, options.prepare(signed));
    if (prepared === null) return;
    taken.set(sweep, prepared);
    // One more batch than threads is held, so that no thread waits for the next one.
    await queue.take(sweep, threads + 1, (batch) => compute(sweep, batch));
  };
  const leave = (sweep: string): void => {
    const prepared = taken.get(sweep);
    if (!taken.delete(sweep)) return;
    const end = async (): Promise<void> => {
      await queue.leave(sweep);
      await prepared?.close();
    };
    const left = end().catch(refuse);
    leaving.set(
      sweep,
      left.finally(() => leaving.delete(sweep)),
    );
  };
  const look = async (): Promise<void> => {
    const waited = await queue.waited();
    for (const sweep of taken.keys()) if (!waited.has(sweep)) leave(sweep);
    refusals.keep(waited);
    for (const sweep of waited) if (!taken.has(sweep) && !leaving.has(sweep)) await take(sweep);
  };
  try {
    for (; !isStopped(); await Promise.race([refused, pause(env.timers, LOOK_MS)])) {
      await attempt(look);
      if (options.exitWhenDone && taken.size === 0 && !refusals.isAnyOpen()) return;
    }
  } finally {
    for (const sweep of taken.keys()) leave(sweep);
    await Promise.all(leaving.values());
    await queue.close();
  }
}
