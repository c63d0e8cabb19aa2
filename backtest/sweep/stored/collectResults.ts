import { pause } from '../../../src/env/index.ts';
import type { RunJobs } from '../SweepEngine.ts';
import type { SweepJob } from '../SweepPlan.ts';
import type { PatienceOptions, Patience } from './createPatience.ts';
import { ROWS, type SweepTables } from './createSweepTables.ts';
import { contradiction } from './describeStored.ts';

const [LOOK_MS, SAMPLE] = [500, 64];

export interface CollectOptions extends RunJobs {
  /** The sweep's identity. */
  id: string;
  tables: SweepTables;
  attempt: Patience;
  env: PatienceOptions['env'];
  /** Those of the jobs that have no result yet; they leave it as their results come. */
  missing: Map<number, SweepJob>;
  /** Whether no worker has, or will get, a point of this sweep. */
  isIdle(): Promise<boolean>;
  /** Gives points out to workers. @param times milliseconds that points took so far */
  put(jobs: readonly SweepJob[], times: readonly number[]): Promise<void>;
}

/**
 * Gives the jobs out and hands on their results, until all are there or the user stops and no worker
 * computes any more.
 *
 * @throws for a point with two results, and what the database refuses
 */
export async function collectResults(options: CollectOptions): Promise<void> {
  const { jobs, id, missing, tables, attempt, env, isStopped } = options;
  // Points from all over the grid run one by one first, and their times size the batches of the others.
  const sample = new Set(jobs.filter((_, at) => at % Math.ceil(jobs.length / SAMPLE) === 0));
  const times: number[] = [];
  let [seq, stage] = [0, 0];
  const look = async () => {
    // What is complete has its results: if nothing is open, what is missing was lost, or never put.
    const isIdle = await options.isIdle();
    return { isIdle, rows: await tables.read(id, seq, isIdle ? [...missing.keys()] : []) };
  };
  for (;;) {
    const { isIdle, rows } = await attempt(look);
    for (const row of rows) {
      seq = Math.max(seq, row.seq);
      if (!missing.delete(row.result.index)) continue;
      if (row.cost !== undefined) times.push(row.cost.ms);
      options.onResult(row.result, row.cost);
    }
    if (rows.length === ROWS) continue;
    if (missing.size === 0 || (isIdle && isStopped())) break;
    if (isIdle || (stage === 1 && times.length * 2 >= sample.size)) {
      const isRest = isIdle && stage > 0;
      const left = [...missing.values()];
      const some = left.filter((job) => isRest || sample.has(job) === (stage === 0));
      await attempt(() => options.put(some, times));
      stage++;
    }
    await pause(env.timers, LOOK_MS);
  }
  const point = await attempt(() => tables.contradicted(id));
  if (point !== undefined) throw contradiction(jobs, point);
}
