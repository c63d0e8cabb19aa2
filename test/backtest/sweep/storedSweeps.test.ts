import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openCache } from '../../../backtest/sweep/content/openCache.ts';
import { loadPlanData } from '../../../backtest/sweep/loadPlanData.ts';
import type { PointResult } from '../../../backtest/sweep/PointResult.ts';
import { openQueue } from '../../../backtest/sweep/postgres/openQueue.ts';
import { runPoint } from '../../../backtest/sweep/runPoint.ts';
import { planId, type SweepJob, type SweepPlan } from '../../../backtest/sweep/SweepPlan.ts';
import { createQueueEngine } from '../../../backtest/sweep/workers/createQueueEngine.ts';
import { prepareSweep } from '../../../backtest/sweep/workers/prepareSweep.ts';
import { signSweep } from '../../../backtest/sweep/workers/signSweep.ts';
import { publicText } from '../../../backtest/sweep/workers/sweepKey.ts';
import { workOnSweeps, type WorkOptions } from '../../../backtest/sweep/workers/workOnSweeps.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { createLiveEnv, silentLog, type Log } from '../../../src/env/index.ts';
import { findTestDatabase } from '../../journal/findTestDatabase.ts';
import { root } from '../../sourceFiles.ts';
import { inTurn } from '../../inTurn.ts';
import { OPEN_BATCHES, RESULTS } from './storedRows.ts';

const it = inTurn(2);

const { database, missing } = await findTestDatabase();
const { privateKey } = generateKeyPairSync('ed25519');
const TRUSTED = [publicText(privateKey)];
const cache = openCache(join(tmpdir(), 'trimtab-unused'), 1, createLiveEnv());
const POINTS = ['10', '20', '30'];
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
  ({ plan } = await planSweep(file, { param: [`channel=${POINTS.join(',')}`], feed: [], set: [] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const jobs = POINTS.map((value, index): SweepJob => {
  return { index, values: [value], range: {}, window: null, part: 'all' };
});
/** What one thread computes. */
const alone = async (): Promise<PointResult[]> => {
  const bench = await loadPlanData(plan);
  return Promise.all(jobs.map((job) => runPoint(bench, job)));
};
const run = (text: string) => database!.run(text);
const storedResults = () => run(RESULTS);
const openJobs = () => run(OPEN_BATCHES);
const byIndex = (a: PointResult, b: PointResult): number => a.index - b.index;
const poll = (look: () => unknown) => expect.poll(look, { timeout: 30_000 });

/** A log that remembers its warnings with their reasons. */
function recordingLog() {
  const reported: string[] = [];
  const warn: Log['warn'] = (message, fields) =>
    void reported.push(`${message}: ${fields?.['reason']}`);
  return { reported, log: { ...silentLog, warn } };
}

interface StartOptions {
  signed?: string;
  onResult?: (result: PointResult) => void;
  url?: string;
}

/** A process that waits for these points. */
async function startSweep({ signed, onResult, url = database!.url }: StartOptions = {}) {
  let isAsked = false;
  const results: PointResult[] = [];
  const isStopped = () => isAsked;
  const { reported, log } = recordingLog();
  const [env, id] = [createLiveEnv({ log }), planId(plan)];
  const engine = await createQueueEngine({
    queue: await openQueue({ url, env, isStopped, waitsFor: id }),
    env,
    id,
    signed: signed ?? signSweep({ plan, content: null }, privateKey),
  });
  onTestFinished(() => engine.close());
  const ended = engine
    .run({ jobs, onResult: onResult ?? ((result) => results.push(result)), isStopped })
    .catch((error: unknown) => error as Error);
  return { engine, ended, results, reported, stop: () => (isAsked = true) };
}

/** The queue as a worker has it, which writes what a test gives it. */
async function startOther() {
  const env = createLiveEnv({ log: silentLog });
  const other = await openQueue({ url: database!.url, env, isStopped: () => false });
  onTestFinished(() => other.close());
  return other;
}

/** A worker in this process, and its reports. */
function startWorker({
  url = database!.url,
  ...options
}: Partial<WorkOptions> & { url?: string } = {}) {
  const refused: string[] = [];
  const ran: number[] = [];
  let isAsked = false;
  const { reported, log } = recordingLog();
  const env = createLiveEnv({ log });
  const isStopped = (): boolean => isAsked;
  const work = async (): Promise<void> =>
    workOnSweeps({
      queue: await openQueue({ url, env, isStopped }),
      env,
      worker: 'test',
      threads: 1,
      exitWhenDone: false,
      isStopped,
      prepare: (stored) => prepareSweep(stored, { trusted: TRUSTED, config: null, cache }),
      onResult: ({ index }) => ran.push(index),
      onRefused: (_sweep, why) => refused.push(why),
      ...options,
    });
  const ended = work().catch((error: unknown) => error as Error);
  onTestFinished(async () => {
    isAsked = true;
    await ended;
  });
  return { ended, refused, ran, reported, stop: () => (isAsked = true) };
}

describe.skipIf(database === undefined)(`a stored sweep${missing}`, { timeout: 120_000 }, () => {
  beforeEach(() => run('DROP SCHEMA IF EXISTS trimtab_jobs CASCADE'));

  it('is computed byte for byte as by one thread, and leaves the server when it is closed', async () => {
    const sweep = await startSweep();
    const worker = startWorker({ exitWhenDone: true });
    expect(await sweep.ended).toBeUndefined();
    expect(JSON.stringify(sweep.results.sort(byIndex))).toBe(JSON.stringify(await alone()));
    expect(await storedResults()).toHaveLength(POINTS.length);
    await sweep.engine.close();
    expect(await storedResults()).toEqual([]);
    expect(await run('SELECT name FROM trimtab_jobs.queue')).toEqual([]);
    expect(await run('SELECT id FROM trimtab_jobs.job')).toEqual([]);
    expect([await worker.ended, worker.ran.length, worker.refused]).toEqual([undefined, 3, []]);
  });

  it('that is not signed by a trusted key is not computed', async () => {
    const other = generateKeyPairSync('ed25519').privateKey;
    await startSweep({ signed: signSweep({ plan, content: null }, other) });
    const worker = startWorker({ exitWhenDone: true });
    await worker.ended;
    expect(worker.refused).toEqual([
      `Its plan is signed with the key ${publicText(other)}, which this worker was not given.\n` +
        `  If it is yours, start the worker with --trust ${publicText(other)}.`,
    ]);
    expect(await storedResults()).toEqual([]);
    expect(await openJobs()).toHaveLength(POINTS.length);
  });

  test('that a passing fault refused is computed once the fault is over', async () => {
    const sweep = await startSweep();
    let attempts = 0;
    const options = { trusted: TRUSTED, config: null, cache };
    const worker = startWorker({
      exitWhenDone: true,
      prepare: (stored) =>
        attempts++ === 0
          ? Promise.reject(new Error('ENOENT: no such file'))
          : prepareSweep(stored, options),
    });
    expect(await sweep.ended).toBeUndefined();
    await sweep.engine.close();
    expect(await worker.ended).toBeUndefined();
    expect([attempts, worker.refused]).toEqual([2, ['ENOENT: no such file']]);
    expect(worker.ran).toHaveLength(POINTS.length);
  });

  test.each([
    [
      'lacks a field',
      (stored: SweepPlan) => ({ ...stored, objective: undefined }),
      'has no objective.',
    ],
    [
      'has one more',
      (stored: SweepPlan) => ({ ...stored, leverage: 3 }),
      'has leverage (3), which this version does not know.',
    ],
    [
      'has another value in one',
      (stored: SweepPlan) => ({ ...stored, random: 'some' }),
      'the random of its plan is "some", which is not a whole number or null.',
    ],
    ['is none', () => 7, 'its plan is 7.'],
  ])('whose plan %s is refused with field, value and remedy', async (_what, change, words) => {
    await startSweep({
      signed: signSweep({ plan: change(plan) as SweepPlan, content: null }, privateKey),
    });
    const worker = startWorker({ exitWhenDone: true });
    expect(await worker.ended).toBeUndefined();
    expect([worker.refused, worker.ran]).toEqual([[expect.stringContaining(words)], []]);
    const remedy = 'Start the sweep again with this version, or run the worker with that one.';
    expect(worker.refused[0]).toMatch(/^It was stored by another version of Trimtab: /);
    expect(worker.refused[0]).toContain(remedy);
  });

  test.each([
    ['is not signed', JSON.stringify({ plan: {} }), 'Its plan is not signed.\n  Start the sweep'],
    ['is empty', '', 'Its plan is not signed.\n  Start the sweep'],
  ])('whose row %s is refused', async (_what, signed, words) => {
    await startSweep({ signed });
    const worker = startWorker({ exitWhenDone: true });
    await worker.ended;
    expect(worker.refused).toEqual([expect.stringContaining(words)]);
  });

  test('whose code has another checksum is refused, and nothing of it is loaded', async () => {
    const place = join(folder, 'code');
    await writeFile(place, 'wrong');
    const digest = 'a'.repeat(64);
    const content = {
      code: { path: '.', digest, bytes: 5 },
      feeds: [],
      config: 'bot.yaml',
      flags: [],
      packages: null,
      urls: { [digest]: pathToFileURL(place).href },
      token: null,
    };
    await startSweep({ signed: signSweep({ plan, content }, privateKey) });
    const own = openCache(join(folder, 'cache'), 1e6, createLiveEnv());
    const options = { trusted: TRUSTED, config: null, cache: own };
    const worker = startWorker({
      exitWhenDone: true,
      prepare: (stored) => prepareSweep(stored, options),
    });
    await worker.ended;
    const words = new RegExp(`its SHA-256 is [0-9a-f]{64}, and the plan names ${digest}`);
    expect(worker.refused).toEqual([expect.stringMatching(words)]);
    expect([worker.ran, await storedResults()]).toEqual([[], []]);
  });

  test('with a point of another version is given up, with the field and its value', async () => {
    const sweep = await startSweep();
    await poll(openJobs).toHaveLength(3);
    await run(`UPDATE trimtab_jobs.job SET data = jsonb_set(data, '{jobs,0,window}', '"first"')`);
    startWorker();
    expect(await sweep.ended).toBeUndefined();
    const fault =
      /^3 attempts failed: .*: the window of its job is "first", which is not a whole number or null\. Start/;
    for (const result of sweep.results)
      expect(result).toMatchObject({ fault: expect.stringMatching(fault) });
  });

  it('with a point that its plan lacks is not computed', async () => {
    const sweep = await startSweep();
    await poll(openJobs).toHaveLength(3);
    await run(`UPDATE trimtab_jobs.job SET data = jsonb_set(data, '{jobs,0,values,0}', '"99"')`);
    const worker = startWorker();
    expect(await sweep.ended).toBeUndefined();
    const fault = '3 attempts failed: The plan has no point with 99.';
    expect(sweep.results.sort(byIndex)).toEqual(POINTS.map((_value, index) => ({ index, fault })));
    expect(worker.ran).toEqual([]);
  });

  it('is computed by as many points at a time as its worker has threads', async () => {
    const sweep = await startSweep();
    let [now, most] = [0, 0];
    const run = async ({ index }: SweepJob) => {
      most = Math.max(most, ++now);
      await new Promise((done) => setTimeout(done, 1_500));
      now--;
      return { result: { index, fault: 'none' }, ms: 1_500, cpuMs: 0 };
    };
    const prepare = () => Promise.resolve({ run, close: () => Promise.resolve() });
    startWorker({ prepare });
    // The next one is here before this one is done.
    const active = `SELECT id FROM trimtab_jobs.job WHERE state = 'active'`;
    await poll(async () => (await database!.run(active)).length).toBe(2);
    expect(await sweep.ended).toBeUndefined();
    expect(most).toBe(1);
  });

  it('whose batch is no longer the worker’s is left where it is', async () => {
    const sweep = await startSweep();
    await poll(openJobs).toHaveLength(3);
    // One batch of all points, whose heartbeat is each second.
    await run(
      `DELETE FROM trimtab_jobs.job WHERE data ? 'jobs' AND NOT data @> '{"jobs": [{"index": 0}]}'`,
    );
    const whole = JSON.stringify({ jobs });
    await run(
      `UPDATE trimtab_jobs.job SET data = '${whole}', heartbeat_seconds = 2 WHERE data ? 'jobs'`,
    );
    const held: boolean[] = [];
    const compute = async ({ index }: SweepJob) => {
      const own = `state = 'active' AND data @> '{"jobs": [{"index": ${index}}]}'`;
      held.push((await run(`SELECT id FROM trimtab_jobs.job WHERE ${own}`)).length > 0);
      if (held.length === 1) {
        await run(`UPDATE trimtab_jobs.job SET state = 'cancelled' WHERE state = 'active'`);
        await new Promise((done) => setTimeout(done, 3_000));
      }
      return { result: { index, fault: 'none' }, ms: 1, cpuMs: 0 };
    };
    startWorker({
      prepare: () => Promise.resolve({ run: compute, close: () => Promise.resolve() }),
    });
    expect(await sweep.ended).toBeUndefined();
    // Its points are put again by who waits for them.
    expect(sweep.results).toHaveLength(POINTS.length);
    expect(held).not.toContain(false);
  });

  it('for which no process waits is not begun', async () => {
    await startSweep();
    await poll(openJobs).toHaveLength(3);
    // As if the process had been killed half of a minute ago, and could not come back.
    await run(`CREATE RULE none AS ON INSERT TO trimtab_jobs.instance DO INSTEAD NOTHING`);
    await run(`UPDATE trimtab_jobs.instance SET heartbeat_on = now() - interval '31 seconds'`);
    const worker = startWorker({ exitWhenDone: true });
    expect([await worker.ended, worker.ran]).toEqual([undefined, []]);
    await run('DROP RULE none ON trimtab_jobs.instance');
  });

  it('that is stopped takes back the points that no worker has begun', async () => {
    const sweep = await startSweep();
    await poll(openJobs).toHaveLength(3);
    sweep.stop();
    expect([await sweep.ended, sweep.results]).toEqual([undefined, []]);
    expect(await openJobs()).toEqual([]);
  });

  it('whose jobs are lost is put again', async () => {
    const sweep = await startSweep();
    await poll(openJobs).toHaveLength(3);
    await run('DELETE FROM trimtab_jobs.job');
    await poll(openJobs).toHaveLength(3);
    sweep.stop();
    await sweep.ended;
  });

  it('reads a result whose row was committed after a later one', async () => {
    const own = await alone();
    const sweep = await startSweep();
    await poll(openJobs).toHaveLength(3);
    const other = await startOther();
    const [late, ...read] = own.map((result) => ({ result, ms: 1, cpuMs: 1 }));
    await other.write(planId(plan), read, 'other');
    await poll(() => sweep.results).toHaveLength(2);
    await run(`INSERT INTO trimtab_jobs.job (name, created_on, data) VALUES ('${planId(plan)}.results',
      now() - interval '1 hour', '${JSON.stringify({ result: JSON.stringify(late!.result), cost: {} })}')`);
    // Nothing is open, as after the worker's last batch.
    await run(`DELETE FROM trimtab_jobs.job WHERE data ? 'jobs'`);
    expect(await sweep.ended).toBeUndefined();
    expect(sweep.results.sort(byIndex)).toEqual(own);
  });

  it('stays if a result could not be stored', async () => {
    const onResult = (): never => {
      throw new Error('no space left');
    };
    const sweep = await startSweep({ onResult });
    startWorker();
    expect(await sweep.ended).toMatchObject({ message: 'no space left' });
    await sweep.engine.close();
    expect((await storedResults()).length).toBeGreaterThan(0);
  });

  it('is removed by the last process that waits for it', async () => {
    const sweeps = [await startSweep(), await startSweep()];
    const left: number[] = [];
    startWorker();
    for (const { ended } of sweeps) expect(await ended).toBeUndefined();
    for (const { engine } of sweeps) {
      await engine.close();
      left.push((await storedResults()).length);
    }
    expect(left).toEqual([3, 0]);
  });

  it('unattended for a week is removed by the next sweep that starts', async () => {
    const { engine } = await startSweep();
    await engine.close();
    const left = async (): Promise<number> => {
      await (await startSweep()).engine.close();
      return (await run(`SELECT 1 FROM trimtab_jobs.queue WHERE name LIKE 'old%'`)).length;
    };
    const old = `UPDATE trimtab_jobs.queue SET name = replace(name, '${planId(plan)}', 'old')`;
    await run(`ALTER TABLE trimtab_jobs.job_common DROP CONSTRAINT q_fkey`);
    await run(old);
    await run(old.replace('.queue', '.job'));
    await run(`UPDATE trimtab_jobs.instance SET name = 'old'`);
    expect(await left()).toBe(2);
    // pg-boss forgets an instance whose last heartbeat is a week old.
    await run(`DELETE FROM trimtab_jobs.instance WHERE name = 'old'`);
    expect(await left()).toBe(0);
    expect(await run(`SELECT 1 FROM trimtab_jobs.job WHERE name LIKE 'old%'`)).toEqual([]);
  });

  it('a point with two results that differ is an error that names it; the same one twice is none', async () => {
    const [first, second] = await alone();
    const sweep = await startSweep();
    await poll(openJobs).toHaveLength(3);
    const other = await startOther();
    const another = JSON.parse(JSON.stringify(second).replace(/"pnl":/, '"pnl":1')) as PointResult;
    const computed = [first!, another].map((result) => ({ result, ms: 1, cpuMs: 1 }));
    await other.write(planId(plan), computed, 'other');
    startWorker();
    expect(await sweep.ended).toMatchObject({
      message: expect.stringMatching(
        /^Two workers computed point 2 \(20\) differently\.\n {2}Its plugin/,
      ),
    });
    expect(sweep.results).toHaveLength(3);
  });

  it('gives up a point that ended three workers, and splits a batch that ended one', async () => {
    const sweep = await startSweep();
    await poll(openJobs).toHaveLength(3);
    // As if their workers had ended a minute ago: the one of a point alone for the third time.
    const lost = `state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute'`;
    await run(
      `UPDATE trimtab_jobs.job SET ${lost}, retry_count = 2 WHERE data @> '{"jobs": [{"index": 0}]}'`,
    );
    await run(`UPDATE trimtab_jobs.job SET ${lost},
      data = '${JSON.stringify({ jobs: jobs.slice(1) })}' WHERE data @> '{"jobs": [{"index": 1}]}'`);
    await run(
      `DELETE FROM trimtab_jobs.job WHERE data @> '{"jobs": [{"index": 2}]}' AND state = 'created'`,
    );
    startWorker();
    expect(await sweep.ended).toBeUndefined();
    const [given, ...others] = sweep.results.sort(byIndex);
    expect(given).toMatchObject({ fault: expect.stringContaining('3 workers ended while') });
    const single = `state = 'completed' AND jsonb_array_length(data->'jobs') = 1`;
    await poll(() => run(`SELECT id FROM trimtab_jobs.job WHERE ${single}`)).toHaveLength(2);
    expect(others).toEqual((await alone()).slice(1));
  });

  it('whose results the database refuses ends the worker, with the reason', async () => {
    const sweep = await startSweep();
    await run(
      `ALTER TABLE trimtab_jobs.job_common ADD CONSTRAINT no_room CHECK (NOT data ? 'result')`,
    );
    const worker = startWorker();
    expect(await worker.ended).toMatchObject({
      message: expect.stringMatching(
        /^The database postgres:.*refuses what a sweep needs: new row .* violates check constraint "no_room"\.\n {2}Check/,
      ),
    });
    sweep.stop();
    await sweep.ended;
  });
});

describe.skipIf(database === undefined)(
  `a broken connection${missing}`,
  { timeout: 120_000 },
  () => {
    beforeEach(() => run('DROP SCHEMA IF EXISTS trimtab_jobs CASCADE'));

    it('is waited out by both sides, with its reason in the log', async () => {
      const line = await startLine();
      const sweep = await startSweep({ url: line.url });
      const worker = startWorker({ url: line.url });
      const started = () => run(`SELECT id FROM trimtab_jobs.job WHERE state = 'active'`);
      await poll(async () => (await started().catch(() => [])).length).toBeGreaterThan(0);
      line.cut();
      const away = /^The sweep's database is unreachable: trying again every 2 s: .+/;
      await poll(() => [...sweep.reported, ...worker.reported]).toEqual([
        expect.stringMatching(away),
        expect.stringMatching(away),
      ]);
      line.mend();
      expect(await sweep.ended).toBeUndefined();
      expect(sweep.results.sort(byIndex)).toEqual(await alone());
    });

    it('before the answer to a written result leaves it, and no contradiction', async () => {
      const line = await startLine('cpuMs');
      const sweep = await startSweep();
      const worker = startWorker({ url: line.url });
      expect(await sweep.ended).toBeUndefined();
      expect(line.lost()).toBe(1);
      await poll(() => worker.ran).toHaveLength(3);
      expect(sweep.results.sort(byIndex)).toEqual(await alone());
    });
  },
);

/** The database's address through a line that can be cut; it breaks once before the answer to a statement with these words. */
async function startLine(words?: string) {
  const { hostname, port } = new URL(database!.url);
  let [lost, isCut] = [0, false];
  const open = new Set<() => void>();
  const line = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port || 5432), hostname);
    const end = (): void => void (near.destroy(), far.destroy());
    open.add(end);
    let isAwaited = false;
    near.on('data', (bytes) => {
      isAwaited ||= words !== undefined && lost === 0 && bytes.includes(words);
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      // Another connection may have such a statement under way.
      if (!isAwaited || lost > 0) return void near.write(bytes);
      lost++;
      return end();
    });
    near.on('error', () => {}).on('close', end);
    far.on('error', () => {}).on('close', end);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => line.once('listening', resolve));
  onTestFinished(() => void line.close());
  const url = new URL(database!.url);
  url.host = `127.0.0.1:${(line.address() as AddressInfo).port}`;
  return {
    url: url.href,
    lost: () => lost,
    cut() {
      isCut = true;
      for (const end of open) end();
    },
    mend: () => (isCut = false),
  };
}
