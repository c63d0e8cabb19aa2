import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RESULTS } from '../backtest/sweep/storedRows.ts';
import { findTestDatabase } from '../journal/findTestDatabase.ts';
import { openWorkshop } from './startProcess.ts';
import { BOT, ended, pointsRan, trust } from './sweepBot.ts';

const { database, missing } = await findTestDatabase();

describe.skipIf(database === undefined)(`a sweep over processes${missing}`, () => {
  test(
    'has one result per point, even if a worker is killed half-way',
    { timeout: 240_000 },
    async () => {
      const { url, run } = database!;
      const shop = openWorkshop('sweep');
      onTestFinished(() => shop.close());
      shop.write('bot.yaml', BOT);
      const engine = ['--engine', url];
      const sweep = shop.start(['sweep', 'bot.yaml', ...engine, '--out', 'results.sqlite']);
      const work = ['worker', ...engine, ...(await trust(shop)), '--threads', '1'];
      const workers = [1, 2, 3].map(() => shop.start(work));
      const finished = async (): Promise<Array<Record<string, unknown>>> =>
        run(RESULTS).catch(() => []);
      const victim = workers[0]!.child;
      const isVictims = ({ worker }: Record<string, unknown>): boolean =>
        String(worker).endsWith(`:${victim.pid}`);
      // The job of its newest result may not be complete yet, and is then computed again.
      const ofVictim = async (): Promise<number> => (await finished()).filter(isVictims).length;
      while ((await ofVictim()) < 3) await new Promise((done) => setTimeout(done, 50));
      victim.kill('SIGKILL');
      const [code, said] = await ended(sweep);
      expect([code, said]).toEqual([0, expect.stringContaining('40 of 40 points')]);
      // Results written to the file are deleted on the server.
      expect(await run(RESULTS)).toEqual([]);
      expect(await run('SELECT id FROM trimtab_jobs.job')).toEqual([]);
      const db = new DatabaseSync(join(shop.folder, 'results.sqlite'), { readOnly: true });
      const retained = db.prepare('SELECT job, fault, hash FROM points').all();
      db.close();
      expect(retained).toHaveLength(40);
      expect(retained.every(({ fault, hash }) => fault === null && hash !== null)).toBe(true);

      // The same points on this machine's own threads give the same results.
      const alone = shop.start(['sweep', 'bot.yaml', '--out', 'alone.sqlite']);
      expect((await ended(alone))[0]).toBe(0);
      const own = new DatabaseSync(join(shop.folder, 'alone.sqlite'), { readOnly: true });
      expect(own.prepare('SELECT job, fault, hash FROM points ORDER BY job').all()).toEqual(
        retained.toSorted((a, b) => Number(a['job']) - Number(b['job'])),
      );
      own.close();
      const ran = await pointsRan(workers.slice(1));
      expect([Math.min(...ran) > 0, ran[0]! + ran[1]! < 40]).toEqual([true, true]);
    },
  );
});
