import type {
  FailedBatch,
  HeldBatch,
  SweepQueue,
} from '../../../backtest/sweep/workers/SweepQueue.ts';
import type { SweepJob } from '../../../backtest/sweep/SweepPlan.ts';
import type { PointResult } from '../../../backtest/sweep/PointResult.ts';

/** A queue in memory, whose batches a test hands out; it remembers what was asked of it. */
export function createFakeQueue() {
  const waited = new Set<string>();
  const takers = new Map<string, (batch: HeldBatch) => Promise<void>>();
  const held = new Map<string, Set<Promise<void>>>();
  const put: (readonly [string, readonly SweepJob[]])[] = [];
  const written: number[] = [];
  const removed: string[] = [];
  const stored: PointResult[] = [];
  const nothing = (): Promise<void> => Promise.resolve();
  const queue: SweepQueue = {
    attempt: (run) => run(),
    begin: nothing,
    plan: (sweep) => Promise.resolve(sweep),
    async put(sweep, batches) {
      for (const jobs of batches) put.push([sweep, jobs]);
    },
    takeBack: nothing,
    async take(sweep, _count, compute) {
      takers.set(sweep, compute);
    },
    async leave(sweep) {
      takers.delete(sweep);
      await Promise.allSettled(held.get(sweep) ?? []);
    },
    async write(_sweep, done) {
      for (const { result } of done) written.push(result.index);
    },
    async read() {
      const cost = { worker: 'one', ms: 1, cpuMs: 1 };
      const results = stored.map((result) => {
        return { row: String(result.index), result: JSON.stringify(result), cost };
      });
      return { results, end: undefined, isLast: true };
    },
    failed: () => Promise.resolve<FailedBatch[]>([]),
    waited: () => Promise.resolve(new Set(waited)),
    abandoned: () => Promise.resolve([]),
    stopWaiting: nothing,
    async remove(sweep) {
      removed.push(sweep);
    },
    close: nothing,
  };
  /** Gives a batch to whoever takes this sweep; false if nobody does. */
  const give = (
    sweep: string,
    jobs: readonly SweepJob[],
    { retries = 0, signal = new AbortController().signal } = {},
  ): boolean => {
    const compute = takers.get(sweep);
    if (compute === undefined) return false;
    const all = held.get(sweep) ?? new Set();
    held.set(sweep, all.add(compute({ jobs, retries, signal })));
    return true;
  };
  return { queue, waited, give, put, written, removed, stored };
}
