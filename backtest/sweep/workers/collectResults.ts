import { withCode } from '../../../src/contract/index.ts';
import { pause, type Env } from '../../../src/env/index.ts';
import { createStages } from '../createStages.ts';
import { shownValue } from '../ParamRange.ts';
import type { PointResult } from '../PointResult.ts';
import type { RunJobs } from '../SweepEngine.ts';
import type { SweepJob } from '../SweepPlan.ts';
import type { FailedBatch, SweepQueue } from './SweepQueue.ts';

const LOOK_MS = 500;

export interface CollectOptions extends RunJobs {
  /** The sweep's identity. */
  id: string;
  queue: SweepQueue;
  env: Pick<Env, 'timers'>;
}

/**
 * Gives the jobs out and hands on their results, until all are there or the user stops and no worker
 * computes any more.
 *
 * @throws for a point with two results, and for what the database refuses
 */
export async function collectResults(options: CollectOptions): Promise<void> {
  const { jobs, id, queue, isStopped } = options;
  const { attempt } = queue;
  const missing = new Map(jobs.map((job) => [job.index, job]));
  const stages = createStages(jobs);
  /** The row of each point's first result, to know another one from the same read again. */
  const first = new Map<number, string>();
  let unsteady: number | undefined;
  let end: string | undefined;
  /** Whether it was the last one. */
  const readPage = async (): Promise<boolean> => {
    const page = await attempt(() => queue.read(id, end));
    end = page.end ?? end;
    for (const { row, result: text, cost } of page.results) {
      const result = JSON.parse(text) as PointResult;
      if (missing.delete(result.index)) {
        stages.add(cost.ms);
        options.onResult(result, cost);
      }
      if (!first.has(result.index)) first.set(result.index, row);
      if (first.get(result.index) !== row) unsteady ??= result.index;
    }
    return page.isLast;
  };
  for (;;) {
    // Another process that waits for them puts them again.
    if (isStopped()) await attempt(() => queue.takeBack(id));
    const failed = await attempt(() => queue.failed(id));
    // What is complete has its results. A row that was written late may lie before those already read.
    if (failed !== undefined && missing.size > 0) end = undefined;
    while (!(await readPage()));
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

/** A point that three attempts could not compute alone; what ended all three most likely is the point. */
function givenUp({ jobs, reason }: FailedBatch): PointResult[] {
  if (jobs.length > 1) return [];
  const fault = `3 attempts failed: ${reason}`;
  return jobs.map(({ index }) => ({ index, fault }));
}

/** Results of one point that differ. */
function contradiction(jobs: readonly SweepJob[], point: number): Error {
  const values = jobs
    .find(({ index }) => index === point)
    ?.values.map(shownValue)
    .join(', ');
  const error = new Error(
    `Two workers computed point ${point + 1} (${values}) differently.\n` +
      "  Its plugin decides by chance or the machine's clock: run trimtab check.",
  );
  return withCode('TRIMTAB_SWEEP_UNSTEADY', error);
}
