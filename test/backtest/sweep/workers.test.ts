import { expect, onTestFinished, test } from 'vitest';
import { FinalRefusal } from '../../../backtest/sweep/FinalRefusal.ts';
import type { SweepJob } from '../../../backtest/sweep/SweepPlan.ts';
import { createQueueEngine } from '../../../backtest/sweep/workers/createQueueEngine.ts';
import { workOnSweeps } from '../../../backtest/sweep/workers/workOnSweeps.ts';
import { createVirtualEnv, silentLog } from '../../../src/env/index.ts';
import { createFakeQueue } from './createFakeQueue.ts';

const jobs = [0, 1].map((index): SweepJob => {
  return { index, values: [String(index)], range: {}, window: null, part: 'all' };
});
const [first, second] = jobs as [SweepJob, SweepJob];
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
};

/** A worker of two threads on a queue in memory, whose points a test computes. */
function startWorker(run: (job: SweepJob, sweep: string) => Promise<void>) {
  const fake = createFakeQueue();
  const env = createVirtualEnv();
  const refused: string[] = [];
  let [isAsked, time] = [false, 0];
  const look = async (): Promise<void> => {
    await settle();
    env.queue.advanceTo((time += 2_000));
    await settle();
  };
  const ended = workOnSweeps({
    queue: fake.queue,
    env,
    isStopped: () => isAsked,
    worker: 'test',
    threads: 2,
    exitWhenDone: false,
    prepare: async (sweep) => ({
      async run(job) {
        await run(job, sweep);
        return { result: { index: job.index, fault: 'none' }, ms: 1, cpuMs: 1 };
      },
      close: () => Promise.resolve(),
    }),
    onResult: () => {},
    onRefused: (_sweep, reason) => refused.push(reason),
  });
  const stop = async (): Promise<void> => {
    isAsked = true;
    await look();
    await ended;
  };
  onTestFinished(stop);
  return { ...fake, refused, look, stop };
}

test('a long point of a sweep that nobody waits for keeps its worker from no other', async () => {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const worker = startWorker((_job, sweep) => (sweep === 'old' ? promise : Promise.resolve()));
  onTestFinished(() => release());
  worker.waited.add('old');
  await worker.look();
  expect(worker.give('old', [first])).toBe(true);
  worker.waited.delete('old');
  worker.waited.add('new');
  await worker.look();
  expect(worker.give('new', [second])).toBe(true);
  await settle();
  expect(worker.written).toEqual([1]);
  // Its threads are still those of before: it is taken again when they are closed.
  worker.waited.add('old');
  await worker.look();
  expect(worker.give('old', [second])).toBe(false);
  release();
  await settle();
  await worker.look();
  expect(worker.give('old', [second])).toBe(true);
});

test('a worker whose code has changed puts its batch back, and leaves the sweep for good', async () => {
  const worker = startWorker(() => Promise.reject(new FinalRefusal('own.ts has changed')));
  worker.waited.add('sweep');
  await worker.look();
  worker.give('sweep', jobs);
  await settle();
  expect(worker.put).toEqual([['sweep', jobs]]);
  expect([worker.refused, worker.written]).toEqual([['own.ts has changed'], []]);
  await worker.look();
  await worker.look();
  expect(worker.give('sweep', jobs)).toBe(false);
});

test('a worker whose code changes within a batch keeps what it has computed', async () => {
  const worker = startWorker(({ index }) =>
    index === first.index
      ? Promise.resolve()
      : Promise.reject(new FinalRefusal('own.ts has changed')),
  );
  worker.waited.add('sweep');
  await worker.look();
  worker.give('sweep', jobs);
  await settle();
  expect(worker.written).toEqual([first.index]);
  expect(worker.put).toEqual([['sweep', [second]]]);
});

/** The engine of a sweep whose results are stored already. */
async function openEngine() {
  const fake = createFakeQueue();
  fake.stored.push(...jobs.map(({ index }) => ({ index, fault: 'none' })));
  const env = { timers: createVirtualEnv().timers, log: silentLog };
  const engine = await createQueueEngine({ queue: fake.queue, env, id: 'sweep', signed: '' });
  const running = { jobs, onResult: () => {}, isStopped: () => false };
  return { engine, running, removed: fake.removed };
}
const full = (): never => {
  throw new Error('no space left');
};

test('results leave the server once they are in their file, and not before', async () => {
  const { engine, running, removed } = await openEngine();
  await expect(engine.run({ ...running, flush: full })).rejects.toThrow('no space left');
  await engine.close();
  expect(removed).toEqual([]);
  const other = await openEngine();
  await other.engine.run({ ...other.running, flush: () => {} });
  await other.engine.close();
  expect(other.removed).toEqual(['sweep']);
});

test('results of a sweep whose tests failed stay on the server', async () => {
  const { engine, running, removed } = await openEngine();
  await engine.run(running);
  await expect(engine.run({ ...running, onResult: full })).rejects.toThrow('no space left');
  await engine.close();
  expect(removed).toEqual([]);
});
