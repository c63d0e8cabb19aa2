import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import { script } from './sweepExamples.ts';
import { createSweepProject } from './sweepProject.ts';

const needs = hasParallel() ? '' : ' (needs GNU parallel)';
const project = createSweepProject();
afterAll(() => project.remove());

if (needs !== '' && process.env['CI'] === 'true') {
  test('GNU parallel, which these tests need', () => expect.fail('it is not installed'));
}

function hasParallel(): boolean {
  try {
    return execFileSync('parallel', ['--version'], { encoding: 'utf8' }).startsWith('GNU parallel');
  } catch {
    return false;
  }
}

const at = (name: string): string => join(project.folder, name);
const textOf = (name: string): string => readFileSync(at(name), 'utf8');
const GRID = /--param first\.fast=\S+ --param first\.slow=\S+/.exec(script)![0];
/** Of the last that was shown: shards name their results too. */
const tableOf = (out: string): string =>
  out.slice(out.lastIndexOf('\n #  '), out.lastIndexOf('results: '));

function rowsOf(name: string): unknown[] {
  const db = new DatabaseSync(at(name), { readOnly: true });
  const rows = db.prepare('SELECT * FROM points ORDER BY job').all();
  db.close();
  return rows;
}

describe.skipIf(needs !== '')(
  `sixteen shards by GNU parallel${needs}`,
  { timeout: 1_200_000 },
  () => {
    test('merged are one run byte for byte; a missing one is named, and computed by the same script', async () => {
      const one = await project.run(`npx trimtab sweep bot.yaml ${GRID} --out one.sqlite`);
      expect(one.code).toBe(0);
      const ran = await project.run(script);
      expect([ran.code, ran.err]).toEqual([0, expect.not.stringContaining('trimtab: ')]);
      expect(tableOf(ran.out)).toBe(tableOf(one.out));
      expect(tableOf(one.out)).toMatch(/Probability of backtest overfitting: [\d.]+ % \(CSCV/);
      const name = 'sweeps/first';
      for (const ending of ['csv', 'html']) {
        expect(textOf(`${name}.${ending}`) === textOf(`one.${ending}`), ending).toBe(true);
      }
      expect(rowsOf('one.sqlite')).toHaveLength(100);
      expect(rowsOf(`${name}.sqlite`)).toEqual(rowsOf('one.sqlite'));

      renameSync(at('part-7.sqlite'), at('kept.sqlite'));
      const lacking = await project.run('npx trimtab sweep --merge part-*.sqlite --out two.sqlite');
      expect([lacking.code, lacking.err]).toEqual([
        1,
        expect.stringContaining(
          '6 of 100 points are missing: shard 7/16, of which there is no file.\n' +
            '  Run the same command again with --shard 7/16, then merge.',
        ),
      ]);

      // As after the loss of a machine: its job has failed, and the same script repeats it alone.
      const log = textOf('shards.log').split('\n');
      const failed = log.map((line) => {
        const cells = line.split('\t');
        if (cells[0] === '7') cells[6] = '1';
        return cells.join('\t');
      });
      writeFileSync(at('shards.log'), failed.join('\n'));
      rmSync(at('sweeps'), { recursive: true });
      const again = await project.run(script);
      expect(again.code).toBe(0);
      expect(again.out.match(/^shard \d+\/16 of 100 points/gm)).toEqual([
        'shard 7/16 of 100 points',
      ]);
      expect(textOf(`${name}.csv`)).toBe(textOf('one.csv'));
      expect(rowsOf('part-7.sqlite')).toEqual(rowsOf('kept.sqlite'));
    });
  },
);
