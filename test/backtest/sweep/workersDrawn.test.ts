import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ComputedPoint } from '../../../backtest/sweep/createPointThreads.ts';
import { FinalRefusal } from '../../../backtest/sweep/FinalRefusal.ts';
import type { PointResult } from '../../../backtest/sweep/PointResult.ts';
import type { SweepJob } from '../../../backtest/sweep/SweepPlan.ts';
import { collectResults } from '../../../backtest/sweep/workers/collectResults.ts';
import type { FailedBatch, SweepQueue } from '../../../backtest/sweep/workers/SweepQueue.ts';
import { workOnSweeps } from '../../../backtest/sweep/workers/workOnSweeps.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createFakeQueue } from './createFakeQueue.ts';

const jobOf = (index: number): SweepJob => ({
  index,
  values: [String(index)],
  range: {},
  window: null,
  part: 'all',
});

/** What becomes of a batch that a worker takes. */
const fate = fc.record({
  /** Looks until its results are there, counted from when it was put. */
  looks: fc.nat(4),
  how: fc.constantFrom('done', 'done', 'done', 'lost', 'failed', 'waits'),
  /** Its row was begun early: it lies before rows that are there sooner. */
  isEarly: fc.boolean(),
});

/** A queue whose batches have drawn fates; its pages have two rows. */
function drawnQueue(
  fates: Iterator<{ looks: number; how: string; isEarly: boolean }>,
  isStoppedOnce: boolean,
) {
  let look = 0;
  let rows: Array<{ place: number; row: string; index: number }> = [];
  const open: Array<{ jobs: readonly SweepJob[]; at: number; how: string; place: number }> = [];
  const failed: FailedBatch[] = [];
  let placed = 0;
  const pass = (): void => {
    look += 1;
    for (const batch of open.filter(({ at }) => at <= look)) {
      open.splice(open.indexOf(batch), 1);
      if (batch.how === 'failed') failed.push({ jobs: batch.jobs, reason: 'its plugin' });
      if (batch.how === 'done')
        for (const { index } of batch.jobs)
          rows.push({ place: batch.place, row: `r${index}`, index });
    }
    // The same result twice is one row.
    rows = rows
      .filter(({ row }, at) => rows.findIndex((one) => one.row === row) === at)
      .toSorted((a, b) => a.place - b.place || a.index - b.index);
  };
  const fake = createFakeQueue();
  const queue: SweepQueue = {
    ...fake.queue,
    async put(_sweep, batches) {
      for (const jobs of batches) {
        // What a worker holds, or will take, is given to no second one.
        expect(open.filter((batch) => batch.jobs.some((job) => jobs.includes(job)))).toEqual([]);
        const { looks, how, isEarly } = fates.next().value!;
        placed += 1;
        // Nobody takes it; before the end of a sweep that goes on somebody would.
        const waits = how === 'waits' && isStoppedOnce;
        const at = waits ? Infinity : look + looks;
        const place = isEarly ? -placed : placed;
        open.push({ jobs, at, how: how === 'waits' ? 'done' : how, place });
      }
    },
    async read(_sweep, after) {
      const from = after === undefined ? 0 : rows.findIndex(({ row }) => row === after) + 1;
      const page = rows.slice(from, from + 2);
      return {
        results: page.map(({ row, index }) => ({
          row,
          result: JSON.stringify({ index, figures: {} }),
          cost: { worker: 'one', ms: 1, cpuMs: 1 },
        })),
        end: page.at(-1)?.row,
        isLast: page.length < 2,
      };
    },
    async failed() {
      pass();
      return open.length > 0 ? undefined : failed;
    },
    async takeBack() {
      // What a worker holds it goes on with.
      for (const batch of open.filter(({ at }) => at === Infinity))
        open.splice(open.indexOf(batch), 1);
    },
  };
  return { queue, open, rows: () => rows, failed };
}

/** Lets virtual time pass until it is settled. */
async function until<T>(env: ReturnType<typeof createVirtualEnv>, done: Promise<T>): Promise<T> {
  let isOver = false;
  done.catch(() => {}).finally(() => (isOver = true));
  for (let step = 0; !isOver && step < 2_000; step++) {
    for (let turn = 0; turn < 40; turn++) await Promise.resolve();
    env.queue.advanceTo(env.queue.now() + 500);
  }
  expect(isOver).toBe(true);
  return done;
}

/** The drawn fates over and over for a while, and then good ones, so that a sweep ends. */
function* thenDone(drawn: readonly { looks: number; how: string; isEarly: boolean }[]) {
  for (let at = 0; at < 200 && drawn.length > 0; at++) yield drawn[at % drawn.length]!;
  for (;;) yield { looks: 0, how: 'done', isEarly: false };
}

test('each point has one result, whatever becomes of its batches and however late its row is there', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 130 }),
      fc.array(fate, { maxLength: 150 }),
      fc.option(fc.nat(6)),
      async (count, drawn, stopAfter) => {
        const env = createVirtualEnv();
        const { queue, open, rows, failed } = drawnQueue(thenDone(drawn), stopAfter !== null);
        const jobs = Array.from({ length: count }, (_none, at) => jobOf(at));
        const got: PointResult[] = [];
        const isStopped = (): boolean => stopAfter !== null && env.queue.now() > stopAfter * 500;
        const onResult = (result: PointResult): void => void got.push(result);
        await until(env, collectResults({ jobs, id: 's', queue, env, onResult, isStopped }));
        const indices = got.map(({ index }) => index);
        expect(new Set(indices).size).toBe(indices.length);
        // What is there when it ends has been handed on.
        for (const { index } of rows()) expect(indices).toContain(index);
        for (const result of got)
          if ('fault' in result) {
            expect(result.fault).toBe('3 attempts failed: its plugin');
            expect(
              failed.some((one) => one.jobs.length === 1 && one.jobs[0]!.index === result.index),
            ).toBe(true);
          } else expect(rows().some(({ index }) => index === result.index)).toBe(true);
        if (stopAfter === null) expect(indices.length).toBe(count);
        // No worker computes any more what a stopped sweep would lose.
        else if (indices.length < count) expect(open).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test('what has been read is not read again at each look', async () => {
  const env = createVirtualEnv();
  const { queue } = createFakeQueue();
  const rows = ['r0', 'r1'];
  const asked: Array<string | undefined> = [];
  queue.failed = () => Promise.resolve(undefined);
  queue.read = async (_sweep, after) => {
    asked.push(after);
    // Each look finds what was written since the one before it: one row, nothing, the other.
    const row = asked.length === 2 ? undefined : rows.shift();
    const result = JSON.stringify({ index: Number(row?.slice(1)), figures: {} });
    const cost = { worker: 'one', ms: 1, cpuMs: 1 };
    return {
      results: row === undefined ? [] : [{ row, result, cost }],
      end: row,
      isLast: true,
    };
  };
  const collected = collectResults({
    jobs: [jobOf(0), jobOf(1)],
    id: 's',
    queue,
    env,
    onResult: () => {},
    isStopped: () => false,
  });
  await until(env, collected);
  expect(asked).toEqual([undefined, 'r0', 'r0']);
});

test('a point with two results is named with its values once all are there', async () => {
  const env = createVirtualEnv();
  const { queue } = createFakeQueue();
  queue.read = async () => ({
    results: ['a', 'b', 'a', 'c'].map((row) => ({
      row,
      result: JSON.stringify({ index: row === 'c' ? 0 : 1, figures: {} }),
      cost: { worker: 'one', ms: 1, cpuMs: 1 },
    })),
    end: 'c',
    isLast: true,
  });
  const got: PointResult[] = [];
  const collected = collectResults({
    jobs: [jobOf(0), { ...jobOf(1), values: ['7', 'fast'] }],
    id: 's',
    queue,
    env,
    onResult: (result) => void got.push(result),
    isStopped: () => false,
  });
  await expect(until(env, collected)).rejects.toMatchObject({
    code: 'TRIMTAB_SWEEP_UNSTEADY',
    message: expect.stringContaining('Two workers computed point 2 (7, fast) differently.'),
  });
  expect(got.map(({ index }) => index)).toEqual([1, 0]);
});

/** A worker on a queue in memory, whose points the test computes. */
function startWorker(
  over: { threads?: number; exitWhenDone?: boolean } = {},
  waited: string[] = [],
) {
  const env = createVirtualEnv();
  const fake = createFakeQueue();
  for (const sweep of waited) fake.waited.add(sweep);
  const running: Array<{ index: number; end(error?: Error): void }> = [];
  const closed: string[] = [];
  const refused: string[] = [];
  const results: number[] = [];
  const counts: number[] = [];
  /** Why the next attempts at a sweep fail. */
  const faults: Error[] = [];
  let isStopped = false;
  const { take } = fake.queue;
  fake.queue.take = (sweep, count, compute) => {
    counts.push(count);
    return take(sweep, count, compute);
  };
  let isClosed = false;
  fake.queue.close = async () => void (isClosed = true);
  const ended = workOnSweeps({
    queue: fake.queue,
    env,
    worker: 'host:1',
    threads: 2,
    exitWhenDone: false,
    ...over,
    isStopped: () => isStopped,
    async prepare(signed) {
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
      return {
        run: ({ index }: SweepJob) =>
          new Promise<ComputedPoint>((resolve, reject) => {
            const result = { index, figures: {} } as unknown as PointResult;
            running.push({
              index,
              end: (error) =>
                error === undefined ? resolve({ result, ms: 1, cpuMs: 1 }) : reject(error),
            });
          }),
        async close() {
          closed.push(signed);
        },
      };
    },
    onRefused: (sweep, reason) => refused.push(`${sweep}: ${reason}`),
    onResult: ({ index }) => results.push(index),
  });
  const pass = async (ms = 2_000): Promise<void> => {
    for (let at = 0; at < ms; at += 500) {
      for (let turn = 0; turn < 40; turn++) await Promise.resolve();
      env.queue.advanceTo(env.queue.now() + 500);
    }
    for (let turn = 0; turn < 40; turn++) await Promise.resolve();
  };
  /** Ends the point that runs with this index. */
  const end = async (index: number, error?: Error): Promise<void> => {
    running
      .splice(
        running.findIndex((one) => one.index === index),
        1,
      )[0]!
      .end(error);
    await pass(500);
  };
  return {
    ...fake,
    counts,
    running: () => running.map(({ index }) => index).toSorted((a, b) => a - b),
    closed,
    refused,
    faults,
    results,
    pass,
    end,
    ended,
    stop: () => (isStopped = true),
    isClosed: () => isClosed,
  };
}

test('a worker computes as many points at a time as it has threads, of all its sweeps together', async () => {
  const worker = startWorker({ threads: 2 });
  worker.waited.add('one').add('two');
  await worker.pass();
  // One batch more is held, so that no thread waits for the next.
  expect(worker.counts).toEqual([3, 3]);
  worker.give('one', [jobOf(1), jobOf(2)]);
  worker.give('two', [jobOf(3)]);
  worker.give('one', [jobOf(4)]);
  await worker.pass();
  expect(worker.running()).toEqual([1, 3]);
  await worker.end(3);
  expect(worker.written).toEqual([3]);
  expect(worker.running()).toEqual([1, 4]);
  await worker.end(1);
  // A batch is written as a whole.
  expect(worker.written).toEqual([3]);
  await worker.end(2);
  await worker.end(4);
  expect(worker.written.toSorted()).toEqual([1, 2, 3, 4]);
  expect(worker.results.toSorted()).toEqual([1, 2, 3, 4]);
  worker.stop();
  await worker.pass(4_000);
  await worker.ended;
  expect(worker.closed.toSorted()).toEqual(['one', 'two']);
  expect(worker.isClosed()).toBe(true);
});

test('a sweep that nobody waits for is left with the point that runs, and taken again when somebody does', async () => {
  const worker = startWorker({ threads: 1 });
  worker.waited.add('one');
  await worker.pass();
  worker.give('one', [jobOf(1), jobOf(2)]);
  await worker.pass();
  worker.waited.clear();
  await worker.pass();
  expect(worker.give('one', [jobOf(3)])).toBe(false);
  expect(worker.closed).toEqual([]);
  await worker.end(1);
  // What ran is written, what had not begun is another worker's.
  expect(worker.written).toEqual([1]);
  expect(worker.running()).toEqual([]);
  await worker.pass();
  expect(worker.closed).toEqual(['one']);
  worker.waited.add('one');
  await worker.pass(4_000);
  expect(worker.give('one', [jobOf(2)])).toBe(true);
  await worker.pass();
  await worker.end(2);
  expect(worker.written).toEqual([1, 2]);
  worker.stop();
  await worker.pass(4_000);
  await worker.ended;
});

test('a worker that can compute a sweep no more gives back all that it has not computed', async () => {
  const worker = startWorker({ threads: 1, exitWhenDone: true }, ['one']);
  await worker.pass();
  worker.give('one', [jobOf(1), jobOf(2), jobOf(3)]);
  await worker.pass();
  await worker.end(1);
  await worker.end(2, new FinalRefusal('the code has changed'));
  await worker.pass(6_000);
  expect(worker.put.map(([sweep, jobs]) => [sweep, jobs.map(({ index }) => index)])).toEqual([
    ['one', [2, 3]],
  ]);
  expect(worker.written).toEqual([1]);
  expect(worker.refused).toEqual(['one: the code has changed']);
  expect(worker.closed).toEqual(['one']);
  // There is no other sweep, and it does not take this one again.
  await worker.ended;
  expect(worker.isClosed()).toBe(true);
});

test('a worker that is stopped ends the point that runs, and begins no other', async () => {
  const worker = startWorker({ threads: 1 }, ['one']);
  await worker.pass();
  worker.give('one', [jobOf(1), jobOf(2)]);
  await worker.pass();
  worker.stop();
  await worker.end(1);
  expect(worker.running()).toEqual([]);
  await worker.pass(4_000);
  await worker.ended;
  expect(worker.written).toEqual([1]);
  expect(worker.closed).toEqual(['one']);
});

test('a worker that waits for more goes on without a sweep, and one that does not ends', async () => {
  const [waits, ends] = [startWorker(), startWorker({ exitWhenDone: true })];
  let isOver = false;
  void waits.ended.then(() => (isOver = true));
  await waits.pass(10_000);
  await ends.pass(500);
  await ends.ended;
  expect([isOver, ends.isClosed()]).toEqual([false, true]);
  waits.stop();
  await waits.pass(4_000);
  await waits.ended;
});

test('results that the queue refuses end the worker, with its reason', async () => {
  const worker = startWorker();
  worker.waited.add('one');
  worker.queue.write = () => Promise.reject(new Error('no permission'));
  await worker.pass();
  worker.give('one', [jobOf(1)]);
  await worker.pass();
  const ended = expect(worker.ended).rejects.toThrow('no permission');
  await worker.end(1);
  await worker.pass(4_000);
  await ended;
  expect(worker.closed).toEqual(['one']);
  expect(worker.isClosed()).toBe(true);
});

test('a worker that is stopped closes its queue once all that it computes is written', async () => {
  const worker = startWorker({ threads: 2 }, ['one', 'two']);
  await worker.pass();
  worker.give('one', [jobOf(1)]);
  worker.give('two', [jobOf(2)]);
  await worker.pass();
  worker.stop();
  await worker.pass(4_000);
  for (const [index, written] of [[2, [2]] as const, [1, [2, 1]] as const]) {
    expect(worker.isClosed()).toBe(false);
    await worker.end(index);
    expect(worker.written).toEqual(written);
  }
  await worker.ended;
  expect(worker.isClosed()).toBe(true);
});

test('a worker that ends when all is done waits for a sweep whose refusal may pass', async () => {
  const worker = startWorker({ exitWhenDone: true }, ['one']);
  worker.faults.push(new Error('no room'), new Error('no room'));
  await worker.pass(4_000);
  expect([worker.refused, worker.isClosed()]).toEqual([['one: no room'], false]);
  await worker.pass(6_000);
  expect(worker.give('one', [jobOf(1)])).toBe(true);
  await worker.pass();
  await worker.end(1);
  worker.waited.clear();
  await worker.pass(4_000);
  await worker.ended;
  expect(worker.written).toEqual([1]);
});

test('a sweep that was refused for good is tried again after nobody has waited for it', async () => {
  const worker = startWorker({}, ['one']);
  worker.faults.push(new FinalRefusal('another version'));
  await worker.pass(6_000);
  expect(worker.give('one', [jobOf(1)])).toBe(false);
  worker.waited.clear();
  await worker.pass();
  worker.waited.add('one');
  await worker.pass(4_000);
  expect(worker.give('one', [])).toBe(true);
  expect(worker.refused).toEqual(['one: another version']);
  worker.stop();
  await worker.pass(4_000);
  await worker.ended;
});

test('a batch that a worker was lost with is put again point by point, and a point alone is computed', async () => {
  const worker = startWorker({ threads: 3 }, ['one']);
  await worker.pass();
  worker.give('one', [jobOf(1), jobOf(2)], { retries: 1 });
  worker.give('one', [jobOf(3)], { retries: 2 });
  worker.give('one', [jobOf(4), jobOf(5)]);
  await worker.pass();
  expect(worker.put.map(([, jobs]) => jobs.map(({ index }) => index))).toEqual([[1], [2]]);
  expect(worker.running()).toEqual([3, 4]);
  for (const index of [3, 4, 5]) await worker.end(index);
  expect(worker.written.toSorted()).toEqual([3, 4, 5]);
  worker.stop();
  await worker.pass(4_000);
  await worker.ended;
});

test('a batch that is another worker’s meanwhile is ended with the point that runs', async () => {
  const worker = startWorker({ threads: 1 }, ['one']);
  await worker.pass();
  const taken = new AbortController();
  worker.give('one', [jobOf(1), jobOf(2)], { signal: taken.signal });
  await worker.pass();
  taken.abort();
  await worker.end(1);
  expect([worker.written, worker.running()]).toEqual([[1], []]);
  worker.stop();
  await worker.pass(4_000);
  await worker.ended;
});

test('a fault that may pass leaves its batch with the queue, which gives it again', async () => {
  const worker = startWorker({ threads: 1 }, ['one']);
  let batch: Promise<void> | undefined;
  worker.queue.take = async (_sweep, _count, compute) => {
    const { signal } = new AbortController();
    batch = compute({ jobs: [jobOf(1)], retries: 0, signal });
    batch.catch(() => {});
  };
  await worker.pass();
  await worker.end(1, new Error('the disk is full'));
  await expect(batch).rejects.toThrow('the disk is full');
  expect([worker.written, worker.refused]).toEqual([[], []]);
  worker.stop();
  await worker.pass(4_000);
  await worker.ended;
});
