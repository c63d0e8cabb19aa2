import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createPostgresEngine } from '../../../backtest/sweep/postgres/createPostgresEngine.ts';
import { connectSweeps, sweepLock } from '../../../backtest/sweep/postgres/sweepTables.ts';
import { workOnSweeps, type WorkOptions } from '../../../backtest/sweep/postgres/workOnSweeps.ts';
import type { SweepJob, SweepPlan } from '../../../backtest/sweep/SweepPlan.ts';
import { connectPg } from '../../../src/journal/postgres/index.ts';
import { planSweep } from '../../../src/cli/planSweep.ts';
import { createLiveEnv, silentLog, type Log } from '../../../src/env/index.ts';
import { findTestDatabase } from '../../journal/findTestDatabase.ts';
import { IN_THIS_DATABASE } from '../../journal/openTestDatabase.ts';
import { root } from '../../sourceFiles.ts';

const { database, missing } = await findTestDatabase();
let folder: string;
let plan: SweepPlan;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trimtab-stored-'));
  const file = join(folder, 'bot.yaml');
  await writeFile(
    file,
    `name: swept
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 5, bars: 600, start_price: 61000 } }
  warmup: 500
  speed: max
  budget_clock: replay
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC] }
`,
  );
  ({ plan } = await planSweep(file, { param: ['channel=10,20'], feed: [], set: [] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ran = (index: number): unknown =>
  expect.objectContaining({ index, figures: expect.any(Object) });
const JOB: SweepJob = { index: 0, values: ['10'], range: {}, window: null, part: 'all' };
const without = (whole: object, name: string): object =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));

/** This one sweep, with this one job; the test waits for it. */
async function store(stored: { plan: object; job: object }): Promise<void> {
  const client = await connectSweeps(database!.url, 'trimtab tests', {
    text: `SELECT pg_advisory_lock_shared(${sweepLock("'s'")})`,
  });
  onTestFinished(() => client.end());
  await client.query({ text: 'DELETE FROM trimtab.sweeps' });
  await client.query({
    text: `INSERT INTO trimtab.sweeps VALUES ('s', $1)`,
    values: [JSON.stringify(stored.plan)],
  });
  await client.query({
    text: `INSERT INTO trimtab.sweep_jobs (sweep, index, job) VALUES ('s', 0, $1)`,
    values: [JSON.stringify(stored.job)],
  });
}

/** A worker in this process, and its reports. */
function startWorker(options: Partial<WorkOptions> = {}) {
  const refused: string[] = [];
  const reported: string[] = [];
  const report: Log['warn'] = (message, fields) =>
    reported.push(`${message}: ${fields?.['reason']}`);
  const work = workOnSweeps(
    {
      url: database!.url,
      worker: 'test',
      config: null,
      exitWhenDone: true,
      isStopped: () => false,
      onResult: () => {},
      onRefused: (_sweep, why) => refused.push(why),
      ...options,
    },
    createLiveEnv({ log: { ...silentLog, warn: report } }),
  );
  return { work, refused, reported };
}

const resultsOf = async (): Promise<unknown[]> => {
  const rows = await database!.run('SELECT result FROM trimtab.sweep_jobs ORDER BY index');
  return rows.map(({ result }) => result);
};

/** Works on this one sweep until nothing is left to do, and returns the outcome. */
async function workOn(stored: { plan: object; job: object }) {
  await store(stored);
  const { work, refused } = startWorker();
  await work;
  return { refused, result: (await resultsOf())[0] };
}

test.skipIf(database === undefined)(
  'a database that refuses the tables of sweeps keeps no connection',
  async () => {
    const { url, run } = database!;
    const readOnly = `${url}?options=-c%20default_transaction_read_only%3Don`;
    await expect(connectSweeps(readOnly, 'trimtab refused')).rejects.toThrow('read-only');
    const left = () =>
      run(`SELECT 1 FROM pg_stat_activity
        WHERE application_name LIKE '%refused' AND datname = current_database()`);
    await expect.poll(left).toEqual([]);
  },
);

describe.skipIf(database === undefined)(`a stored sweep${missing}`, () => {
  test('of this version is computed', { timeout: 60_000 }, async () => {
    const { refused, result } = await workOn({ plan, job: JOB });
    expect(refused).toEqual([]);
    expect(result).toMatchObject({ index: 0, figures: { days: expect.any(Number) } });
  });

  const remedy = 'Start the sweep again with this version, or run the worker with that one.';
  test.each([
    ['plan', 'sources'],
    ['plan', 'walk'],
    ['job', 'range'],
  ] as const)('whose %s lacks %s is skipped for the version that stored it', async (part, name) => {
    const stored = { plan, job: JOB, [part]: without(part === 'plan' ? plan : JOB, name) };
    expect(await workOn(stored)).toEqual({
      refused: [
        `It was stored by another version of Trimtab: its ${part} has no ${name}. ${remedy}`,
      ],
      result: null,
    });
  });

  test('with an unknown field is skipped too', async () => {
    const { refused, result } = await workOn({ plan: { ...plan, folds: 5 }, job: JOB });
    expect([refused, result]).toEqual([
      [expect.stringContaining('its plan has folds, which this version does not know')],
      null,
    ]);
  });

  test('waits for an unreachable database and logs its reason', { timeout: 60_000 }, async () => {
    const { run, url } = database!;
    const name = new URL(url).pathname.slice(1);
    const server = await connectPg({ url: url.replace(name, 'postgres'), name: 'trimtab tests' });
    const allow = (yes: boolean) =>
      server.query({ text: `ALTER DATABASE ${name} ALLOW_CONNECTIONS ${yes}` });
    onTestFinished(async () => {
      await allow(true);
      await server.end();
    });
    await store({ plan, job: JOB });
    let isStopped = false;
    const { work, refused, reported } = startWorker({
      exitWhenDone: false,
      isStopped: () => isStopped,
    });
    const ended = work.then(
      () => 'as it was asked to',
      (error: unknown) => error,
    );
    await expect.poll(resultsOf, { timeout: 20_000 }).toEqual([ran(0)]);
    await allow(false);
    await run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'trimtab worker' AND datname = current_database()`,
    );
    const away = "The sweep's database is unreachable: trying again every 2 s";
    await expect
      .poll(() => reported, { timeout: 10_000 })
      .toEqual([
        `${away}: terminating connection due to administrator command`,
        expect.stringContaining('is not currently accepting connections'),
      ]);
    await allow(true);
    await run(`INSERT INTO trimtab.sweep_jobs (sweep, index, job)
      SELECT sweep, 1, job || '{"index": 1}' FROM trimtab.sweep_jobs`);
    await expect.poll(resultsOf, { timeout: 20_000 }).toEqual([ran(0), ran(1)]);
    isStopped = true;
    expect([await ended, refused]).toEqual(['as it was asked to', []]);
  });

  test('whose results the database refuses ends the worker, with the reason', async () => {
    await store({ plan, job: JOB });
    await database!.run(
      'ALTER TABLE trimtab.sweep_jobs ADD CONSTRAINT no_room CHECK (result IS NULL)',
    );
    onTestFinished(async () => {
      await database!.run('ALTER TABLE trimtab.sweep_jobs DROP CONSTRAINT no_room');
    });
    const { work, refused } = startWorker();
    await expect(work).rejects.toThrow(
      /^The database postgres:.*refuses what a sweep needs: new row .* violates check constraint "no_room"\.\n {2}Check/,
    );
    expect(refused).toEqual([]);
  });

  test('is stored again if it was removed while its connection was lost', async () => {
    await database!.run('DROP SCHEMA IF EXISTS trimtab CASCADE');
    let isDone = false;
    const isStopped = () => isDone;
    const engine = await createPostgresEngine(plan, {
      url: database!.url,
      env: createLiveEnv({ log: silentLog }),
      isStopped,
    });
    const running = engine.run({ jobs: [JOB], onResult: () => {}, isStopped });
    await expect.poll(resultsOf).toEqual([null]);
    await database!.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'trimtab sweep' AND datname = current_database()`);
    await database!.run('DELETE FROM trimtab.sweep_jobs');
    await expect.poll(resultsOf, { timeout: 10_000 }).toEqual([null]);
    isDone = true;
    await running;
    await engine.close();
  });

  test('is removed by the last process that waits for it', async () => {
    await database!.run('DROP SCHEMA IF EXISTS trimtab CASCADE');
    const isStopped = () => true;
    const open = () =>
      createPostgresEngine(plan, { url: database!.url, env: createLiveEnv(), isStopped });
    const engines = [await open(), await open()];
    const left: unknown[] = [];
    for (const engine of engines) {
      await engine.run({ jobs: [JOB], onResult: () => {}, isStopped });
      await engine.close();
      left.push(await resultsOf());
    }
    expect(left).toEqual([[null], []]);
    expect(await database!.run('SELECT id FROM trimtab.sweeps')).toEqual([]);
  });

  const startEngine = async () => {
    const engine = await createPostgresEngine(plan, {
      url: database!.url,
      env: createLiveEnv({ log: silentLog }),
      isStopped: () => false,
    });
    onTestFinished(() => engine.close());
    return engine;
  };

  test('is removed once its results are delivered', { timeout: 60_000 }, async () => {
    await database!.run('DROP SCHEMA IF EXISTS trimtab CASCADE');
    const engine = await startEngine();
    const results: unknown[] = [];
    const onResult = (result: unknown) => results.push(result);
    const ended = engine.run({ jobs: [JOB], onResult, isStopped: () => false });
    await expect.poll(() => resultsOf().catch(() => [])).toEqual([null]);
    await startWorker().work;
    await ended;
    expect([results, await resultsOf()]).toEqual([[ran(0)], [ran(0)]]);
    await engine.close();
    expect(await database!.run('SELECT id FROM trimtab.sweeps')).toEqual([]);
  });

  test('stays if a result could not be stored', { timeout: 60_000 }, async () => {
    await database!.run('DROP SCHEMA IF EXISTS trimtab CASCADE');
    const engine = await startEngine();
    const onResult = () => {
      throw new Error('no space left');
    };
    const ended = engine.run({ jobs: [JOB], onResult, isStopped: () => false });
    const failed = expect(ended).rejects.toThrow('no space left');
    await expect.poll(() => resultsOf().catch(() => [])).toEqual([null]);
    await startWorker().work;
    await failed;
    await engine.close();
    expect(await resultsOf()).toEqual([ran(0)]);
  });

  test('older than a day and unattended is removed by the next sweep that starts', async () => {
    await store({ plan, job: JOB });
    const old = () => database!.run(`SELECT id FROM trimtab.sweeps WHERE id = 's'`);
    const age = (hours: number) =>
      database!.run(`UPDATE trimtab.sweeps SET created = now() - interval '${hours} hours'`);
    await age(25);
    await (await startEngine()).close();
    expect(await old()).toHaveLength(1);
    await database!.run(`SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND ${IN_THIS_DATABASE}`);
    await age(23);
    await (await startEngine()).close();
    expect(await old()).toHaveLength(1);
    await age(25);
    await (await startEngine()).close();
    expect(await old()).toEqual([]);
    expect(await resultsOf()).toEqual([]);
  });
});
