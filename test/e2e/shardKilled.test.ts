import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openWorkshop } from './startProcess.ts';
import { BOT, ended } from './sweepBot.ts';

test(
  'a shard that is killed keeps its results, is named by the merge, and goes on where it was',
  { timeout: 600_000 },
  async () => {
    const shop = openWorkshop('shard');
    onTestFinished(() => shop.close());
    shop.write('bot.yaml', BOT);
    const shard = (number: number) => {
      const out = `part-${number}.sqlite`;
      return shop.start([
        'sweep',
        'bot.yaml',
        '--shard',
        `${number}/2`,
        '--threads',
        '1',
        '--out',
        out,
      ]);
    };
    const merge = () => shop.start(['sweep', '--merge', 'part-1.sqlite', 'part-2.sqlite']);
    const done = (): number => {
      try {
        const db = new DatabaseSync(join(shop.folder, 'part-1.sqlite'), { readOnly: true });
        try {
          return Number(db.prepare('SELECT count(*) AS n FROM points').get()!['n']);
        } finally {
          db.close();
        }
      } catch {
        return 0;
      }
    };
    const first = shard(1);
    while (done() < 3 && first.child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    first.child.kill('SIGKILL');
    await ended(first);
    const retained = done();
    expect([retained >= 3, retained < 20]).toEqual([true, true]);
    const other = await ended(shard(2));
    expect(other).toEqual([0, expect.stringContaining('shard 2/2 of 40 points: 20 of its 20')]);

    const lacking = await ended(merge());
    const words = `${20 - retained} of 40 points are missing: ${20 - retained} of shard 1/2, which part-1.sqlite has not completed`;
    expect(lacking).toEqual([1, expect.stringContaining(words)]);
    const [code, said] = await ended(shard(1));
    expect([code, said]).toEqual([0, expect.stringContaining(`${retained} of 20 points\n`)]);
    expect((await ended(merge()))[0]).toBe(0);
    const whole = shop.start(['sweep', 'bot.yaml', '--out', 'whole.sqlite']);
    expect((await ended(whole))[0]).toBe(0);
    const textOf = (name: string): string => readFileSync(join(shop.folder, name), 'utf8');
    expect(textOf('sweeps/swept.csv')).toBe(textOf('whole.csv'));
  },
);
