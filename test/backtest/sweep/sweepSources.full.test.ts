import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadPlanData } from '../../../backtest/sweep/loadPlanData.ts';
import { runMain } from '../../cli/runMain.ts';
import { planSweep } from '../../../src/cli/sweep/planSweep.ts';
import { root } from '../../sourceFiles.ts';

import { bot, directory, endings, rowsOf, useSweepFolder } from './sweepFolder.ts';

useSweepFolder();

describe('a sweep', { timeout: 120_000 }, () => {
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
    await loadPlanData(plan);

    await writeFile(join(directory, 'inner.ts'), `${inner}// Changed.\n`);
    const { code, err } = await runMain('sweep', ...argv);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(
        'holds results of other code: inner.ts (strategy breakout) has changed.\n' +
          '  Name another file with --out, or remove this one.',
      ),
    ]);
    // A worker with another plugin takes no part.
    await expect(loadPlanData(plan)).rejects.toThrow(
      'The code differs here: inner.ts (strategy breakout) has changed',
    );
    const changed = await planSweep(file, flags);
    await expect(loadPlanData(changed.plan)).resolves.toMatchObject({
      data: { feeds: [{ symbol: 'BTC' }] },
    });
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

  test('points that share state through a plugin are reported, and the command fails', async () => {
    const file = join(directory, 'remembers.yaml');
    const plant = join(root, 'test/backtest/plants/remembersRuns.ts');
    await writeFile(file, bot().replace(join(root, 'strategies/breakout.ts'), plant));
    const out = join(directory, 'remembers.sqlite');
    const argv = [file, '--param', 'size=0.01,0.02,0.03', '--out', out, '--threads', '1'];
    const { code, out: said, err } = await runMain('sweep', ...argv);
    const words = /These results can't be trusted: size=0\.0\d \(and 1 more\) decided differently/;
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

  test('a point that ends or blocks its thread fails alone; the others run', async () => {
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

  test('a plugin’s exception outside every stream fails its point alone, with its message', async () => {
    const { code, out } = await endings('threw.sqlite', 'way=throw,linger', '--threads', '2');
    expect([code, out]).toEqual([0, expect.stringMatching(/1 point failed: .*of its own accord/)]);
    const rows = rowsOf('threw.sqlite').map(({ param_way: way, hash }) => [way, hash !== null]);
    expect(rows).toEqual([
      ['throw', false],
      ['linger', true],
    ]);
  });

  test('the source of funding is reported once, with what a file does not cover', async () => {
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
});
