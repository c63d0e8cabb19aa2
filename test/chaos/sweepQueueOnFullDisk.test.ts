import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { PointResult } from '../../backtest/sweep/PointResult.ts';
import { openQueue } from '../../backtest/sweep/postgres/openQueue.ts';
import type { SweepJob } from '../../backtest/sweep/SweepPlan.ts';
import { createQueueEngine } from '../../backtest/sweep/workers/createQueueEngine.ts';
import { signSweep } from '../../backtest/sweep/workers/signSweep.ts';
import { workOnSweeps } from '../../backtest/sweep/workers/workOnSweeps.ts';
import { createLiveEnv, silentLog, type Log } from '../../src/env/index.ts';
import { connectPg } from '../../src/journal/postgres/index.ts';
import { startServer } from '../backtest/sweep/startPooler.ts';
import { mountSmallDisk } from './mountSmallDisk.ts';

const mounted = mountSmallDisk(32_768);
const reason = 'reason' in mounted ? mounted.reason : undefined;
const disk = 'reason' in mounted ? undefined : mounted;
afterAll(() => disk?.unmount());

// A developer's machine may lack the permission to mount; the full run requires it.
if (reason !== undefined && process.env.CI === 'true') {
  test('the small disk that these tests need', () => expect.fail(reason));
}

/** A server whose new tables are on the small disk. */
async function startOnSmallDisk(): Promise<string> {
  const { port } = await startServer();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const place = join(disk!.path, 'tables');
  mkdirSync(place);
  // The server does not run as root, and wants the folder for itself.
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', place]);
  const client = await connectPg({ url, name: 'test' });
  await client.query({ text: `CREATE TABLESPACE small LOCATION '${place}'` });
  await client.query({ text: `ALTER DATABASE postgres SET default_tablespace = small` });
  await client.end();
  return url;
}

/** A log that remembers what it was told. */
function recordingLog() {
  const said: string[] = [];
  const keep: Log['warn'] = (message, fields) =>
    void said.push(`${message}: ${String(fields?.['reason'])}`);
  return { said, env: createLiveEnv({ log: { ...silentLog, warn: keep, info: keep } }) };
}

describe.skipIf(disk === undefined)(
  `a sweep's database on a small disk${reason ? `: ${reason}` : ''}`,
  { timeout: 120_000 },
  () => {
    test('that is full is waited for by both sides, and no result is lost', async () => {
      const url = await startOnSmallDisk();
      const [sweep, worker] = [recordingLog(), recordingLog()];
      const { privateKey } = generateKeyPairSync('ed25519');
      const signed = signSweep({ plan: {} as never, content: null }, privateKey);
      const jobs = Array.from({ length: 40 }, (_none, index): SweepJob => {
        return { index, values: [], range: {}, window: null, part: 'all' };
      });
      // Long, and not to be compressed, so that the disk has no room for many of them.
      const expected = jobs.map(({ index }): PointResult => {
        return { index, fault: randomBytes(40_000).toString('base64') };
      });
      let isDone = false;
      const waiting = { url, env: sweep.env, isStopped: () => false, waitsFor: 'full' };
      const engine = await createQueueEngine({
        queue: await openQueue(waiting),
        env: sweep.env,
        id: 'full',
        signed,
      });
      onTestFinished(() => engine.close());
      const run = async ({ index }: SweepJob) => {
        await new Promise((done) => setTimeout(done, 250));
        return { result: expected[index]!, ms: 250, cpuMs: 0 };
      };
      const isStopped = (): boolean => isDone;
      const work = workOnSweeps({
        queue: await openQueue({ url, env: worker.env, isStopped }),
        env: worker.env,
        isStopped,
        worker: 'test',
        threads: 1,
        exitWhenDone: false,
        prepare: () => Promise.resolve({ run, close: () => Promise.resolve() }),
        onResult: () => {},
        onRefused: (_sweep, why) => expect.fail(why),
      });
      const results: PointResult[] = [];
      const ended = engine.run({
        jobs,
        isStopped: () => false,
        onResult(result) {
          results.push(result);
          if (results.length === 5) disk!.fill();
        },
      });
      const full =
        /^The sweep's database has no room: trying again every 2 s: .*No space left on device/;
      await expect.poll(() => worker.said, { timeout: 60_000 }).not.toEqual([]);
      expect(results.length).toBeLessThan(40);
      await new Promise((done) => setTimeout(done, 5_000));
      disk!.free();
      await ended;
      // While the disk is full a small write succeeds now and then, which is no end.
      expect(worker.said).toEqual([
        expect.stringMatching(full),
        expect.stringMatching("The sweep's database can be used again"),
      ]);
      const byIndex = (a: PointResult, b: PointResult): number => a.index - b.index;
      expect(results.sort(byIndex)).toEqual(expected);
      isDone = true;
      await work;
    });
  },
);
