import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { reasonOf } from '../../src/env/index.ts';
import { codeChanged, type CodeChange } from './findCodeChange.ts';
import { endedThread, type PointResult } from './PointResult.ts';
import { shareMarketData } from './shareMarketData.ts';
import type { SweepBench } from './SweepBench.ts';
import type { SweepJob } from './SweepPlan.ts';

/** A point's result with what it cost here. */
export interface ComputedPoint {
  result: PointResult;
  ms: number;
  cpuMs: number;
}

/** Threads that share the bars and wait for points: the process stays free to answer for them. */
export interface PointThreads {
  /**
   * Computes a point in a thread that is free, or in a new one.
   *
   * @throws FinalRefusal if a new thread would import other code than the plan's
   * @throws if the thread fails in a way that can't be attributed to the point
   */
  run(job: SweepJob): Promise<ComputedPoint>;
  close(): Promise<void>;
}

const PROGRAM = new URL(
  `./pointThread${extname(new URL(import.meta.url).pathname)}`,
  import.meta.url,
);

/** One thread for each point that runs at the same time; a thread that its point has ended is replaced. */
export function createPointThreads(bench: SweepBench): PointThreads {
  const work: SweepBench = { ...bench, data: shareMarketData(bench.data) };
  const free: Worker[] = [];
  const open = new Set<Worker>();
  const start = (): Worker => {
    const isSource = extname(PROGRAM.pathname) === '.ts';
    const execArgv = isSource ? ['--conditions=trimtab-source'] : [];
    const thread = new Worker(PROGRAM, { workerData: work, execArgv });
    open.add(thread);
    // While it waits, it does not keep the process alive. One that a late timer of a plugin ends is not used again.
    thread.on('error', () => {});
    thread.on('exit', () => {
      open.delete(thread);
      if (free.includes(thread)) free.splice(free.indexOf(thread), 1);
    });
    return thread;
  };
  return {
    async run(job) {
      const thread = free.pop() ?? start();
      const { promise, resolve, reject } = Promise.withResolvers<ComputedPoint | CodeChange>();
      const onExit = (code: number): void =>
        resolve({ result: endedThread(job.index, code), ms: 0, cpuMs: 0 });
      const onError = (error: unknown): void =>
        reject(new Error(`A thread of the sweep failed: ${reasonOf(error)}`, { cause: error }));
      thread.once('message', resolve).once('error', onError).once('exit', onExit);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.postMessage(job);
      try {
        const computed = await promise;
        if ('changed' in computed) {
          await thread.terminate();
          throw codeChanged(computed);
        }
        if (open.has(thread)) free.push(thread);
        return computed;
      } finally {
        thread.off('message', resolve).off('error', onError).off('exit', onExit);
      }
    },
    async close() {
      await Promise.all([...open].map((thread) => thread.terminate()));
    },
  };
}
