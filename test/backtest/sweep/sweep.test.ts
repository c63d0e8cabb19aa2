import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createThreadEngine, openResults, runSweep } from '../../../backtest/index.ts';
import { loadPlanData } from '../../../backtest/sweep/loadPlanData.ts';
import { runMain } from '../../cli/runMain.ts';
import { planSweep } from '../../../src/cli/planSweep.ts';
import { root } from '../../sourceFiles.ts';

let directory: string;
let config: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-sweep-'));
  config = join(directory, 'bot.yaml');
  await writeFile(config, bot());
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const bot = (more = ''): string => `name: swept
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 11, bars: 4000, start_price: 61000 } }
  warmup: 500
  speed: max
  budget_clock: replay
  balance: 50000
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC] }
${more}`;

const GRID = ['--param', 'channel=10..30:10', '--param', 'reward=1,3'];
const sweep = (out: string, ...argv: string[]) =>
  runMain('sweep', config, ...argv, '--out', join(directory, out));

/** A sweep of the plugin whose points end otherwise than points should. */
async function endings(out: string, param: string, ...argv: string[]) {
  const file = join(directory, 'ends.yaml');
  const plant = join(root, 'test/backtest/plants/endsItsThread.ts');
  await writeFile(file, bot().replace(join(root, 'strategies/breakout.ts'), plant));
  return runMain('sweep', file, '--param', param, '--out', join(directory, out), ...argv);
}

function rowsOf(out: string): Array<Record<string, string | number | null>> {
  const db = new DatabaseSync(join(directory, out), { readOnly: true });
  const rows = db.prepare('SELECT * FROM points ORDER BY job').all();
  db.close();
  return rows as Array<Record<string, string | number | null>>;
}

describe('a sweep', { timeout: 120_000 }, () => {
  let grid: Awaited<ReturnType<typeof sweep>>;
  beforeAll(async () => {
    grid = await sweep('grid.sqlite', ...GRID, '--threads', '2');
  }, 120_000);

  test('that no bar of the tape is for is refused before it has a file', async () => {
    const { code, err } = await sweep('miss.sqlite', ...GRID, '--timerange', '20240101-20240201');
    expect(code).toBe(1);
    expect(err).toContain('--timerange ends at 2024-02-01 00:00: BTC can be traded from');
    expect(await readdir(directory)).not.toContain('miss.sqlite');
  });

  test('without a point that ran ends with 1', async () => {
    const plant = `strategies[0].use=${join(root, 'test/backtest/plants/throws.ts')}`;
    const { code, out, err } = await sweep('none.sqlite', '--set', plant, '--param', 'channel=1,2');
    expect([code, out]).toEqual([1, expect.stringContaining('No point ran.')]);
    expect(out).toContain('2 points failed: ');
    expect(err).toContain('No point ran; see above for why.');
  });

  test('has for each point what a backtest with these parameters has', async () => {
    const { code, out, err } = grid;
    expect([code, err.includes('6 of 6 points')]).toEqual([0, true]);
    expect(out).toContain('Probability of backtest overfitting');
    expect(out).toMatch(/The tape has \d whole UTC days, and sharpe needs 7: the P&L ranks/);
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
    expect(page.split('<rect ')).toHaveLength(7);
    // The table's first row is the best by what ranks the points.
    const best = rows.toSorted((a, b) => Number(b['pnl']) - Number(a['pnl']))[0]!;
    expect(out).toMatch(
      new RegExp(`^ *1 +${best['param_channel']} +${best['param_reward']} `, 'm'),
    );
  });

  test('goes on where its results stand, and computes nothing again', async () => {
    await sweep('again.sqlite', ...GRID);
    const path = join(directory, 'again.sqlite');
    const db = new DatabaseSync(path);
    db.exec('DELETE FROM points WHERE job IN (1, 4); UPDATE points SET pnl = 12345 WHERE job = 0');
    db.close();
    const { code } = await sweep('again.sqlite', ...GRID);
    expect(code).toBe(0);
    const rows = rowsOf('again.sqlite');
    expect(rows).toHaveLength(6);
    expect(rows[0]!['pnl']).toBe(12_345);
    const fresh = rowsOf('grid.sqlite');
    expect(rows.slice(1)).toEqual(fresh.slice(1));
  });

  test('two sweeps into one file at once are both whole, and agree on what stands in it', async () => {
    const { plan, tape } = await planSweep(config, {
      param: ['channel=10..30:5'],
      feed: [],
      set: [],
    });
    const { data, paper } = tape;
    const outcomes = await Promise.all(
      [1, 2].map(async () => {
        const results = openResults(join(directory, 'shared.sqlite'), plan);
        const engine = createThreadEngine(plan, { data, threads: 1 });
        const told = { onProgress: () => {}, isStopped: () => false, warmup: paper.warmup };
        const runFresh = () => Promise.resolve([]);
        const outcome = await runSweep({ plan, data, engine, results, runFresh, ...told });
        results.close();
        return outcome;
      }),
    );
    expect(outcomes.map(({ isComplete, results }) => [isComplete, results.size])).toEqual([
      [true, 5],
      [true, 5],
    ]);
    expect(outcomes[0]!.results).toEqual(outcomes[1]!.results);
    expect(rowsOf('shared.sqlite')).toHaveLength(5);
  });

  test('a file of another sweep, or of something else, is refused and left alone', async () => {
    const other = await sweep('grid.sqlite', '--param', 'channel=10,20');
    expect(other.code).toBe(1);
    expect(other.err).toContain('holds the results of another sweep');
    await writeFile(join(directory, 'notes.txt'), 'not a database, by far');
    const none = await sweep('notes.txt', ...GRID);
    expect(none.code).toBe(1);
    expect(none.err).toMatch(/notes\.txt.*is no sweep results of Trimtab's/);
    expect(await readFile(join(directory, 'notes.txt'), 'utf8')).toBe('not a database, by far');
    expect(rowsOf('grid.sqlite')).toHaveLength(6);
  });

  test('a file of a bot whose plugin has changed since is refused, and says which file', async () => {
    const file = join(directory, 'changed.yaml');
    const stock = relative(directory, join(root, 'strategies/breakout.ts'));
    await writeFile(join(directory, 'plugin.ts'), "export { default } from './inner.ts';\n");
    const inner = `export { default } from '${stock}';\n`;
    await writeFile(join(directory, 'inner.ts'), inner);
    await writeFile(file, bot().replace(join(root, 'strategies/breakout.ts'), './plugin.ts'));
    const out = join(directory, 'changed.sqlite');
    const argv = [file, '--param', 'channel=10,20', '--out', out];
    expect((await runMain('sweep', ...argv)).code).toBe(0);
    expect((await runMain('sweep', ...argv)).code).toBe(0);
    const flags = { param: ['channel=10,20'], feed: [], set: [] };
    const { plan } = await planSweep(file, flags);
    const loaded = new Map<string, string>();
    await loadPlanData(plan, loaded);

    await writeFile(join(directory, 'inner.ts'), `${inner}// Changed.\n`);
    const { code, err } = await runMain('sweep', ...argv);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        'holds results of other code: inner.ts (strategy breakout) has changed.\n' +
          '  Name another file with --out, or remove this one.',
      ),
    ]);
    // A worker that has another plugin takes no part, nor one that has loaded the earlier one.
    await expect(loadPlanData(plan)).rejects.toThrow(
      'The code differs here: inner.ts (strategy breakout) has changed',
    );
    const changed = await planSweep(file, flags);
    await expect(loadPlanData(changed.plan, loaded)).rejects.toThrow(
      'inner.ts (strategy breakout) has changed since this process loaded it',
    );
    await expect(loadPlanData(changed.plan)).resolves.toMatchObject({ feeds: [{ symbol: 'BTC' }] });
    const other = { ...changed.plan, sources: [{ name: 'trimtab', digest: '0.0.1' }] };
    await expect(loadPlanData(other)).rejects.toThrow('trimtab had version 0.0.1 and has');
  });

  test('a file of a bot whose plugin’s package was upgraded since is refused, and says which one', async () => {
    const folder = join(directory, 'upgraded');
    const owned = join(folder, 'node_modules/@own/levels');
    await mkdir(owned, { recursive: true });
    const install = (version: string) =>
      writeFile(
        join(owned, 'package.json'),
        JSON.stringify({ name: '@own/levels', version, type: 'module', exports: './main.js' }),
      );
    await install('1.4.0');
    await writeFile(join(owned, 'main.js'), 'export const levels = 3;\n');
    const stock = join(root, 'strategies/breakout.ts');
    const plugin = `// import 'not-installed';\nimport '@own/levels';\nimport 'node:fs';\nexport { default } from '${relative(folder, stock)}';\n`;
    await writeFile(join(folder, 'plugin.ts'), plugin);
    const file = join(folder, 'bot.yaml');
    await writeFile(file, bot().replace(stock, './plugin.ts'));
    const argv = [file, '--param', 'channel=10,20', '--out', join(folder, 'out.sqlite')];
    expect((await runMain('sweep', ...argv)).code).toBe(0);
    expect((await runMain('sweep', ...argv)).code).toBe(0);
    const { plan } = await planSweep(file, { param: ['channel=10,20'], feed: [], set: [] });
    const packages = plan.sources.filter(({ name }) => name.startsWith('package '));
    const named = (name: string, digest: unknown) => ({
      name: `package ${name} (strategy breakout)`,
      digest,
    });
    expect(packages).toEqual([
      named('@own/levels', '1.4.0'),
      ...['rxjs', 'trimtab', 'zod'].map((name) => named(name, expect.stringMatching(/^\d+\./))),
    ]);

    await install('1.5.0');
    const { code, err } = await runMain('sweep', ...argv);
    const words = 'package @own/levels (strategy breakout) had version 1.4.0 and has 1.5.0 now';
    expect([code, err]).toEqual([1, expect.stringContaining(words)]);
    await expect(loadPlanData(plan)).rejects.toThrow(words);
  });

  test('points that a plugin lets know of one another are told, and the command fails', async () => {
    const file = join(directory, 'remembers.yaml');
    const plant = join(root, 'test/backtest/plants/remembersRuns.ts');
    await writeFile(file, bot().replace(join(root, 'strategies/breakout.ts'), plant));
    const out = join(directory, 'remembers.sqlite');
    const argv = [file, '--param', 'size=0.01,0.02,0.03', '--out', out, '--threads', '1'];
    const { code, out: said, err } = await runMain('sweep', ...argv);
    const words = /These results can't be trusted: size=0\.0\d \(and 1 more\) decided otherwise/;
    expect([code, said, err]).toEqual([
      1,
      expect.stringMatching(words),
      expect.stringMatching(words),
    ]);
    expect(await readFile(join(directory, 'remembers.csv'), 'utf8')).toMatch(/^job,/);
    expect(await readFile(join(directory, 'remembers.html'), 'utf8')).toContain('be trusted');
    const walk = [
      '--walk-forward',
      'rolling',
      '--train',
      '12h',
      '--test',
      '12h',
      '--objective',
      'pnl',
    ];
    const other = [...argv.slice(0, 4), join(directory, 'remembers-walk.sqlite'), '--threads', '1'];
    const walked = await runMain('sweep', ...other, ...walk);
    expect([walked.code, walked.out]).toEqual([1, expect.stringMatching(/0\.0\d in window \d/)]);
  });

  test('a point that fails is a result with its reason; the others run', async () => {
    const { code, out } = await sweep('faults.sqlite', '--param', 'channel=10,1');
    expect(code).toBe(0);
    expect(out).toMatch(/1 point failed: [^]*params\.channel/);
    const [good, bad] = rowsOf('faults.sqlite');
    expect([good!['fault'], bad!['hash']]).toEqual([null, null]);
    expect(bad!['fault']).toContain('channel');
  });

  test('a grid whose first point has parameters that do not fit together runs the others', async () => {
    const plant = `strategies[0].use=${join(root, 'test/backtest/plants/ordersParams.ts')}`;
    const argv = ['--set', plant, '--param', 'fast=20,30', '--param'];
    const { code, out } = await sweep('fit.sqlite', ...argv, 'slow=20,25');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/2 points failed: [^]*slow \(it is 30\)/),
    ]);
    const { code: refused, err } = await sweep('none-fits.sqlite', ...argv, 'slow=15,20');
    expect([refused, err]).toEqual([1, expect.stringContaining('must be below slow (it is 20)')]);
    expect(await readdir(directory)).not.toContain('none-fits.sqlite');
  });

  test('a point that ends its thread, or keeps it, is one point; the others run', async () => {
    const { code, out } = await endings('ends.sqlite', 'way=live,exit,linger');
    expect(code).toBe(0);
    expect(out).toContain('1 point failed: It ended its thread, with code 0');
    const rows = rowsOf('ends.sqlite').map(({ param_way: way, hash }) => [way, hash !== null]);
    expect(rows).toEqual([
      ['live', true],
      ['exit', false],
      ['linger', true],
    ]);
  });

  test('a throw outside of every stream ends all threads, then the command, and says so', async () => {
    const { code, err } = await endings('threw.sqlite', 'way=throw,linger', '--threads', '2');
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/thread of the sweep failed: of its own accord/),
    ]);
  });

  test('the best points that had no fill, or intents denied, are counted below them', async () => {
    const argv = ['--param', 'channel=10,20', '--set', 'guards.max_order_notional=1'];
    const { code, out } = await sweep('hollow.sqlite', ...argv);
    expect(code).toBe(0);
    expect(out).toContain('2 of these 2 had no fill (column fills of the CSV).');
    expect(out).toContain('2 of these 2 had intents denied (column denied of the CSV).');
    expect(grid.out).not.toContain('had no fill');
  });

  test('where the funding of its points is from is told once, and what a file leaves out of them', async () => {
    const folder = join(directory, 'funded');
    await mkdir(folder);
    const start = 1_735_689_600_000;
    const settled = [9, 10, 11, 12, 40, 41].map((hour) => `${start + hour * 3_600_000},0.0001`);
    await writeFile(join(folder, 'funding.csv'), `timestamp,funding_rate\n${settled.join('\n')}\n`);
    const file = join(folder, 'bot.yaml');
    const funded = bot().replace('  warmup:', '  funding: { BTC: ./funding.csv }\n  warmup:');
    await writeFile(file, funded);
    const argv = (out: string) => ['--param', 'channel=10,20', '--out', join(folder, out)];
    const { code, err } = await runMain('sweep', file, ...argv('holes.sqlite'));
    const words =
      'Funding of BTC is from its file, 2025-01-01 09:00 to 2025-01-02 17:00 UTC; it lacks';
    expect([code, err.split(words).length - 1]).toEqual([0, 1]);
    expect(await readFile(join(folder, 'holes.html'), 'utf8')).toContain(words);
    // Of what is traded alone: this range is covered.
    const range = ['--timerange', '20250101T09-20250101T12'];
    const covered = await runMain('sweep', file, ...argv('covered.sqlite'), ...range);
    expect([covered.code, covered.err]).toEqual([0, expect.not.stringContaining('lacks')]);
    const page = await readFile(join(folder, 'covered.html'), 'utf8');
    expect(page).toContain('which covers the run.');
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

  test('ranges and walk-forward from the file; each window tests the best of its training', async () => {
    const file = join(directory, 'walk.yaml');
    const walk = '{ kind: anchored, train_days: 1, test_days: 0.5 }';
    await writeFile(
      file,
      bot(`sweep: { params: { channel: '10..30:10' }, objective: pnl, walk_forward: ${walk} }\n`),
    );
    const { code, out } = await runMain('sweep', file, '--out', join(directory, 'walk.sqlite'));
    expect(code).toBe(0);
    expect(out).toMatch(/Out of sample: .* over 2 windows/);
    const rows = rowsOf('walk.sqlite');
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
    [['--param', 'channel=9..1'], '--param channel=9..1: it goes down from 9 to 1; write'],
    [['--param', 'chanel=1,2'], 'unknown key'],
    [
      ['--param', 'channel=10..99999', '--param', 'atr_period=2..500'],
      'The grid has 49,895,010 points, and a sweep takes 1,000,000 at most.',
    ],
    [[...GRID, '--walk-forward', 'rolling'], '--walk-forward needs --train and --test'],
    [
      [...GRID, '--walk-forward', 'rolling', '--train', '20d', '--test', '5d'],
      'No window of the walk-forward fits: --train 20d and --test 5d need 25d, and 2.43d of the tape',
    ],
    [
      [...GRID, '--walk-forward', 'rolling', '--train', '0.01h', '--test', '5h'],
      '--train (train_days) is 0.01h, no whole number of the longest bars, 1m',
    ],
    [[...GRID, '--train', '3d'], '--train and --test belong to --walk-forward'],
    [[...GRID, '--engine', 'redis://host'], '--engine takes the address of a PostgreSQL'],
    [[...GRID, '--timerange', 'now'], '--timerange now'],
  ])('%s is refused', async (argv, words) => {
    const { code, err } = await sweep('refused.sqlite', ...argv);
    expect(code).toBe(1);
    expect(err).toContain(words);
  });
});
