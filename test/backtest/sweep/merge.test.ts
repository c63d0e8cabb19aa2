import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { runMain } from '../../cli/runMain.ts';
import { config, directory, GRID, rowsOf, sweep, useSweepFolder } from './sweepFolder.ts';

useSweepFolder();

const at = (name: string): string => join(directory, name);
const shard = (number: number, name = `part-${number}.sqlite`, ...argv: string[]) =>
  sweep(name, ...GRID, '--shard', `${number}/3`, ...argv);
const merge = (names: readonly string[], out: string, ...argv: string[]) =>
  runMain('sweep', ...argv, '--merge', ...names.map(at), '--out', at(out), '--threads', '1');
const ALL = [1, 2, 3].map((number) => `part-${number}.sqlite`);

/** What a merge and one run must have in common, but for the names of their files. */
async function filesOf(name: string) {
  const read = async (ending: string) => (await readFile(at(`${name}.${ending}`))).toString();
  return { csv: await read('csv'), page: await read('html'), rows: rowsOf(`${name}.sqlite`) };
}
async function statusOf(name: string) {
  const { code, out } = await runMain('status', at(`${name}.sqlite`));
  return [code, out.slice(0, out.indexOf('\n'))];
}
const tableOf = (out: string): string => out.slice(0, out.indexOf('results: '));

describe('shards of a sweep', { timeout: 120_000 }, () => {
  let whole: Awaited<ReturnType<typeof sweep>>;
  beforeAll(async () => {
    whole = await sweep('whole.sqlite', ...GRID);
    for (const number of [1, 2, 3]) {
      const { code, out } = await shard(number);
      expect([code, out]).toEqual([
        0,
        expect.stringContaining(`shard ${number}/3 of 6 points: 2 of its 2 points\n`),
      ]);
    }
  }, 120_000);

  test('merged are one run: table, CSV and page byte for byte, and every row', async () => {
    const merged = await merge(ALL.toReversed(), 'merged.sqlite');
    expect([merged.code, tableOf(merged.out)]).toEqual([0, tableOf(whole.out)]);
    expect(await filesOf('merged')).toEqual(await filesOf('whole'));
    expect(await statusOf('merged')).toEqual([0, 'The sweep is complete: 6 of 6 points']);
    // The same once more, into the same file.
    const again = await merge(ALL, 'merged.sqlite');
    expect([again.code, tableOf(again.out)]).toEqual([0, tableOf(whole.out)]);
    // It is a results file like any other: the command that would make it has nothing to do.
    const resumed = await sweep('merged.sqlite', ...GRID);
    expect([resumed.code, tableOf(resumed.out)]).toEqual([0, tableOf(whole.out)]);
  });

  test('merged overwrite no file of another kind beside it, unless that is asked for', async () => {
    await writeFile(at('beside.csv'), 'mine');
    const refused = await merge(ALL, 'beside.sqlite');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('--force overwrites it'),
    ]);
    expect((await readFile(at('beside.csv'))).toString()).toBe('mine');
    await expect(readFile(at('beside.sqlite'))).rejects.toThrow('ENOENT');
    expect((await merge(ALL, 'beside.sqlite', '--force')).code).toBe(0);
    expect(await filesOf('beside')).toEqual(await filesOf('whole'));
  });

  test('are merged without the bot at hand, which is said, with the same files', async () => {
    const moved = at('moved.yaml');
    await copyFile(config, moved);
    await rm(config);
    try {
      const merged = await merge(ALL, 'elsewhere.sqlite');
      expect(merged.code).toBe(0);
      expect(merged.err).toContain('The best points were not run a second time: ');
      expect(await filesOf('elsewhere')).toEqual(await filesOf('whole'));
      expect(await statusOf('elsewhere')).toEqual([0, 'The sweep is complete: 6 of 6 points']);
      const named = await merge(ALL, 'named.sqlite', moved);
      expect([named.code, named.err]).toEqual([0, expect.not.stringContaining('second time')]);
      expect((await filesOf('named')).rows).toEqual((await filesOf('whole')).rows);
      const reports = await merge(ALL, 'reports.sqlite', '--reports', '1');
      expect([reports.code, reports.err]).toEqual([
        1,
        expect.stringContaining('--reports needs the bot and its tape: '),
      ]);
    } finally {
      await copyFile(moved, config);
    }
  });

  test('name the one that is missing, or incomplete, and write nothing', async () => {
    const lacking = await merge([ALL[0]!, ALL[2]!], 'lacking.sqlite');
    expect([lacking.code, lacking.err]).toEqual([
      1,
      expect.stringContaining(
        '2 of 6 points are missing: shard 2/3, of which there is no file.\n' +
          '  Run the same command again with --shard 2/3, then merge.',
      ),
    ]);
    await expect(readFile(at('lacking.sqlite'))).rejects.toThrow('ENOENT');
    await copyFile(at(ALL[1]!), at('torn.sqlite'));
    const db = new DatabaseSync(at('torn.sqlite'));
    db.exec('DELETE FROM points WHERE job = (SELECT max(job) FROM points)');
    db.close();
    const torn = await merge([ALL[0]!, 'torn.sqlite', ALL[2]!], 'lacking.sqlite');
    expect(torn.err).toContain('1 of 6 points is missing: 1 of shard 2/3, which ');
    // The same command completes it.
    expect((await shard(2, 'torn.sqlite')).code).toBe(0);
    expect((await merge([ALL[0]!, 'torn.sqlite', ALL[2]!], 'lacking.sqlite')).code).toBe(0);
  });

  test('are resumed only as what they are', async () => {
    const other = await shard(1, 'part-2.sqlite');
    expect([other.code, other.err]).toEqual([
      1,
      expect.stringContaining('part-2.sqlite is for shard 2/3, not shard 1/3.'),
    ]);
    const all = await sweep('part-2.sqlite', ...GRID);
    expect(all.err).toContain('part-2.sqlite is for shard 2/3, not the whole sweep.');
    const part = await shard(1, 'whole.sqlite');
    expect(part.err).toContain('whole.sqlite is for the whole sweep, not shard 1/3.');
  });

  test('of other data, seed, code or parameters are refused, and say so', async () => {
    const seeded = await shard(2, 'seeded.sqlite', '--seed', '7');
    expect(seeded.code).toBe(0);
    const refused = await merge([ALL[0]!, 'seeded.sqlite'], 'refused.sqlite');
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(
        /seeded\.sqlite does not belong to .*part-1\.sqlite: it holds results of another seed: 7, not none\./,
      ),
    ]);
    const more = ['--param', 'channel=10..40:10'];
    expect((await shard(2, 'wider.sqlite', ...more)).code).toBe(0);
    const wider = await merge([ALL[0]!, 'wider.sqlite'], 'refused.sqlite');
    expect(wider.err).toContain('it holds results of another sweep: other parameters.');
    for (const [change, words] of [
      ['{tape,0,sha256}', 'other data: BTC@1m has other values'],
      ['{sources,0,digest}', 'other code: trimtab had version 0.0.1 and has'],
    ] as const) {
      await copyFile(at(ALL[1]!), at('foreign.sqlite'));
      const path = `$.${change.slice(1, -1).replaceAll(',', '.').replace('.0.', '[0].')}`;
      const db = new DatabaseSync(at('foreign.sqlite'));
      db.prepare(`UPDATE sweep SET id = 'x', plan = json_set(plan, ?, '0.0.1')`).run(path);
      db.close();
      const foreign = await merge([ALL[0]!, 'foreign.sqlite'], 'refused.sqlite');
      expect([foreign.code, foreign.err]).toEqual([1, expect.stringContaining(words)]);
    }
  });

  test('that overlap are merged where they agree, and refused with both names where not', async () => {
    const same = await merge([...ALL, 'whole.sqlite'], 'overlap.sqlite');
    expect([same.code, tableOf(same.out)]).toEqual([0, tableOf(whole.out)]);
    // Not a damaged row, but another result: its checksum is right.
    const [mine, other] = [at('other.sqlite'), at('another.sqlite')];
    await copyFile(at('whole.sqlite'), mine);
    await copyFile(at('whole.sqlite'), other);
    const db = new DatabaseSync(other);
    const [a, b] = db.prepare('SELECT * FROM points ORDER BY job LIMIT 2').all();
    db.exec('DELETE FROM points WHERE job = 0');
    const { resultOf, cellsOf } = await import('../../../backtest/sweep/results/pointRow.ts');
    const job = { index: 0, values: ['10', '1'], range: {}, window: null, part: 'all' as const };
    const cells = cellsOf(job, { ...resultOf(b!), index: 0 });
    expect(Object.keys(a!)).toHaveLength(cells.length);
    db.prepare(`INSERT INTO points VALUES (${cells.map(() => '?').join(', ')})`).run(...cells);
    db.close();
    const differs = await merge(['other.sqlite', 'another.sqlite'], 'differs.sqlite');
    expect([differs.code, differs.err]).toEqual([
      1,
      expect.stringMatching(
        /other\.sqlite and .*another\.sqlite hold different results of point 1:/,
      ),
    ]);
  });

  test('that are damaged, or no results files, are refused with name, reason and remedy', async () => {
    const bytes = await readFile(at(ALL[1]!));
    await writeFile(at('cut.sqlite'), bytes.subarray(0, bytes.length - 5_000));
    const cut = await merge([ALL[0]!, 'cut.sqlite'], 'bad.sqlite');
    expect([cut.code, cut.err]).toEqual([1, expect.stringMatching(/cut\.sqlite is damaged: /)]);
    // A bit of a figure, which SQLite's own check does not see.
    const db = new DatabaseSync(at(ALL[1]!), { readOnly: true });
    const { daily_returns: returns, fees } = db.prepare('SELECT * FROM points').get() as never;
    db.close();
    const value = Buffer.alloc(8);
    value.writeDoubleBE(fees);
    const place = bytes.indexOf(value);
    expect([place > 0, (returns as Uint8Array).length]).toEqual([true, 8]);
    const flipped = Buffer.from(bytes);
    flipped[place + 7]! ^= 1;
    await writeFile(at('flipped.sqlite'), flipped);
    const wrong = await merge([ALL[0]!, 'flipped.sqlite', ALL[2]!], 'bad.sqlite');
    expect([wrong.code, wrong.err]).toEqual([
      1,
      expect.stringMatching(
        /flipped\.sqlite is damaged: point \d is not as it was written\.\n.*compute it again with --shard 2\/3\./,
      ),
    ]);
    await writeFile(at('notes.txt'), 'not a database, by far');
    const notes = await merge([ALL[0]!, 'notes.txt'], 'bad.sqlite');
    expect(notes.err).toMatch(/notes\.txt is not a results file: file is not a database\./);
    const none = await merge([ALL[0]!, 'none.sqlite'], 'bad.sqlite');
    expect(none.err).toMatch(/none\.sqlite does not exist\./);
    const empty = new DatabaseSync(at('former.sqlite'));
    empty.exec("CREATE TABLE sweep (format TEXT); INSERT INTO sweep VALUES ('trimtab-sweep 2')");
    empty.close();
    const former = await merge([ALL[0]!, 'former.sqlite'], 'bad.sqlite');
    expect(former.err).toContain(
      'former.sqlite holds results of another version of Trimtab (trimtab-sweep 2, not trimtab-sweep 4).',
    );
  });

  test('of a walk-forward are merged into the tests that follow from all of them', async () => {
    const walk = ['--walk-forward', 'anchored', '--train', '1d', '--test', '12h'];
    const argv = ['--param', 'channel=10..30:10', '--objective', 'pnl', ...walk];
    const one = await sweep('walk.sqlite', ...argv);
    const names = ['walk-1.sqlite', 'walk-2.sqlite'];
    for (const [index, name] of names.entries()) {
      const { code, out } = await sweep(name, ...argv, '--shard', `${index + 1}/2`);
      expect([code, out]).toEqual([0, expect.stringContaining('of 6 points: 3 of its 3 points')]);
    }
    const merged = await merge(names, 'walked.sqlite');
    expect([merged.code, tableOf(merged.out)]).toEqual([0, tableOf(one.out)]);
    expect(await filesOf('walked')).toEqual(await filesOf('walk'));
    const top = await merge(names, 'walked.sqlite', '--top', '3');
    expect([top.code, top.err]).toEqual([
      2,
      expect.stringContaining('--top has no effect with a walk-forward.'),
    ]);
    for (const name of ['walk', 'walked'])
      expect(await statusOf(name)).toEqual([0, 'The sweep is complete: 8 of 8 points']);
  });

  test.each([
    [['--shard', '0/3'], "'--shard <number/count>' argument '0/3' is invalid. Its number is 0"],
    [['--shard', '1/3', '--reports', '2'], '--reports has no effect with --shard.'],
    [['--shard', '1/3', '--force'], '--force has no effect with --shard.'],
    [['--key', 'own.key'], '--key is for workers, and there are none without --engine'],
    [
      ['--walk-forward', 'rolling', '--train', '1d', '--test', '12h', '--top', '3'],
      '--top has no effect with a walk-forward.',
    ],
    [['--shard', '1/3', '--engine', 'postgres://x/y'], '--engine has no effect with --shard.'],
    [['--merge', 'a.sqlite'], '--param has no effect with --merge.'],
  ])('%s is wrong usage', async (argv, words) => {
    const { code, err } = await sweep('usage.sqlite', ...GRID, ...argv);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });

  test('a sweep without a bot is wrong usage', async () => {
    const { code, err } = await runMain('sweep', ...GRID);
    expect([code, err]).toEqual([2, expect.stringContaining("Name the bot's YAML")]);
  });
});
