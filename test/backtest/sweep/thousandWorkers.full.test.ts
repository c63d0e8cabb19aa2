import { generateKeyPairSync } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PointResult } from '../../../backtest/sweep/PointResult.ts';
import { openQueue } from '../../../backtest/sweep/postgres/openQueue.ts';
import type { SweepJob } from '../../../backtest/sweep/SweepPlan.ts';
import { createQueueEngine } from '../../../backtest/sweep/workers/createQueueEngine.ts';
import { signSweep } from '../../../backtest/sweep/workers/signSweep.ts';
import { workOnSweeps } from '../../../backtest/sweep/workers/workOnSweeps.ts';
import { createLiveEnv, silentLog } from '../../../src/env/index.ts';
import { connectPg } from '../../../src/journal/postgres/index.ts';
import { hasPooler, startPooler, startServer } from './startPooler.ts';

/** Workers that sleep instead of running a backtest; a busy machine may take fewer. */
const WORKERS = Number(process.env['TRIMTAB_TEST_WORKERS'] ?? 1_000);
const [POINT_MS, POINTS_A_WORKER] = [1_000, 60];
const env = createLiveEnv({ log: silentLog });
const { privateKey } = generateKeyPairSync('ed25519');
const signed = signSweep({ plan: {} as never, content: null }, privateKey);
const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** A sweep of so many points, each of which a worker takes a second for. */
async function runSweep(
  url: string,
  { workers, points, direct = url }: { workers: number; points: number; direct?: string },
) {
  let isDone = false;
  // Of the test itself, opened while nobody waits for the pooler: it counts the batches at the end.
  const client = await connectPg({ url: direct, name: 'test' });
  const isStopped = (): boolean => isDone;
  const waiting = { url, env, isStopped: () => false, waitsFor: 's' };
  const engine = await createQueueEngine({ queue: await openQueue(waiting), env, id: 's', signed });
  onTestFinished(() => engine.close());
  const counts = Array.from({ length: workers }, () => 0);
  /** Between two points of a worker, while there were more. */
  const gaps: number[] = [];
  /** When that part of the run began and ended, in which there are more points than workers can take. */
  const steady = { from: 0, until: 0 };
  /** What a second took there: all workers are in one process. */
  const slept: number[] = [];
  let handed = 0;
  const work = counts.map(async (_zero, at) => {
    let before: number | undefined;
    const run = async ({ index }: SweepJob) => {
      const began = performance.now();
      // Without the sample at the start, which goes out first, and the rest at the end.
      const isSteady = handed >= 5 * workers && handed < points - 5 * workers;
      if (before !== undefined && (workers === 1 || isSteady)) gaps.push(began - before);
      if (handed === 5 * workers) steady.from = began;
      if (isSteady) steady.until = began;
      handed++;
      await sleep(POINT_MS);
      before = performance.now();
      if (isSteady) slept.push(before - began);
      counts[at]!++;
      return { result: { index, fault: 'none' }, ms: POINT_MS, cpuMs: 0 };
    };
    const prepare = () => Promise.resolve({ run, close: () => Promise.resolve() });
    return workOnSweeps({
      queue: await openQueue({ url, env, isStopped }),
      env,
      worker: `worker ${at}`,
      threads: 1,
      exitWhenDone: false,
      isStopped,
      prepare,
      onResult: () => {},
      onRefused: (_sweep, reason) => expect.fail(reason),
    });
  });
  const jobs = Array.from({ length: points }, (_none, index): SweepJob => {
    return { index, values: [], range: {}, window: null, part: 'all' };
  });
  const results: number[] = [];
  const [began, before] = [performance.now(), process.cpuUsage()];
  const onResult = ({ index }: PointResult): void => void results.push(index);
  await engine.run({ jobs, onResult, isStopped: () => false });
  const seconds = (performance.now() - began) / 1_000;
  const rate = (points - 10 * workers) / ((steady.until - steady.from) / 1_000);
  const { rows } = await client.query({ text: 'SELECT count(*) FROM trimtab_jobs.job' });
  await client.end();
  const batches = Number(rows[0]!['count']);
  const idle = gaps.reduce((sum, gap) => sum + gap, 0) / (gaps.length * POINT_MS);
  const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1]! / POINT_MS;
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1_000 / points;
  isDone = true;
  await Promise.all(work);
  await engine.close();
  const pointMs = slept.reduce((sum, each) => sum + each, 0) / slept.length;
  return { counts, results, seconds, idle, rate, pointMs, batches, usual, cpuMs };
}

/** Jobs a second that pg-boss gives out and takes back at most, with nothing around it. */
async function bareRate(url: string): Promise<number> {
  const [jobs, loops, queue] = [4_000, 40, 'bare'];
  const boss = new PgBoss({ connectionString: url, max: loops, schedule: false, supervise: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(queue);
  await boss.insert(
    queue,
    Array.from({ length: jobs }, (_none, index) => ({ data: { index } })),
  );
  const began = performance.now();
  const loop = async (): Promise<void> => {
    for (let some = await boss.fetch(queue); some.length > 0; some = await boss.fetch(queue))
      await boss.complete(queue, some[0]!.id);
  };
  await Promise.all(Array.from({ length: loops }, loop));
  const seconds = (performance.now() - began) / 1_000;
  await boss.stop();
  return jobs / seconds;
}

describe('the job engine', () => {
  test('costs at most 2 % at a second a batch', { timeout: 600_000 }, async () => {
    const { port } = await startServer();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    // As many as the sample, which goes out point by point.
    const { idle, usual, cpuMs, results } = await runSweep(url, { workers: 1, points: 64 });
    process.stderr.write(
      `engine: ${(usual * 100).toFixed(2)} % at a second a batch (mean ${(idle * 100).toFixed(2)} %), ` +
        `${cpuMs.toFixed(1)} ms of the processor\n`,
    );
    expect(results).toHaveLength(64);
    // The median: what other programs of the machine take is not the engine's.
    expect(usual).toBeLessThan(0.02);
  });

  test.skipIf(!hasPooler && process.env.CI !== 'true')(
    `keeps ${WORKERS} workers busy over one server, and starves none`,
    { timeout: 1_800_000 },
    async () => {
      const { port } = await startServer();
      const direct = `postgres://postgres@127.0.0.1:${port}/postgres`;
      const url = `postgres://postgres@127.0.0.1:${await startPooler(port, 40)}/postgres`;
      const points = WORKERS * POINTS_A_WORKER;
      const limit = await bareRate(url);
      const { counts, results, seconds, idle, rate, pointMs, batches } = await runSweep(url, {
        workers: WORKERS,
        points,
        direct,
      });
      process.stderr.write(
        `${WORKERS} workers: ${points} points in ${seconds.toFixed(0)} s, ` +
          `${(idle * 100).toFixed(2)} % idle, ${Math.min(...counts)} to ${Math.max(...counts)} points each; ` +
          `${rate.toFixed(0)} points (of ${pointMs.toFixed(0)} ms) and ${((rate * batches) / points).toFixed(0)} batches a second, ` +
          `of which pg-boss alone does ${limit.toFixed(0)}\n`,
      );
      expect(new Set(results).size).toBe(points);
      expect(Math.min(...counts)).toBeGreaterThan(POINTS_A_WORKER / 2);
      expect(idle).toBeLessThan(0.01);
    },
  );
});
