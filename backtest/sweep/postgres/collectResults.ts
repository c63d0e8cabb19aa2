import { withCode } from '../../../src/contract/index.ts';
import { pause, type Env } from '../../../src/env/index.ts';
import { createStages } from '../createStages.ts';
import type { PointResult } from '../PointResult.ts';
import type { RunJobs } from '../SweepEngine.ts';
import type { SweepJob } from '../SweepPlan.ts';
import type { FailedBatch, Page, Queue } from './openQueue.ts';

const LOOK_MS = 500;
const FIRST: Page = { limit: 1_000 };

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
  const { attempt } = queue;
  const missing = new Map(jobs.map((job) => [job.index, job]));
  const stages = createStages(jobs);
  /** The row of each point's first result, to know another one from the same read again. */
  const first = new Map<number, string>();
  let unsteady: number | undefined;
  let page: Page = FIRST;
  const readPage = async (): Promise<number> => {
    const rows = await attempt(() => queue.read(id, page));
    for (const { id: row, data } of rows) {
      page = { ...FIRST, after: row };
      if (data.result === undefined) continue;
      const result = JSON.parse(data.result) as PointResult;
      if (missing.delete(result.index)) {
        stages.add(data.cost.ms);
        options.onResult(result, data.cost);
      }
      if (!first.has(result.index)) first.set(result.index, row);
      if (first.get(result.index) !== row) unsteady ??= result.index;
    }
    return rows.length;
  };
  for (;;) {
    // Another process that waits for them puts them again.
    if (isStopped()) await attempt(() => queue.boss.deleteQueuedJobs(id));
    const failed = await attempt(() => queue.failed(id));
    // What is complete has its results. A row that was written late may lie before those already read.
    if (failed !== undefined && missing.size > 0) page = FIRST;
    while ((await readPage()) === FIRST.limit);
    for (const result of (failed ?? []).flatMap(givenUp))
      if (missing.delete(result.index)) options.onResult(result);
    if (missing.size === 0 || (failed !== undefined && isStopped())) break;
    // If nothing is open, what is missing was lost, or never put.
    const batches = stages.next([...missing.values()], failed !== undefined);
    await attempt(() => queue.put(id, batches));
    await pause(options.env.timers, LOOK_MS);
  }
  if (unsteady !== undefined) throw contradiction(jobs, unsteady);
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
