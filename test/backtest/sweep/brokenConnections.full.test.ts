import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresEngine } from '../../../backtest/sweep/postgres/createPostgresEngine.ts';
import { JOB_LOCK } from '../../../backtest/sweep/postgres/sweepTables.ts';
import { workOnSweeps } from '../../../backtest/sweep/postgres/workOnSweeps.ts';
import { isRun, type PointResult } from '../../../backtest/sweep/PointResult.ts';
import type { SweepJob, SweepPlan } from '../../../backtest/sweep/SweepPlan.ts';
import { planSweep } from '../../../src/cli/planSweep.ts';
import { createLiveEnv, silentLog } from '../../../src/env/index.ts';
import { connectPg } from '../../../src/journal/postgres/index.ts';
import { findTestDatabase } from '../../journal/findTestDatabase.ts';
import { root } from '../../sourceFiles.ts';

const { database, missing } = await findTestDatabase();

/** Points that are computed in this process keep it for a second or two, and for longer beside a second run. */
const poll = (look: () => unknown) => expect.poll(look, { timeout: 45_000 });

describe.skipIf(database === undefined)(`a broken connection${missing}`, () => {
  let folder: string;
  let plan: SweepPlan;
  let job: SweepJob;
  beforeEach(async () => {
    await database!.run('DROP SCHEMA IF EXISTS trimtab CASCADE');
    folder = await mkdtemp(join(tmpdir(), 'trimtab-broken-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const gate = join(folder, 'gate');
    await writeFile(
      join(folder, 'bot.yaml'),
      `name: swept
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 5, bars: 40000, start_price: 61000 } }
  warmup: 500
  speed: max
  budget_clock: replay
strategies:
  - { name: slow, use: ${join(root, 'test/backtest/plants/waitsAtGate.ts')}, symbols: [BTC] }
`,
    );
    const flags = { param: [`gate=${gate}`], feed: [], set: [] };
    ({ plan } = await planSweep(join(folder, 'bot.yaml'), flags));
    job = { index: 0, values: [gate], range: {}, window: null, part: 'all' };
  });
  const openGate = () => writeFile(join(folder, 'gate'), '');

  /** A sweep of one point, stored for workers. */
  async function startSweep() {
    const results: PointResult[] = [];
    const isStopped = () => false;
    const env = createLiveEnv({ log: silentLog });
    const engine = await createPostgresEngine(plan, { url: database!.url, env, isStopped });
    onTestFinished(() => engine.close());
    const onResult = (result: PointResult) => results.push(result);
    const ended = engine.run({ jobs: [job], onResult, isStopped });
    await poll(() => row().catch(() => undefined)).toBeDefined();
    return { ended, results };
  }

  /** A worker in this process: what it computed, why its database was unreachable, how often it reconnected. */
  function startWorker(worker: string, url = database!.url) {
    const reported = { ran: 0, returns: 0 };
    const reasons: unknown[] = [];
    const ended = workOnSweeps(
      {
        url,
        worker,
        config: null,
        exitWhenDone: true,
        isStopped: () => false,
        onResult: () => reported.ran++,
        onRefused: (_sweep, why) => expect.fail(why),
      },
      createLiveEnv({
        log: {
          ...silentLog,
          info: () => reported.returns++,
          warn: (_message, fields) => reasons.push(fields?.['reason']),
        },
      }),
    );
    onTestFinished(async () => {
      await openGate();
      await ended.catch(() => {});
    });
    return { ended, reported, reasons };
  }

  const row = async () => (await database!.run('SELECT * FROM trimtab.sweep_jobs'))[0];
  const backends = (what: string) =>
    database!.run(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'trimtab worker'
        AND datname = current_database() AND ${what}`,
    );
  const holding = "pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)";
  const end = ([backend]: Array<Record<string, unknown>>) =>
    database!.run(`SELECT pg_terminate_backend(${String(backend!['pid'])})`);

  test(
    'leaves a worker the last attempt of a point: it retries, and its result counts',
    { timeout: 180_000 },
    async () => {
      const sweep = await startSweep();
      await database!.run('UPDATE trimtab.sweep_jobs SET attempts = 2');
      const worker = startWorker('test');
      await poll(row).toMatchObject({ attempts: 3 });
      const before = await backends(holding);
      await end(before);
      await poll(() => backends(holding)).not.toEqual(before);
      await poll(() => backends(holding)).toHaveLength(1);
      expect(await row()).toMatchObject({ attempts: 3, result: null });
      await openGate();
      await sweep.ended;
      await worker.ended;
      expect(sweep.results.map(isRun)).toEqual([true]);
      expect(worker.reported).toEqual({ ran: 1, returns: 1 });
    },
  );

  describe('of a worker that has not begun yet', () => {
    /** A worker that is kept from the point it has found, and has lost its connection. */
    async function startStuck() {
      const other = await connectPg({ url: database!.url, name: 'trimtab tests' });
      onTestFinished(() => other.end());
      await other.query({ text: 'BEGIN; SELECT 1 FROM trimtab.sweep_jobs FOR UPDATE' });
      const worker = startWorker('stuck');
      const waiting = () => backends(`wait_event_type = 'Lock'`);
      await poll(waiting).toHaveLength(1);
      await end(await waiting());
      await poll(waiting).toHaveLength(0);
      return { other, worker };
    }

    test('leaves the point to the holder of its lock', { timeout: 180_000 }, async () => {
      const sweep = await startSweep();
      const { other, worker } = await startStuck();
      await other.query({
        text: `SELECT pg_advisory_lock(${JOB_LOCK}) FROM trimtab.sweep_jobs; COMMIT`,
      });
      const looking = () => backends(`query LIKE 'SELECT bool_or%'`);
      await poll(looking).toHaveLength(1);
      expect(await row()).toMatchObject({ attempts: 0, result: null });
      await other.end();
      await openGate();
      await Promise.all([sweep.ended, worker.ended]);
      expect(await row()).toMatchObject({ attempts: 1, worker: 'stuck' });
      expect(worker.reported).toEqual({ ran: 1, returns: 1 });
    });

    test(
      'counts its attempt after that of a worker that began and ended meanwhile',
      { timeout: 180_000 },
      async () => {
        const sweep = await startSweep();
        const { other, worker } = await startStuck();
        await other.query({
          text: `UPDATE trimtab.sweep_jobs SET attempts = 1, worker = 'other'; COMMIT`,
        });
        await openGate();
        await Promise.all([sweep.ended, worker.ended]);
        expect(await row()).toMatchObject({ attempts: 2, worker: 'stuck' });
        expect(worker.reasons).toEqual(['terminating connection due to administrator command']);
      },
    );
  });

  test(
    'of the sweep itself is waited out by workers that exit when all is done',
    { timeout: 180_000 },
    async () => {
      const sweep = await startSweep();
      await openGate();
      const sweeps = () =>
        database!.run(`SELECT pid FROM pg_stat_activity
          WHERE application_name = 'trimtab sweep' AND datname = current_database()`);
      await end(await sweeps());
      await poll(sweeps).toEqual([]);
      const worker = startWorker('test');
      await worker.ended;
      expect(worker.reported.ran).toBe(1);
      await sweep.ended;
    },
  );

  test('during the answer to an attempt leaves it counted once', { timeout: 180_000 }, async () => {
    const sweep = await startSweep();
    await database!.run('UPDATE trimtab.sweep_jobs SET attempts = 2');
    await openGate();
    const worker = startWorker('test', await losesAnswer('SET attempts = '));
    await Promise.all([sweep.ended, worker.ended]);
    expect(sweep.results.map(isRun)).toEqual([true]);
    expect(worker.reported).toEqual({ ran: 1, returns: 1 });
  });
});

/** The database's address through a proxy that breaks once, before the answer to a statement with this text. */
async function losesAnswer(words: string): Promise<string> {
  const { hostname, port } = new URL(database!.url);
  let isLost = false;
  const line = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    let isAwaited = false;
    near.on('data', (bytes) => {
      isAwaited = !isLost && bytes.includes(words);
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (!isAwaited) return near.write(bytes);
      isLost = true;
      return near.destroy();
    });
    near.on('error', () => {}).on('close', () => far.destroy());
    far.on('error', () => {}).on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => line.once('listening', resolve));
  onTestFinished(() => void line.close());
  const url = new URL(database!.url);
  url.host = `127.0.0.1:${(line.address() as AddressInfo).port}`;
  return url.href;
}
