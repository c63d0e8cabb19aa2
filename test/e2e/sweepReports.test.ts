import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openWorkshop } from './startProcess.ts';
import { BOT, ended } from './sweepBot.ts';

test('the best points lead to their reports, each of the run that was swept', async () => {
  const shop = openWorkshop('sweep-reports');
  onTestFinished(() => shop.close());
  shop.write('bot.yaml', BOT.replace("'5..24'", "'5..8'").replace('reward: [1, 2]', 'reward: [1]'));
  const sweep = shop.start(['sweep', 'bot.yaml', '--reports', '2', '--out', 'results.sqlite']);
  const [code, said] = await ended(sweep);
  expect([code, said]).toEqual([0, expect.stringContaining('reports: results-points')]);
  const db = new DatabaseSync(join(shop.folder, 'results.sqlite'), { readOnly: true });
  const points = db.prepare('SELECT job, hash FROM points').all() as Array<{
    job: number;
    hash: string;
  }>;
  db.close();

  const page = readFileSync(join(shop.folder, 'results.html'), 'utf8');
  const files = readdirSync(join(shop.folder, 'results-points'));
  expect(files).toHaveLength(2);
  for (const file of files) {
    expect(page).toContain(`<a href="results-points/${file}">Its report</a>`);
    const job = Number(/^point-(\d+)\.html$/.exec(file)![1]) - 1;
    const { hash } = points.find((point) => point.job === job)!;
    expect(readFileSync(join(shop.folder, 'results-points', file), 'utf8')).toContain(hash);
  }
  // The others have the command that makes theirs.
  expect(page.match(/Its report<\/a>/g)).toHaveLength(2);
  expect(page.match(/class="point"/g)).toHaveLength(4);
}, 60_000);
