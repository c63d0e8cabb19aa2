import { hostname } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { reasonOf, type Clock } from '../../src/env/index.ts';
import { codeChanged, type CodeChange } from './findCodeChange.ts';
import { packJobs, type PackedJobs } from './packJobs.ts';
import { shareMarketData } from './shareMarketData.ts';
import type { PointCost, RunningPoint } from './PointCost.ts';
import { endedThread, type PointFault, type PointResult } from './PointResult.ts';
import type { RunJobs, SweepEngine } from './SweepEngine.ts';
import type { SweepBench } from './SweepBench.ts';
import type { SweepJob } from './SweepPlan.ts';

/** Data of a thread; the cells are shared with it and, except for `at`, between all threads. */
export interface ThreadWork {
  bench: SweepBench;
  jobs: PackedJobs;
  /** Whether it ends after one job, so that the next one gets fresh modules. */
  isFresh: boolean;
  /** Position of the next free job. */
  next: Int32Array;
  /** Position of its current job; below zero between two jobs. */
  at: Int32Array;
}

/** What a thread sends for each job. */
export interface ThreadResult {
  result: PointResult;
  cost: Omit<PointCost, 'worker'>;
}

export interface ThreadOptions {
  threads: number;
  isFresh?: boolean;
  /** With it, {@link SweepEngine.running} knows since when. */
  clock?: Clock;
  /** Name of this process for the cost by worker; default: host and process. */
  name?: string;
}

const PROGRAM = new URL(
  `./sweepThread${extname(new URL(import.meta.url).pathname)}`,
  import.meta.url,
);

/** A thread at work. */
interface OpenThread {
  worker: Worker;
  at: Int32Array;
  name: string;
  /** When it began its current job, by the engine's clock. */
  since: number;
}

/** Threads that share the bars and take jobs from one counter: none waits for another. */
export function createThreadEngine(
  bench: SweepBench,
  { threads, isFresh = false, clock, name = ownName() }: ThreadOptions,
): SweepEngine {
  const shared = { ...bench, data: shareMarketData(bench.data) };
  const open = new Set<OpenThread>();
  const now = (): number => clock?.monotonicNow() ?? 0;
  let current: readonly SweepJob[] = [];
  return {
    async run({ jobs, onResult, isStopped }: RunJobs) {
      const next = cellOf(0);
      current = jobs;
      let isOver = false;
      const take = (result: PointResult, cost?: PointCost): void => {
        if (isOver) return;
        onResult(result, cost);
        if (isStopped()) Atomics.store(next, 0, jobs.length);
      };
      const work = { bench: shared, jobs: packJobs(bench.plan.params, jobs), isFresh, next };
      const runThreads = async (_none: unknown, number: number): Promise<void> => {
        const worker = `${name} thread ${number + 1}`;
        // A thread that its point has ended is replaced, as long as there are points.
        while (!isOver && !isStopped() && Atomics.load(next, 0) < jobs.length) {
          const own = { ...work, at: cellOf(-1) };
          const fault = await runThread(own, { jobs, open, take, now, name: worker });
          if (fault !== null) take(fault);
        }
      };
      const count = Math.min(threads, jobs.length);
      try {
        await Promise.all(Array.from({ length: count }, runThreads));
      } finally {
        isOver = true;
        await Promise.all([...open].map(({ worker }) => worker.terminate()));
      }
    },
    running: () =>
      [...open].flatMap(({ at, name: worker, since }): RunningPoint[] => {
        const job = current[Atomics.load(at, 0)];
        return job === undefined ? [] : [{ index: job.index, worker, ms: now() - since }];
      }),
    close: () => Promise.resolve(),
  };
}

const ownName = (): string => `${hostname()}:${process.pid}`;

/**
 * Runs each job in a new thread with fresh modules.
 *
 * @returns results in the order in which they end; those that a stop prevented are missing
 */
export async function runInFreshThreads(
  bench: SweepBench,
  jobs: readonly SweepJob[],
  { isStopped, ...options }: ThreadOptions & { isStopped(): boolean },
): Promise<PointResult[]> {
  const results: PointResult[] = [];
  const engine = createThreadEngine(bench, { ...options, isFresh: true });
  await engine.run({ jobs, onResult: (result) => results.push(result), isStopped });
  return results;
}

interface ThreadPlace {
  jobs: readonly SweepJob[];
  open: Set<OpenThread>;
  name: string;
  take: (result: PointResult, cost?: PointCost) => void;
  now: () => number;
}

/** @returns the fault of the point that ended the thread; null if the thread was done */
function runThread(
  work: ThreadWork,
  { jobs, open, name, take, now }: ThreadPlace,
): Promise<PointFault | null> {
  const { promise, resolve, reject } = Promise.withResolvers<PointFault | null>();
  const isSource = extname(PROGRAM.pathname) === '.ts';
  const worker = new Worker(PROGRAM, {
    workerData: work,
    execArgv: isSource ? ['--conditions=trimtab-source'] : [],
  });
  const thread: OpenThread = { worker, at: work.at, name, since: now() };
  open.add(thread);
  let thrown: unknown;
  worker.on('message', (message: ThreadResult | CodeChange) => {
    if ('changed' in message) return reject(codeChanged(message));
    const { result, cost } = message;
    thread.since = now();
    try {
      take(result, { worker: name, ...cost });
    } catch (error) {
      reject(error);
    }
  });
  worker.on('error', (error) => (thrown = error));
  worker.on('exit', (code) => {
    open.delete(thread);
    const job = jobs[Atomics.load(work.at, 0)];
    // An exception from outside of every stream may belong to an earlier point, so it can't be
    // attributed.
    if (thrown !== undefined) {
      reject(new Error(`A thread of the sweep failed: ${reasonOf(thrown)}`, { cause: thrown }));
    } else if (job !== undefined) {
      resolve(endedThread(job.index, code));
    } else if (code === 0) resolve(null);
    else reject(new Error(`A thread of the sweep ended with code ${code}.`));
  });
  return promise;
}

function cellOf(value: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(value);
}
