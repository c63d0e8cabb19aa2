import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MarketData } from '../../src/paper/index.ts';
import { shareMarketData } from './shareMarketData.ts';
import type { PointResult } from './PointResult.ts';
import type { RunJobs, SweepEngine } from './SweepEngine.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';

/** What a thread is given; the cells are shared by all of them. */
export interface ThreadWork {
  plan: SweepPlan;
  jobs: readonly SweepJob[];
  data: MarketData;
  /** Position of the next job that nobody has taken. */
  next: Int32Array;
}

const PROGRAM = new URL(
  `./sweepThread${extname(new URL(import.meta.url).pathname)}`,
  import.meta.url,
);

/** Threads that share the bars and take jobs by one counter: none waits for another. */
export function createThreadEngine(
  plan: SweepPlan,
  { data, threads }: { data: MarketData; threads: number },
): SweepEngine {
  const shared = shareMarketData(data);
  return {
    async run({ jobs, onResult, isStopped }: RunJobs) {
      const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const work: ThreadWork = { plan, jobs, data: shared, next };
      const take = (result: PointResult): void => {
        onResult(result);
        if (isStopped()) Atomics.store(next, 0, jobs.length);
      };
      const count = Math.min(threads, jobs.length);
      await Promise.all(Array.from({ length: count }, () => runThread(work, take)));
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Runs each job in a new thread, whose modules no other point has touched.
 *
 * @returns results in the order in which they end; those that a stop left out are missing
 */
export async function runInFreshThreads(
  plan: SweepPlan,
  jobs: readonly SweepJob[],
  options: { data: MarketData; threads: number; isStopped(): boolean },
): Promise<PointResult[]> {
  const engine = createThreadEngine(plan, { data: options.data, threads: 1 });
  const left = [...jobs];
  const results: PointResult[] = [];
  const runNext = async (): Promise<void> => {
    const { isStopped } = options;
    for (let job = left.shift(); job !== undefined && !isStopped(); job = left.shift()) {
      await engine.run({ jobs: [job], onResult: (result) => results.push(result), isStopped });
    }
  };
  await Promise.all(Array.from({ length: options.threads }, runNext));
  return results;
}

function runThread(work: ThreadWork, take: (result: PointResult) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const isSource = extname(PROGRAM.pathname) === '.ts';
  const worker = new Worker(PROGRAM, {
    workerData: work,
    execArgv: isSource ? ['--conditions=trimtab-source'] : [],
  });
  worker.on('message', take);
  worker.on('error', reject);
  worker.on('exit', (code) => {
    if (code === 0) resolve();
    else reject(new Error(`A thread of the sweep ended with code ${code}.`));
  });
  return promise;
}
