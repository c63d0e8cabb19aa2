import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runMain } from '../../cli/runMain.ts';
import { root } from '../../sourceFiles.ts';
import { bot, directory, GRID, sweep, useSweepFolder } from './sweepFolder.ts';

useSweepFolder();

/** No server answers there: what is wrong is found before it is asked. */
const NOWHERE = 'postgres://bot:hunter2@127.0.0.1:1/none';
const KEY = 'A'.repeat(43);
const at = (name: string): string => join(directory, name);
const run = (...argv: string[]) => {
  const flags = ['--engine', NOWHERE, '--key', at('sweep.key'), '--out', at('bad.sqlite')];
  return runMain('sweep', at('packed.yaml'), ...GRID, ...flags, ...argv);
};
beforeAll(async () => {
  await writeFile(at('file.txt'), 'a file');
  // A bot whose code can be packed: its plugin is beside it.
  await mkdir(at('node_modules'));
  await symlink(root, at('node_modules/trimtab'), 'junction');
  for (const name of ['rxjs', 'zod'])
    await symlink(join(root, 'node_modules', name), at(`node_modules/${name}`), 'junction');
  const plugin = join(root, 'strategies/breakout.ts');
  await copyFile(plugin, at('breakout.ts'));
  await writeFile(at('packed.yaml'), bot().replace(plugin, './breakout.ts'));
});

describe('an option of a sweep that can not be used', () => {
  test.each([
    ['--shard', '4/3', "argument '4/3' is invalid. Its number is 4; they go from 1 to 3."],
    ['--shard', 'x/y', "argument 'x/y' is invalid. It is not NUMBER/COUNT, such as 3/16."],
    ['--within', 'soon', "argument 'soon' is invalid. It takes minutes, hours or days: 30min"],
  ])('%s %s is wrong usage, with what is possible', async (flag, value, words) => {
    const { code, err } = await sweep('bad.sqlite', ...GRID, flag, value);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });

  test('--serve at a port in use says which, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, err } = await run('--serve', address);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        `--serve ${address} can't be used: .*in use.*\\n  Name an address of this machine, with a port`,
      ),
    ]);
  });

  test('--serve ends with a sweep whose database does not answer', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => void free.close(resolve));
    const { code, err } = await run('--serve', `127.0.0.1:${port}`);
    expect(code).toBe(1);
    expect(err).toContain('Code and data for workers are at');
    const next = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void next.close());
    await once(next, 'listening');
  });

  test('--content below a folder that is missing makes none: a share may not be mounted', async () => {
    const url = pathToFileURL(at('unmounted/sweeps')).href;
    const { code, err } = await run('--content', url);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`there is no folder ${at('unmounted')}.\n  Make or mount it.`),
    ]);
    expect(existsSync(at('unmounted'))).toBe(false);
  });

  test.each([
    ['--content', 'addresses.json', 2, /--content .*addresses\.json can't be read: ENOENT/],
    ['--pack', 'file.txt', 1, /--pack: .*file\.txt can't be written: EEXIST.*\n {2}Name a folder/],
  ])('%s %s is refused in words', async (flag, name, exit, words) => {
    const value = flag === '--content' ? pathToFileURL(at(name)).href : at(name);
    const { code, err } = await run(flag, value);
    expect([code, err]).toEqual([exit, expect.stringMatching(words)]);
  });

  test('--pack without a name writes nothing', async () => {
    const { code, err } = await run('--pack', '');
    expect([code, err]).toEqual([2, expect.stringContaining('--pack takes a folder, such as')]);
  });

  test('--engine of another kind is named without its password', async () => {
    const { code, err } = await sweep('other.sqlite', ...GRID, '--engine', 'redis://a:hunter2@b/c');
    const words = '--engine redis://…@b/c is no address of a PostgreSQL, such as postgres://';
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    expect(err).not.toContain('hunter2');
  });

  test.each([
    ['--cache', 'file.txt', 'is not a folder.\n  Name a folder.'],
    ['--config', 'none.yaml', 'does not exist.\n  Name a configuration.'],
  ])('%s of a worker is looked at before it waits for sweeps', async (flag, name, words) => {
    const argv = ['--engine', NOWHERE, '--trust', KEY, flag, at(name)];
    const { code, err } = await runMain('worker', ...argv);
    expect([code, err]).toEqual([2, expect.stringContaining(`${flag} ${at(name)} ${words}`)]);
  });

  test('--cache of a worker has no effect with --config, and is refused', async () => {
    const argv = ['--engine', NOWHERE, '--trust', KEY, '--config', at('packed.yaml')];
    const { code, err } = await runMain('worker', ...argv, '--cache', at('cache'));
    expect([code, err]).toEqual([2, expect.stringContaining('cannot be used with option')]);
  });

  test.each(['none.sqlite', '.'])('--merge %s names it, and what belongs there', async (name) => {
    const { code, err } = await runMain('sweep', '--merge', name);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^trimtab: \S+ (does not exist|is not a file)\.\n {2}Give results files/,
      ),
    ]);
  });

  test('a status of what only has the name of a results file is refused as such', async () => {
    await writeFile(at('text.sqlite'), 'hello');
    const { code, err } = await runMain('status', at('text.sqlite'));
    expect([code, err]).toEqual([
      3,
      expect.stringMatching(/text\.sqlite is not a results file: .*\n {2}Give results files/),
    ]);
  });
});
