import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../sourceFiles.ts';

/** What is loaded when it is used: each start costs only what it needs. */
const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-loaded-')));
const out = join(folder, 'loaded.txt');
const bin = join(root, 'bin/trimtab.js');
afterAll(() => rmSync(folder, { recursive: true }));

/** Notes the address of every module that the process and its threads load. */
const HOOK = `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    appendFileSync(${JSON.stringify(out)}, url + '\\n');
    return next(url, context);
  },
});
`;

const dist = join(root, 'dist');
/** Where a module's code begins in a chunk. */
const MODULE = /^\/\/ ((?:src|backtest)\/\S+\.js)$/gm;

/** The file itself, or the modules that a build joined in it, as paths below `dist`. */
function modulesIn(file: string): string[] {
  if (!file.startsWith(join(dist, 'src/chunks') + sep)) return [file];
  const modules = [...readFileSync(file, 'utf8').matchAll(MODULE)];
  return modules.map(([, module]) => join(dist, module!));
}

/** Paths of the modules that the process and its threads load. */
async function loadedBy(args: readonly string[], exitCode = 0): Promise<string[]> {
  writeFileSync(out, '');
  const hook = pathToFileURL(join(folder, 'hook.mjs')).href;
  const ended = await run(process.execPath, ['--import', hook, ...args], { cwd: folder }).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  );
  expect(ended.code, ended.stderr).toBe(exitCode);
  return readFileSync(out, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .flatMap((url) => modulesIn(fileURLToPath(url)));
}

const importing = (entry: string): string[] => {
  const { href } = pathToFileURL(join(root, 'dist/src', entry));
  return ['--input-type=module', '--eval', `await import(${JSON.stringify(href)});`];
};

const ofPostgres = (file: string): boolean =>
  /[\\/]postgres[\\/.]|[\\/]createPostgres\w+\.js$|[\\/]node_modules[\\/]pg[\\/]/.test(file);
const ofConformance = (file: string): boolean =>
  /[\\/]dist[\\/]src[\\/]conformance[\\/.]/.test(file);
const optional = (files: readonly string[]): string[] =>
  files.filter((file) => ofPostgres(file) || ofConformance(file));

beforeAll(async () => {
  writeFileSync(join(folder, 'hook.mjs'), HOOK);
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(root, join(modules, 'trimtab'), 'junction');
  for (const name of ['rxjs', 'zod'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  await run(process.execPath, [bin, 'init', '.'], { cwd: folder });
}, 60_000);

test('chunks take from each other by full names, so that a replaced one gives no other function', () => {
  const chunks = readdirSync(join(dist, 'src/chunks'));
  expect(chunks.length).toBeGreaterThan(50);
  const letters = chunks.flatMap((file) => {
    const text = readFileSync(join(dist, 'src/chunks', file), 'utf8');
    const taken = [...text.matchAll(/^import \{([^}]*)\} from "\.\//gm)].map(([, names]) => names!);
    return taken.filter((names) => /(?:^|,) \w( as \w+)?[ ,]/.test(names)).map(() => file);
  });
  expect(letters).toEqual([]);
});

describe('nothing of PostgreSQL or of the conformance checks is loaded by', () => {
  test.each([
    ['trimtab', importing('index.js')],
    ['trimtab/service', importing('service.js')],
    ['trimtab/testing', importing('testing.js')],
    ['trimtab --help', [bin, '--help']],
    ['trimtab check', [bin, 'check', 'bot.yaml']],
    ['trimtab run with a journal in SQLite', [bin, 'run', 'bot.yaml', '--journal', 'bot.sqlite']],
  ])(
    '%s',
    async (_name, args) => {
      const files = await loadedBy(args);
      expect(files.filter((file) => file.includes(join('dist', 'src'))).length).toBeGreaterThan(0);
      expect(optional(files)).toEqual([]);
    },
    120_000,
  );
});

describe('modules that are loaded on demand', () => {
  test('trimtab/conformance brings the checks, and nothing of PostgreSQL', async () => {
    const files = await loadedBy(importing('conformance.js'));
    expect(files.some(ofConformance)).toBe(true);
    expect(files.filter(ofPostgres)).toEqual([]);
  });

  test('trimtab/postgres loads pg with the first connection, not before', async () => {
    const files = await loadedBy(importing('postgres.js'));
    expect(files.some((file) => file.endsWith('createPostgresStore.js'))).toBe(true);
    expect(files.filter((file) => file.includes(join('node_modules', 'pg')))).toEqual([]);
    expect(files.filter(ofConformance)).toEqual([]);
  });

  test('trimtab/testing loads the bench and the paper service with the first call, not before', async () => {
    const files = await loadedBy(importing('testing.js'));
    const heavy = files.filter((file) => /[\\/](paper|operate|directLink|runtime)[\\/]/.test(file));
    expect(heavy).toEqual([]);
  });

  test('a backtest that connects to nothing and logs nothing loads nothing that does', async () => {
    const files = await loadedBy([bin, 'backtest', 'bot.yaml', '--no-report']);
    expect(files.some((file) => file.endsWith('runLoadedBacktest.js'))).toBe(true);
    expect(files.filter((file) => /node_modules[\\/](ws|undici|pg|pino)[\\/]/.test(file))).toEqual(
      [],
    );
  }, 120_000);

  test.each([
    ["a bot's status", ['status', 'live.yaml'], 3, 'status.js'],
    ['the version', ['--version'], 0, 'main.js'],
  ] as const)(
    '%s needs nothing of backtests, reports or the paper service',
    async (_name, args, exitCode, expected) => {
      const files = await loadedBy([bin, ...args], exitCode);
      const own = files.filter((file) => file.startsWith(join(root, 'dist')));
      expect(own.some((file) => file.endsWith(expected))).toBe(true);
      expect(own.filter((file) => /[\\/](backtest|report|algos)[\\/]/.test(file))).toEqual([]);
    },
  );

  test('a journal at a PostgreSQL address brings its reader', async () => {
    const address = 'postgres://nobody@127.0.0.1:1/none?sslmode=disable';
    const files = await loadedBy([bin, 'journal', 'list', address], 1);
    expect(files.filter(ofPostgres)).not.toEqual([]);
  });
});
