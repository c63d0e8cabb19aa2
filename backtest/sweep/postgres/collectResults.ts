import { withCode } from '../../../src/contract/index.ts';
import { pause, type Env } from '../../../src/env/index.ts';
import { batchesOf } from '../batchesOf.ts';
import type { PointResult } from '../PointResult.ts';
import type { RunJobs } from '../SweepEngine.ts';
import type { SweepJob } from '../SweepPlan.ts';
import { ROWS } from './createResultStore.ts';
import type { FailedBatch, Queue } from './openQueue.ts';

const [LOOK_MS, SAMPLE] = [500, 64];

export interface CollectOptions extends RunJobs {
  /** The sweep's identity. */
  id: string;
  queue: Queue;
  env: Pick<Env, 'timers'>;
}

/**
 * Gives the jobs out and hands on their results, until all are there or the user stops and no worker
 * computes any more.
 *
 * @throws for a point with two results, and what the database refuses
 */
export async function collectResults(options: CollectOptions): Promise<void> {
  const { jobs, id, queue, isStopped } = options;
  const { store, attempt } = queue;
  const missing = new Map(jobs.map((job) => [job.index, job]));
  // Points from all over the grid run one by one first, and their times size the batches of the others.
  const sample = new Set(jobs.filter((_, at) => at % Math.ceil(jobs.length / SAMPLE) === 0));
  const times: number[] = [];
  let [seq, stage] = [0, 0];
  const look = async () => {
    // Another process that waits for them puts them again.
    if (isStopped()) await queue.boss.deleteQueuedJobs(id);
    // What is complete has its results: if nothing is open, what is missing was lost, or never put.
    const failed = await queue.failed(id);
    const rows = await store.read(id, seq, failed === undefined ? [] : [...missing.keys()]);
    return { failed, rows };
  };
  for (;;) {
    const { failed, rows } = await attempt(look);
    const isIdle = failed !== undefined;
    for (const row of rows) {
      seq = Math.max(seq, row.seq);
      if (!missing.delete(row.result.index)) continue;
      times.push(row.cost.ms);
      options.onResult(row.result, row.cost);
    }
    if (rows.length === ROWS) continue;
    for (const result of (failed ?? []).flatMap(givenUp))
      if (missing.delete(result.index)) options.onResult(result);
    if (missing.size === 0 || (isIdle && isStopped())) break;
    if (isIdle || (stage === 1 && times.length * 2 >= sample.size)) {
      const isRest = isIdle && stage > 0;
      const some = [...missing.values()].filter(
        (job) => isRest || sample.has(job) === (stage === 0),
      );
      await attempt(() => queue.put(id, batchesOf(some, times)));
      stage++;
    }
    await pause(options.env.timers, LOOK_MS);
  }
  const point = await attempt(() => store.contradicted(id));
  if (point !== undefined) throw contradiction(jobs, point);
}

/** A point that three workers could not compute alone, with what pg-boss stored of the last attempt. */
function givenUp({ data: { jobs }, output }: FailedBatch): PointResult[] {
  if (jobs.length > 1) return [];
  const { message, value } = (output ?? {}) as { message?: unknown; value?: { message?: unknown } };
  const text = String(message ?? value?.message ?? '');
  const reason =
    /heartbeat|timed? ?out/i.test(text) || text === ''
      ? '3 workers ended while they computed it: its plugin may end the process, or take its memory'
      : text;
  return jobs.map(({ index }) => ({ index, fault: `3 attempts failed: ${reason}` }));
}

/** Results of one point that differ. */
function contradiction(jobs: readonly SweepJob[], point: number): Error {
  const values = jobs.find(({ index }) => index === point)?.values.join(', ');
  const error = new Error(
    `Two workers computed point ${point + 1} (${values}) differently.\n` +
      "  Its plugin decides by chance or the machine's clock: run trimtab check.",
  );
  return withCode('TRIMTAB_SWEEP_UNSTEADY', error);
}
