import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { createThreadEngine, openResults, runSweep } from '../../../backtest/index.ts';
import { runMain } from '../../cli/runMain.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { root } from '../../sourceFiles.ts';

import { bot, config, directory, GRID, rowsOf, sweep, useSweepFolder } from './sweepFolder.ts';
import { inTurn } from '../../inTurn.ts';

useSweepFolder();

const it = inTurn(3);

describe('a sweep', { timeout: 120_000 }, () => {
  let grid: Awaited<ReturnType<typeof sweep>>;
  beforeAll(async () => {
    grid = await sweep('grid.sqlite', ...GRID, '--threads', '2');
  }, 120_000);

  test('whose range has no bar of the tape is refused before it creates a file', async () => {
    const { code, err } = await sweep('miss.sqlite', ...GRID, '--timerange', '20240101-20240201');
    expect(code).toBe(1);
    expect(err).toContain('--timerange ends at 2024-02-01 00:00: BTC can be traded from');
    expect(await readdir(directory)).not.toContain('miss.sqlite');
  });

  test('says once what its funding file lacks, and of one that is whole nothing', async () => {
    expect(grid.err).not.toContain('Funding');
    const rates = Array.from({ length: 21 }, (_none, hour) => Date.UTC(2025, 0, 1, hour));
    const file = join(directory, 'funding.csv');
    await writeFile(
      file,
      `timestamp,funding_rate\n${rates.map((at) => `${at},1e-4`).join('\n')}\n`,
    );
    // No point of it gets far.
    const plant = `strategies[0].use=${join(root, 'test/backtest/plants/throws.ts')}`;
    const flags = ['--set', plant, '--set', `paper.funding={ BTC: ${file} }`];
    const { err } = await sweep('lacking.sqlite', ...flags, '--param', 'channel=1,2');
    expect(err.match(/it lacks 46 settlements of the run/g)).toHaveLength(1);
  });

  it('without a point that ran ends with 1', async () => {
    const plant = `strategies[0].use=${join(root, 'test/backtest/plants/throws.ts')}`;
    const { code, out, err } = await sweep('none.sqlite', '--set', plant, '--param', 'channel=1,2');
    expect([code, out]).toEqual([1, expect.stringContaining('No point ran.')]);
    expect(out).toContain('2 points failed: ');
    expect(err).toContain('No point ran; see above for why.');
  });

  it('gives each point the figures of a backtest with its parameters', async () => {
    const { code, out, err } = grid;
    expect([code, err.includes('6 of 6 points')]).toEqual([0, true]);
    expect(out).toContain('Probability of backtest overfitting');
    expect(out).toMatch(/The tape has 1 whole UTC day, and sharpe needs 7: the P&L ranks/);
    const rows = rowsOf('grid.sqlite');
    expect(rows.map((row) => [row['param_channel'], row['param_reward']])).toEqual([
      [10, 1],
      [10, 3],
      [20, 1],
      [20, 3],
      [30, 1],
      [30, 3],
    ]);
    const alone = await runMain(
      'backtest',
      config,
      '--param',
      'channel=20',
      '--param',
      'reward=3',
      '--no-report',
    );
    expect(alone.out).toContain(`hash: ${rows[3]!['hash']}`);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(6);
    expect(Number(rows[3]!['trades'])).toBeGreaterThan(5);
    const csv = (await readFile(join(directory, 'grid.csv'), 'utf8')).trim().split('\n');
    expect(csv).toHaveLength(7);
    expect(csv[0]).toMatch(/^job,window,part,channel,reward,pnl,/);
    expect(csv[4]).toContain(`3,,all,20,3,${rows[3]!['pnl']}`);
    const page = await readFile(join(directory, 'grid.html'), 'utf8');
    expect(page.match(/<td[^>]* style="background/g)).toHaveLength(6);
    // The command that the page gives for a point repeats it, shell words and all.
    const [, command] = /id="point-4".*?<pre>npx trimtab (.*?)<\/pre>/s.exec(page)!;
    const words = command!.split(' ').slice(0, -1);
    const again = await runMain(...words, join(directory, 'point.html'));
    expect(again.out).toContain(`hash: ${rows[3]!['hash']}`);
    expect(await readFile(join(directory, 'point.html'), 'utf8')).toContain(`${rows[3]!['hash']}`);
    // The table's first row is the best by what ranks the points.
    const best = rows.toSorted((a, b) => Number(b['pnl']) - Number(a['pnl']))[0]!;
    expect(out).toMatch(
      new RegExp(`^ *1 +${best['param_channel']} +${best['param_reward']} `, 'm'),
    );
  });

  it('resumes from its results and recomputes nothing', async () => {
    const path = join(directory, 'again.sqlite');
    await copyFile(join(directory, 'grid.sqlite'), path);
    const db = new DatabaseSync(path);
    db.exec('DELETE FROM points WHERE job IN (1, 4); UPDATE points SET pnl = 12345 WHERE job = 0');
    db.close();
    const { code, out } = await sweep('again.sqlite', ...GRID, '--top', '2');
    expect(code).toBe(0);
    // The terminal shows as many as it is asked to, and the page as many as before.
    expect(out).toMatch(/^ *2 +/m);
    expect(out).not.toMatch(/^ *3 +/m);
    const [again, grid] = await Promise.all(
      ['again.html', 'grid.html'].map((name) => readFile(join(directory, name), 'utf8')),
    );
    const listed = (page: string): number =>
      page.split('Best points')[1]!.split('</table>')[0]!.split('<tr').length;
    expect(listed(again!)).toBe(listed(grid!));
    const rows = rowsOf('again.sqlite');
    expect(rows).toHaveLength(6);
    expect(rows[0]!['pnl']).toBe(12_345);
    const fresh = rowsOf('grid.sqlite');
    expect(rows.slice(1)).toEqual(fresh.slice(1));
  });

  it('two sweeps into one file at once both complete and agree on its content', async () => {
    const { plan, text, tape } = await planSweep(config, {
      param: ['channel=10..30:5'],
      feed: [],
      set: [],
    });
    const { data, paper } = tape;
    const outcomes = await Promise.all(
      [1, 2].map(async () => {
        const now = () => performance.now();
        const results = openResults(join(directory, 'shared.sqlite'), plan, { now });
        const engine = createThreadEngine({ plan, text, data }, { threads: 1 });
        const reported = { onProgress: () => {}, isStopped: () => false, warmup: paper.warmup };
        const runFresh = () => Promise.resolve([]);
        const outcome = await runSweep({ plan, data, engine, results, runFresh, ...reported });
        const [{ size }, all] = [results, [...results.outlines()]];
        results.close();
        return { isComplete: outcome.isComplete, size, all };
      }),
    );
    expect(outcomes.map(({ isComplete, size }) => [isComplete, size])).toEqual([
      [true, 5],
      [true, 5],
    ]);
    expect(outcomes[0]!.all).toEqual(outcomes[1]!.all);
    expect(rowsOf('shared.sqlite')).toHaveLength(5);
  });

  test('a file of another sweep, or not a results file, is refused and left unchanged', async () => {
    const other = await sweep('grid.sqlite', '--param', 'channel=10,20');
    expect(other.code).toBe(1);
    expect(other.err).toContain('holds results of another sweep: other parameters');
    await writeFile(join(directory, 'notes.txt'), 'not a database, by far');
    const none = await sweep('notes.txt', ...GRID);
    expect(none.code).toBe(1);
    expect(none.err).toMatch(/notes\.txt.*is not a Trimtab file \(sweep results\)/);
    expect(await readFile(join(directory, 'notes.txt'), 'utf8')).toBe('not a database, by far');
    expect(rowsOf('grid.sqlite')).toHaveLength(6);
  });

  it('a point that fails is a result with its reason; the others run', async () => {
    const { code, out } = await sweep('faults.sqlite', '--param', 'channel=10,1');
    expect(code).toBe(0);
    expect(out).toMatch(/1 point failed: [^]*params\.channel/);
    const [good, bad] = rowsOf('faults.sqlite');
    expect([good!['fault'], bad!['hash']]).toEqual([null, null]);
    expect(bad!['fault']).toContain('channel');
  });

  it('a grid whose first point has parameters that do not fit together runs the others', async () => {
    const plant = `strategies[0].use=${join(root, 'test/backtest/plants/ordersParams.ts')}`;
    const argv = ['--set', plant, '--param', 'fast=20,30', '--param'];
    const { code, out } = await sweep('fit.sqlite', ...argv, 'slow=20,25');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/2 points failed: [^]*slow \(it is 30\)/),
    ]);
    const { code: refused, err } = await sweep('none-fits.sqlite', ...argv, 'slow=15,20');
    expect([refused, err]).toEqual([2, expect.stringContaining('must be below slow (it is 20)')]);
    expect(await readdir(directory)).not.toContain('none-fits.sqlite');
  });

  it('the best points without fills, or with denied intents, are counted below the table', async () => {
    const argv = ['--param', 'channel=10,20', '--set', 'guards.max_order_notional=1'];
    const { code, out } = await sweep('hollow.sqlite', ...argv);
    expect(code).toBe(0);
    expect(out).toContain('2 of these 2 had no fill (column fills of the CSV).');
    expect(out).toContain('2 of these 2 had intents denied (column denied of the CSV).');
    expect(grid.out).not.toContain('had no fill');
  });

  test('a range of the file whose step misses its end is refused too', async () => {
    const file = join(directory, 'missed.yaml');
    await writeFile(file, bot("sweep: { params: { channel: '5..50:10' } }\n"));
    const { code, err } = await runMain('sweep', file, '--out', join(directory, 'missed.sqlite'));
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        'sweep.params.channel: its step 10 misses its end 50: it has 5, 15, 25, 35, 45; end it at 45 or 55.',
      ),
    ]);
  });

  test('a range in a list of a flag is wrong usage, before anything runs', async () => {
    const { code, err } = await sweep('mixed-flag.sqlite', '--param', 'channel=10..30:10,50');
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('list each value instead: 10,20,30,50'),
    ]);
    expect(await readdir(directory)).not.toContain('mixed-flag.sqlite');
  });

  test('a range in a list of the file is refused, too', async () => {
    const file = join(directory, 'mixed.yaml');
    await writeFile(file, bot("sweep: { params: { channel: ['10..30:10', 50] } }\n"));
    const { code, err } = await runMain('sweep', file, '--out', join(directory, 'mixed.sqlite'));
    expect(code).toBe(1);
    expect(err).toContain(
      'sweep.params.channel: it has the range 10..30:10 in a list; list each value instead: 10,20,30,50.',
    );
  });

  test('a value that a list of the file has twice is refused, however it is written', async () => {
    const file = join(directory, 'twice.yaml');
    for (const list of ['[10, 20, 10.0]', "[10, 20, '10.0']"]) {
      await writeFile(file, bot(`sweep: { params: { channel: ${list} } }\n`));
      const { code, err } = await runMain('sweep', file, '--out', join(directory, 'twice.sqlite'));
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/sweep\.params\.channel: it has 10 twice/),
      ]);
    }
  });

  it('a walk-forward ends with the first feed that ends, and says so', async () => {
    const file = join(directory, 'uneven.yaml');
    const ends =
      '    - { symbol: ETH, interval: 1m, generate: { seed: 12, bars: 2000, start_price: 2500 } }\n';
    await writeFile(file, bot().replace('  warmup: 500', `${ends}  warmup: 500`));
    const walk = ['--walk-forward', 'rolling', '--train', '10h', '--test', '5h'];
    const argv = ['--param', 'channel=10', ...walk, '--out', join(directory, 'uneven.sqlite')];
    const { code, err } = await runMain('sweep', file, ...argv);
    expect(code).toBe(0);
    expect(err).toContain(
      'feeds: ETH@1m ends 2025-01-02 09:20 UTC, and BTC@1m 2025-01-03 18:40: the walk-forward ends with the first, 6 windows earlier.',
    );
    const rows = rowsOf('uneven.sqlite');
    expect(rows.map(({ window, part, fault }) => [window, part, fault])).toEqual([
      [0, 'train', null],
      [1, 'train', null],
      [2, 'train', null],
      [0, 'test', null],
      [1, 'test', null],
      [2, 'test', null],
    ]);
  });

  it('ranges and walk-forward from the file; each window tests the best of its training', async () => {
    const file = join(directory, 'walk.yaml');
    const walk = '{ kind: anchored, train_days: 1, test_days: 0.5 }';
    await writeFile(
      file,
      bot(`sweep: { params: { channel: '10..30:10' }, objective: pnl, walk_forward: ${walk} }\n`),
    );
    const argv = ['--out', join(directory, 'walk.sqlite'), '--reports', '1'];
    const { code, out } = await runMain('sweep', file, ...argv);
    expect(code).toBe(0);
    // Of the first window's test, point 7, which its card leads to.
    const reports = join(directory, 'walk-points');
    expect(await readdir(reports)).toEqual(['point-7.html']);
    expect(out).toContain(`\nreports: ${relative(process.cwd(), reports)}\n`);
    expect(await readFile(join(directory, 'walk.html'), 'utf8')).toContain(
      '<a href="walk-points/point-7.html">',
    );
    expect(out).toMatch(/Out of sample: .* over 2 windows/);
    const rows = rowsOf('walk.sqlite');
    // The page's curve and the table's P&L are of the same time: tests begin and end within a day.
    const whole = rows
      .filter(({ part }) => part === 'test')
      .reduce((product, { pnl }) => product * (1 + Number(pnl) / 50_000), 1);
    const page = await readFile(join(directory, 'walk.html'), 'utf8');
    const [, shown] = /([-−\d.]+) % over 2 windows, largest drawdown/.exec(page)!;
    expect(Number(shown!.replace('−', '-'))).toBeCloseTo((whole - 1) * 100, 2);
    expect(rows.map(({ window, part }) => `${window}${part}`)).toEqual([
      '0train',
      '0train',
      '0train',
      '1train',
      '1train',
      '1train',
      '0test',
      '1test',
    ]);
    for (const window of [0, 1]) {
      const of = (part: string) =>
        rows.filter((row) => row['window'] === window && row['part'] === part);
      const best = of('train').toSorted((a, b) => Number(b['pnl']) - Number(a['pnl']))[0]!;
      expect(of('test')[0]!['param_channel']).toBe(best['param_channel']);
    }
  });

  test.each([
    [[], 'There is nothing to sweep'],
    [['--param', 'channel=9..1'], '--param channel=9..1: it decreases from 9 to 1; write', 2],
    [['--param', 'chanel=1,2'], 'unknown key', 2],
    [
      ['--param', 'channel=10..99999', '--param', 'atr_period=2..500'],
      'The grid has 49,895,010 points, and a sweep takes 1,000,000 at most.',
    ],
    [[...GRID, '--walk-forward', 'rolling'], '--walk-forward needs --train and --test', 2],
    [
      [...GRID, '--walk-forward', 'rolling', '--train', '20d', '--test', '5d'],
      'No window of the walk-forward fits: --train 20d and --test 5d need 25d, and 2.43d of the tape',
    ],
    [
      [...GRID, '--walk-forward', 'rolling', '--train', '0.01h', '--test', '5h'],
      '--train (train_days) is 0.01h, no whole number of the longest bars, 1m',
    ],
    [[...GRID, '--train', '3d'], '--train and --test belong to --walk-forward', 2],
    [
      [...GRID, '--engine', 'redis://host'],
      '--engine redis://host is no address of a PostgreSQL',
      2,
    ],
    [[...GRID, '--timerange', 'now'], '--timerange now', 2],
  ])('%s is refused', async (argv, words, exitCode = 1) => {
    const { code, err } = await sweep('refused.sqlite', ...argv);
    expect(code).toBe(exitCode);
    expect(err).toContain(words);
  });
});
