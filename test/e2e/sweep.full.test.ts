import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { OPEN_BATCHES, RESULTS } from '../backtest/sweep/storedRows.ts';
import { findTestDatabase } from '../journal/findTestDatabase.ts';
import { root } from '../sourceFiles.ts';
import { openWorkshop } from './startProcess.ts';
import { BOT, ended, pointsRan, trust } from './sweepBot.ts';

const { database, missing } = await findTestDatabase();

describe.skipIf(database === undefined)(`a sweep over processes${missing}`, () => {
  test(
    'a worker whose tape or configuration differs does not take part, and reports it',
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
        ...(await trust(shop)),
        '--config',
        'other.yaml',
        '--exit-when-done',
      ]);
      const [code, said] = await ended(worker);
      expect([code, said]).toEqual([1, expect.stringContaining('TRIMTAB_SWEEP_REFUSED')]);
      expect(said).toContain('is not the configuration that the sweep was started with');
      expect(said).toContain('0 points ran, 0 failed');
      sweep.child.kill('SIGINT');
      const [stopped, words] = await ended(sweep);
      expect([stopped, words]).toEqual([130, expect.stringContaining('resumes from there')]);
    },
  );

  test(
    'survives a plugin that exits, and gives up a point that ended three workers',
    { timeout: 240_000 },
    async () => {
      const shop = openWorkshop('sweep-ends');
      onTestFinished(() => shop.close());
      const plant = join(root, 'test/backtest/plants/endsItsThread.ts');
      const bot = BOT.replace(join(root, 'strategies/breakout.ts'), plant);
      shop.write(
        'bot.yaml',
        bot.replace(/^sweep: .*$/m, 'sweep: { params: { way: [exit, live, kill] } }'),
      );
      const engine = ['--engine', database!.url];
      const sweep = shop.start(['sweep', 'bot.yaml', ...engine, '--out', 'ends.sqlite']);
      while (!sweep.text().includes('0 of 3')) await new Promise((done) => setTimeout(done, 50));
      const work = ['worker', ...engine, ...(await trust(shop)), '--threads', '1'];
      const codes: Array<number | null> = [];
      while (sweep.child.exitCode === null && codes.length < 4) {
        const worker = shop.start([...work, '--exit-when-done']);
        codes.push((await ended(worker))[0]);
      }
      expect(codes).toEqual([null, null, null, 0]);
      const [code, said] = await ended(sweep);
      expect([code, said]).toEqual([
        0,
        expect.stringContaining('1 point failed: It ended its thread, with code 0'),
      ]);
      const db = new DatabaseSync(join(shop.folder, 'ends.sqlite'), { readOnly: true });
      const retained = db.prepare('SELECT param_way AS way, fault FROM points ORDER BY job').all();
      db.close();
      expect(retained).toEqual([
        { way: 'exit', fault: 'It ended its thread, with code 0' },
        { way: 'live', fault: null },
        { way: 'kill', fault: expect.stringContaining('3 workers ended while they computed it') },
      ]);
    },
  );

  test(
    'a worker whose clock is three days ahead computes the same',
    { timeout: 240_000 },
    async () => {
      const { url, run } = database!;
      await run('DROP SCHEMA IF EXISTS trimtab, trimtab_jobs CASCADE');
      const shop = openWorkshop('sweep-clock');
      onTestFinished(() => shop.close());
      shop.write('bot.yaml', BOT);
      shop.write(
        'ahead.mjs',
        `const { now } = Date;
const ahead = 3 * 86_400_000;
const Own = Date;
globalThis.Date = class extends Own {
  constructor(...given) {
    super(...(given.length === 0 ? [now() + ahead] : given));
  }
};
globalThis.Date.now = () => now() + ahead;
`,
      );
      const engine = ['--engine', url];
      const sweep = shop.start(['sweep', 'bot.yaml', ...engine, '--out', 'ahead.sqlite']);
      const preload = `--import=${pathToFileURL(join(shop.folder, 'ahead.mjs')).href}`;
      const worker = shop.start(['worker', ...engine, ...(await trust(shop)), '--threads', '1'], {
        NODE_OPTIONS: preload,
      });
      expect((await ended(sweep))[0]).toBe(0);
      expect(await pointsRan([worker])).toEqual([40]);
      const one = shop.start(['sweep', 'bot.yaml', '--threads', '1', '--out', 'one.sqlite']);
      expect((await ended(one))[0]).toBe(0);
      const rows = (file: string) => {
        const db = new DatabaseSync(join(shop.folder, file), { readOnly: true });
        const all = db.prepare('SELECT * FROM points ORDER BY job').all();
        db.close();
        return JSON.stringify(all);
      };
      expect(rows('ahead.sqlite')).toBe(rows('one.sqlite'));
    },
  );

  test.each([
    ['stopped', 'SIGINT'],
    ['killed', 'SIGKILL'],
  ] as const)(
    'that is %s hands out no more points, loses none in progress, and resumes',
    { timeout: 180_000 },
    async (_how, signal) => {
      const { url, run } = database!;
      await run('DROP SCHEMA IF EXISTS trimtab, trimtab_jobs CASCADE');
      const shop = openWorkshop('sweep-ended');
      onTestFinished(() => shop.close());
      // Some seconds of work for two workers.
      shop.write('bot.yaml', BOT.replace('bars: 1500', 'bars: 40000'));
      const engine = ['--engine', url];
      const sweep = () => shop.start(['sweep', 'bot.yaml', ...engine, '--out', 'results.sqlite']);
      const points = (): number => {
        const db = new DatabaseSync(join(shop.folder, 'results.sqlite'), { readOnly: true });
        const rows = db.prepare('SELECT job FROM points').all();
        db.close();
        return rows.length;
      };
      const first = sweep();
      const finished = () => run(RESULTS).catch(() => []);
      while (!first.text().includes('0 of 40')) await new Promise((done) => setTimeout(done, 50));
      const work = ['worker', ...engine, ...(await trust(shop)), '--threads', '1'];
      const some = [1, 2].map(() => shop.start([...work, '--exit-when-done']));
      while ((await finished()).length < 3) await new Promise((done) => setTimeout(done, 50));
      first.child.kill(signal);
      await ended(first);
      // As after half a minute.
      await run("UPDATE trimtab_jobs.instance SET heartbeat_on = now() - interval '31 seconds'");
      // They end by themselves, with jobs left where the sweep could not take them back.
      for (const worker of some) expect((await ended(worker))[0]).toBe(0);
      const open = await run(OPEN_BATCHES);
      expect(open.length > 0).toBe(signal === 'SIGKILL');
      expect(points()).toBeLessThan(40);

      const others = [1, 2].map(() => shop.start(work));
      expect((await ended(sweep()))[0]).toBe(0);
      expect(points()).toBe(40);
      const ran = await pointsRan([...some, ...others]);
      expect(ran.reduce((sum, count) => sum + count)).toBe(40);
      expect(await run(RESULTS)).toEqual([]);
    },
  );
});
