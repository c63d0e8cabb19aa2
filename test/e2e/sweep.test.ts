import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '../journal/openTestDatabase.ts';
import { root } from '../sourceFiles.ts';
import { openWorkshop, type Started } from './startProcess.ts';

const opened = await openTestDatabase();
const reason = 'reason' in opened ? opened.reason : undefined;
const database = 'reason' in opened ? undefined : opened;
afterAll(() => database?.drop());

if (reason !== undefined && process.env.CI === 'true') {
  test('the PostgreSQL that these tests need', () => expect.fail(reason));
}

const BOT = `name: swept
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 5, bars: 2500, start_price: 61000 } }
  warmup: 500
  speed: max
  budget_clock: replay
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC] }
sweep: { params: { channel: '5..24', reward: [1, 2] } }
`;

async function ended({ child, text }: Started): Promise<[code: number | null, said: string]> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return [child.exitCode, text()];
}

/** Asks these workers to end, and what each tells then. */
function pointsRan(workers: readonly Started[]): Promise<number[]> {
  return Promise.all(
    workers.map(async (worker) => {
      worker.child.kill('SIGTERM');
      const [, words] = await ended(worker);
      return Number(/(\d+) points ran, 0 failed/.exec(words)?.[1]);
    }),
  );
}

describe.skipIf(database === undefined)(`a sweep over processes${reason ?? ''}`, () => {
  test(
    'has one result a point, though a worker is killed half-way',
    { timeout: 180_000 },
    async () => {
      const { url, run } = database!;
      const shop = openWorkshop('sweep');
      onTestFinished(() => shop.close());
      shop.write('bot.yaml', BOT);
      const engine = ['--engine', url];
      const sweep = shop.start(['sweep', 'bot.yaml', ...engine, '--out', 'results.sqlite']);
      const workers = [1, 2, 3].map(() => shop.start(['worker', ...engine]));
      const finished = async (): Promise<Array<Record<string, unknown>>> =>
        run('SELECT worker FROM trimtab.sweep_jobs WHERE result IS NOT NULL').catch(() => []);
      const victim = workers[0]!.child;
      const isVictims = ({ worker }: Record<string, unknown>): boolean =>
        String(worker).endsWith(`:${victim.pid}`);
      while (!(await finished()).some(isVictims)) await new Promise((done) => setTimeout(done, 50));
      victim.kill('SIGKILL');
      const [code, said] = await ended(sweep);
      expect([code, said]).toEqual([0, expect.stringContaining('40 of 40 points')]);
      // What stands in the file is on the server no more.
      expect(await run('SELECT id FROM trimtab.sweeps')).toEqual([]);
      const db = new DatabaseSync(join(shop.folder, 'results.sqlite'), { readOnly: true });
      const kept = db.prepare('SELECT job, fault, hash FROM points').all();
      db.close();
      expect(kept).toHaveLength(40);
      expect(kept.every(({ fault, hash }) => fault === null && hash !== null)).toBe(true);

      // The same points on this machine's own threads give the same results.
      const alone = shop.start(['sweep', 'bot.yaml', '--out', 'alone.sqlite']);
      expect((await ended(alone))[0]).toBe(0);
      const own = new DatabaseSync(join(shop.folder, 'alone.sqlite'), { readOnly: true });
      expect(own.prepare('SELECT job, fault, hash FROM points ORDER BY job').all()).toEqual(
        kept.toSorted((a, b) => Number(a['job']) - Number(b['job'])),
      );
      own.close();
      const ran = await pointsRan(workers.slice(1));
      expect([Math.min(...ran) > 0, ran[0]! + ran[1]! < 40]).toEqual([true, true]);
    },
  );

  test(
    'a worker whose tape or configuration differs takes no part, and says so',
    { timeout: 60_000 },
    async () => {
      const shop = openWorkshop('sweep-other');
      onTestFinished(() => shop.close());
      shop.write('bot.yaml', BOT.replace('seed: 5', 'seed: 6'));
      shop.write('other.yaml', BOT);
      const engine = ['--engine', database!.url];
      const sweep = shop.start(['sweep', 'bot.yaml', ...engine]);
      while (!sweep.text().includes('0 of 40')) await new Promise((done) => setTimeout(done, 50));
      const worker = shop.start([
        'worker',
        ...engine,
        '--config',
        'other.yaml',
        '--exit-when-done',
      ]);
      const [code, said] = await ended(worker);
      expect(code).toBe(0);
      expect(said).toContain('is not the configuration that the sweep was started with');
      expect(said).toContain('0 points ran, 0 failed');
      sweep.child.kill('SIGINT');
      const [stopped, words] = await ended(sweep);
      expect([stopped, words]).toEqual([130, expect.stringContaining('goes on from there')]);
    },
  );

  test(
    'gives a point up that ended three workers, and ends, though no worker is left',
    { timeout: 120_000 },
    async () => {
      const shop = openWorkshop('sweep-ends');
      onTestFinished(() => shop.close());
      const plant = join(root, 'test/backtest/plants/endsItsThread.ts');
      const bot = BOT.replace(join(root, 'strategies/breakout.ts'), plant);
      shop.write(
        'bot.yaml',
        bot.replace(/^sweep: .*$/m, 'sweep: { params: { way: [exit, live] } }'),
      );
      const engine = ['--engine', database!.url];
      const sweep = shop.start(['sweep', 'bot.yaml', ...engine, '--out', 'ends.sqlite']);
      while (!sweep.text().includes('0 of 2')) await new Promise((done) => setTimeout(done, 50));
      for (const worker of [1, 2, 3, 4]) {
        const [, said] = await ended(shop.start(['worker', ...engine, '--exit-when-done']));
        expect([worker, said.includes('1 points ran, 0 failed')]).toEqual([worker, worker === 4]);
      }
      const [code, said] = await ended(sweep);
      expect([code, said]).toEqual([
        0,
        expect.stringContaining('1 point failed: 3 workers ended while they computed it'),
      ]);
      const db = new DatabaseSync(join(shop.folder, 'ends.sqlite'), { readOnly: true });
      const kept = db.prepare('SELECT param_way AS way, fault IS NULL AS ran FROM points').all();
      db.close();
      expect(kept).toEqual(
        expect.arrayContaining([
          { way: 'exit', ran: 0 },
          { way: 'live', ran: 1 },
        ]),
      );
    },
  );

  test.each([
    ['stopped', 'SIGINT'],
    ['killed', 'SIGKILL'],
  ] as const)(
    'that is %s leaves no point to workers, loses none that they had, and goes on',
    { timeout: 180_000 },
    async (_how, signal) => {
      const { url, run } = database!;
      await run('DROP SCHEMA IF EXISTS trimtab CASCADE');
      const shop = openWorkshop('sweep-ended');
      onTestFinished(() => shop.close());
      shop.write('bot.yaml', BOT);
      const engine = ['--engine', url];
      const sweep = () => shop.start(['sweep', 'bot.yaml', ...engine, '--out', 'results.sqlite']);
      const points = (): number => {
        const db = new DatabaseSync(join(shop.folder, 'results.sqlite'), { readOnly: true });
        const rows = db.prepare('SELECT job FROM points').all();
        db.close();
        return rows.length;
      };
      const first = sweep();
      const finished = () =>
        run('SELECT 1 FROM trimtab.sweep_jobs WHERE result IS NOT NULL').catch(() => []);
      while (!first.text().includes('0 of 40')) await new Promise((done) => setTimeout(done, 50));
      const some = [1, 2].map(() => shop.start(['worker', ...engine, '--exit-when-done']));
      while ((await finished()).length < 3) await new Promise((done) => setTimeout(done, 50));
      first.child.kill(signal);
      await ended(first);
      // They end by themselves, with jobs left where the sweep could not take them back.
      for (const worker of some) expect((await ended(worker))[0]).toBe(0);
      const open = await run('SELECT 1 FROM trimtab.sweep_jobs WHERE result IS NULL');
      expect(open.length > 0).toBe(signal === 'SIGKILL');
      expect(points()).toBeLessThan(40);

      const others = [1, 2].map(() => shop.start(['worker', ...engine]));
      expect((await ended(sweep()))[0]).toBe(0);
      expect(points()).toBe(40);
      const ran = await pointsRan([...some, ...others]);
      expect(ran.reduce((sum, count) => sum + count)).toBe(40);
      expect(await run('SELECT id FROM trimtab.sweeps')).toEqual([]);
    },
  );
});
