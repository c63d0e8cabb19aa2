import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandFailure } from '../../src/cli/failures/CommandFailure.ts';
import { explainFailure } from '../../src/cli/failures/explainFailure.ts';
import { runMain } from './runMain.ts';
import { schemaText } from '../../src/cli/schema.ts';
import { loadConfig } from '../../src/config/index.ts';
import { root } from '../sourceFiles.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-cli-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('help', () => {
  test.each([[[]], [['--help']], [['help']]])('is shown with examples for %j', async (argv) => {
    const { code, out } = await runMain(...argv);
    expect(code).toBe(0);
    expect(out).toContain('Examples:');
    for (const command of ['run', 'paper', 'init', 'schema'])
      expect(out).toContain(`  ${command} `);
  });

  test.each(['run', 'paper', 'init', 'schema'])('%s --help has examples', async (command) => {
    const { code, out } = await runMain(command, '--help');
    expect(code).toBe(0);
    expect(out).toContain('Examples:');
    expect(out).toContain('--debug');
  });

  test('--version prints the package’s version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await runMain('--version')).toMatchObject({ code: 0, out: `${version}\n` });
  });
});

describe('wrong usage', () => {
  test('a list in several options is taken from each', async () => {
    const more = ['--reason', 'a', '--hand-over', 'BTC', '--hand-over', 'ETH'];
    const { err } = await runMain('promote', join(directory, 'nowhere.yaml'), 'trend', ...more);
    expect(err).toContain('nowhere.yaml');
  });

  test.each([
    [['rnu'], 'Did you mean run?'],
    [['schema', '--outt', 'x'], 'Did you mean --out?'],
    [['run'], "missing required argument 'config'"],
  ])('%j exits with 2 and suggests the intended command', async (argv, words) => {
    const { code, err } = await runMain(...argv);
    expect(code).toBe(2);
    expect(err).toContain(words);
    expect(err).not.toMatch(/^\s+at /m);
  });
});

describe('a faulty configuration', () => {
  test('is reported with place and remedy, exits with 1, and shows no stack', async () => {
    const file = join(directory, 'bot.yaml');
    await writeFile(file, 'nmae: x\n');
    const { code, err } = await runMain('run', file);
    expect(code).toBe(1);
    expect(err).toContain(
      `${file}:1:1: nmae: unknown key. [TRIMTAB_CONFIG_UNKNOWN_KEY]\n  Did you mean name?`,
    );
    expect(err).not.toMatch(/^\s+at /m);
  });

  test('shows its stack with --debug', async () => {
    const { code, err } = await runMain('run', join(directory, 'none.yaml'), '--debug');
    expect(code).toBe(1);
    expect(err).toContain('the file does not exist');
    expect(err).toMatch(/^\s+at /m);
  });
});

describe('failures', () => {
  test('are one message; an unexpected one explains how to see more', () => {
    const plain = explainFailure(
      new CommandFailure('TRIMTAB_DATA_REFUSED', 'No such feed.', 4),
      false,
    );
    expect(plain).toEqual({
      text: 'trimtab: No such feed.\n(TRIMTAB_DATA_REFUSED: docs/errors.md#trimtab_data_refused)\n',
      exitCode: 4,
    });
    const odd = explainFailure(new TypeError('x is undefined'), false);
    expect(odd.text).toBe(
      'trimtab: x is undefined\n(--debug shows where this comes from.)\n' +
        '(TRIMTAB_UNEXPECTED: docs/errors.md#trimtab_unexpected)\n',
    );
    expect(explainFailure('text', false).text).toContain('text');
  });

  test('show their causes on request', () => {
    const error = new Error('outer', { cause: new Error('inner') });
    const { text } = explainFailure(error, true);
    expect(text).toMatch(/Error: outer\n\s+at .*[^]*Caused by: Error: inner\n\s+at /);
  });
});

describe('schema', () => {
  test('the committed schema is the one that the code makes', async () => {
    const committed = await readFile('configs/trimtab.schema.json', 'utf8');
    const isSame = committed === schemaText();
    expect(isSame, 'run: trimtab schema --out configs/trimtab.schema.json').toBe(true);
  });

  test('is printed, or written where --out says', async () => {
    expect((await runMain('schema')).out).toBe(schemaText());
    const file = join(directory, 'a/b.json');
    expect((await runMain('schema', '--out', file)).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(schemaText());
  });

  test('every key of every section has a description', () => {
    interface Node {
      properties?: Record<string, Node>;
      description?: string;
      [key: string]: unknown;
    }
    const silent: string[] = [];
    const walk = (node: Node, path: string): void => {
      for (const [key, held] of Object.entries(node.properties ?? {})) {
        const isSection = held.properties !== undefined || key === 'kind';
        if (held.description === undefined && !isSection) silent.push(`${path}.${key}`);
      }
      for (const [key, held] of Object.entries(node)) {
        if (typeof held === 'object' && held !== null) walk(held as Node, `${path}.${key}`);
      }
    };
    walk(JSON.parse(schemaText()) as Node, '');
    // The dialect's own changes of endpoints are described where the record stands.
    expect(silent.filter((path) => !path.includes('.endpoints.'))).toEqual([]);
  });
});

describe('init', () => {
  const PROJECT = [
    '.gitignore',
    '.vscode/launch.json',
    'README.md',
    'bot.yaml',
    'package.json',
    'strategies/firstPlugin.test.ts',
    'strategies/firstPlugin.ts',
    'tsconfig.json',
  ];
  const filesIn = async (dir: string): Promise<string[]> => {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map((entry) => relative(dir, join(entry.parentPath, entry.name))).sort();
  };

  test('writes a project: a bot that loads, and a plugin of under 40 lines', async () => {
    const dir = join(directory, 'my-bot');
    const { code, out } = await runMain('init', dir);
    expect(code).toBe(0);
    expect(out).toContain(`cd ${dir}\n  npm install\n  npm test`);
    expect(await filesIn(dir)).toEqual(PROJECT);
    const loaded = await loadConfig(join(dir, 'bot.yaml'), { env: {} });
    expect(loaded).toMatchObject({ ok: true, config: { name: 'first-bot' } });
    const plugin = join(dir, 'strategies/firstPlugin.ts');
    expect((await readFile(plugin, 'utf8')).split('\n').length).toBeLessThanOrEqual(40);
  });

  test('names the packages that the files import, and itself as this clone', async () => {
    await runMain('init', join(directory, 'My Bot!'));
    const text = await readFile(join(directory, 'My Bot!/package.json'), 'utf8');
    const own = JSON.parse(text) as Record<'dependencies' | 'devDependencies', object>;
    expect(own).toMatchObject({ name: 'my-bot', private: true, type: 'module' });
    expect(Object.keys(own.dependencies)).toEqual(['rxjs', 'trimtab', 'zod']);
    expect(Object.keys(own.devDependencies)).toEqual(['@types/node', 'typescript', 'vitest']);
    const { trimtab } = own.dependencies as { trimtab: string };
    expect(resolve(directory, 'My Bot!', trimtab.replace(/^file:/, ''))).toBe(root);
  });

  test('does not name a project as one of its packages', async () => {
    await runMain('init', join(directory, 'trimtab'));
    const text = await readFile(join(directory, 'trimtab/package.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ name: 'trimtab-bot' });
  });

  test('--no-project writes the bot alone, with the schema of this package', async () => {
    await writeFile(join(directory, 'package.json'), '{}');
    const { code, out } = await runMain('init', directory, '--no-project');
    expect(code).toBe(0);
    expect(out).toContain(`trimtab run ${join(directory, 'bot.yaml')}`);
    const bot = PROJECT.filter((file) => /^bot|^strategies/.test(file));
    expect(await filesIn(directory)).toEqual(['package.json', ...bot].sort());
    const [first] = (await readFile(join(directory, 'bot.yaml'), 'utf8')).split('\n');
    const path = first!.split('$schema=')[1]!;
    expect(await readFile(join(directory, path), 'utf8')).toBe(schemaText());
  });

  test.each(PROJECT)('refuses to overwrite %s, and then writes nothing', async (file) => {
    await mkdir(dirname(join(directory, file)), { recursive: true });
    await writeFile(join(directory, file), 'mine');
    const { code, err } = await runMain('init', directory);
    expect(code).toBe(1);
    expect(err).toContain(`${file} exists already, and nothing was written`);
    // A bot fits into a project that is there, but not over a bot.
    expect(err.includes('--no-project')).toBe(!/^bot|^strategies/.test(file));
    expect(await readFile(join(directory, file), 'utf8')).toBe('mine');
    expect(await filesIn(directory)).toEqual([file]);
  });

  test.each(['bot', 'my-bot'])('a second one in %s has another directory named', async (name) => {
    const path = join(directory, name);
    await runMain('init', path);
    const { err } = await runMain('init', path);
    const [, other] = /Name another directory: trimtab init (\S+)/.exec(err)!;
    expect(other).toMatch(/^my-/);
    expect(other).not.toBe(name);
  });

  test('names all that is there, and offers no bot beside a project if there is one', async () => {
    for (const file of ['package.json', 'README.md'])
      await writeFile(join(directory, file), 'mine');
    const project = await runMain('init', directory);
    const both = ['package.json', 'README.md'].map((file) => join(directory, file));
    expect(project.err).toContain(`${both.join(' and ')} exist already, and nothing was written`);
    expect(project.err).toContain('--no-project');
    await writeFile(join(directory, 'bot.yaml'), 'mine');
    const bot = await runMain('init', directory);
    expect(bot.err).toContain(`${join(directory, 'bot.yaml')} and `);
    expect(bot.err).not.toContain('--no-project');
  });

  test.each([
    ['.Hidden', 'hidden'],
    ['_own-', 'own'],
    ['node_modules', 'my-bot'],
    ['日本', 'my-bot'],
    ['a'.repeat(210), 'a'.repeat(200)],
  ])('in a folder %s is named as npm accepts it', async (folder, name) => {
    await runMain('init', join(directory, folder));
    const text = await readFile(join(directory, folder, 'package.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ name });
  });

  test('keeps out of a repository what holds secrets, or what runs write', async () => {
    await runMain('init', directory);
    const lines = (await readFile(join(directory, '.gitignore'), 'utf8')).split('\n');
    const secret = ['sweep.key', '.env', '.env.*', 'secrets/', '*.secret', '*.pem'];
    const written = ['node_modules/', 'var/', '*.sqlite', '*.sqlite-*', 'reports/', 'recordings/'];
    expect(lines).toEqual(expect.arrayContaining([...secret, ...written]));
  });

  test('names a file that is where its directory has to be', async () => {
    const taken = join(directory, 'taken');
    await writeFile(taken, 'a note');
    for (const dir of [taken, join(taken, 'below')]) {
      const { code, err } = await runMain('init', dir);
      expect(code).toBe(1);
      expect(err).toContain("can't be written: a file is where a directory has to be");
      expect(err).toContain('TRIMTAB_OUTPUT_UNWRITABLE');
    }
  });
});

test('the demo and the live example pass the loader', async () => {
  expect(await loadConfig('configs/demo.yaml', { env: {} })).toMatchObject({ ok: true });
  const env = { TRIMTAB_KEY_ID: 'vk_x', TRIMTAB_SECRET: 'vs_x' };
  const live = await loadConfig('configs/live.example.yaml', { env, allowLive: true });
  expect(live).toMatchObject({ ok: true });
});

test('a command leaves no listener on the output, however it ends', async () => {
  await runMain('--help');
  const before = process.stdout.listenerCount('error');
  const ends = [['--help'], ['none'], ['init', '--none'], ['replay', join(directory, 'none')]];
  const codes: number[] = [];
  for (const argv of ends) codes.push((await runMain(...argv)).code);
  expect(codes.map((code) => code > 0)).toEqual([false, true, true, true]);
  expect(process.stdout.listenerCount('error')).toBe(before);
});
