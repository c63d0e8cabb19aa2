import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../docs/pages.ts';
import {
  COMPILER_OPTIONS,
  compilersOf,
  installPackage,
  manifest,
  npmEnv,
  OLDER_TYPESCRIPT,
  packBuilt,
  PEERS,
} from '../installPackage.ts';
import { root } from '../sourceFiles.ts';
import { hashOf, runCli } from './runCli.ts';

const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-installed-')));
const project = join(folder, 'project');
afterAll(() => rmSync(folder, { recursive: true }));

describe('installed in an empty project', () => {
  beforeAll(async () => {
    const tarball = await packBuilt(folder);
    // `npm init -y` writes the type; plugins are ES modules nevertheless.
    await installPackage(project, [tarball], 'commonjs');
  }, 180_000);

  test('init and run work, with a TypeScript plugin outside node_modules', async () => {
    const bin = join(project, 'node_modules/trimtab/bin/trimtab.js');
    const made = await runCli(['init', '.', '--no-project'], { cwd: project, bin });
    expect(made.code).toBe(0);
    const first = await runCli(['run', 'bot.yaml'], { cwd: project, bin });
    expect(first.err).not.toMatch(/^trimtab:/m);
    expect(first.code).toBe(0);
    expect(hashOf(first)).toMatch(/^[0-9a-f]{64}$/);
    expect(existsSync(join(project, 'reports/first-bot.html'))).toBe(true);
  }, 120_000);

  test('npx finds the command', async () => {
    const { stdout } = await run('npx', ['--no', '--', 'trimtab', '--version'], {
      cwd: project,
      env: npmEnv,
    });
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(stdout.trim()).toBe(version);
  }, 60_000);

  test('an entry for PostgreSQL opens without pg, and says what is missing when it is used', async () => {
    const script = `const { createPostgresReader } = await import('trimtab/postgres');
const { CLAUSE_IDS } = await import('trimtab/conformance');
const said = await createPostgresReader({ url: 'postgres://nowhere.invalid/db' }).catch((error) => error);
console.log(JSON.stringify([CLAUSE_IDS.length > 0, said.code, said.message.split('\\n')]));`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = await run(process.execPath, args, { cwd: project });
    const needs = 'A journal in PostgreSQL needs the package pg, which is not installed.';
    expect(JSON.parse(stdout)).toEqual([true, 'unreachable', [needs, '  npm install pg@8']]);
  }, 60_000);

  test('its types check a plugin: what the service would refuse does not compile', async () => {
    const plugin = `import { launch } from 'trimtab';
export const good = launch.smartexit({
  symbol: 'BTC', side: 'sell', total_size: 1, reduce_only: true, params: { stop_price: 90 },
});
// @ts-expect-error Smart Exit only reduces.
export const bad = launch.smartexit({
  symbol: 'BTC', side: 'sell', total_size: 1, params: { stop_price: 90 },
});
`;
    writeFileSync(join(project, 'typed.ts'), plugin);
    const tsc = join(root, 'node_modules/.bin/tsc');
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];
    await run(tsc, [...flags, '--types', '', 'typed.ts'], { cwd: project, env: npmEnv });
  }, 60_000);
});

describe('tests of a strategy, with Node’s runner and vitest', () => {
  const tests = join(folder, 'tests');
  const page = 'docs/how-to/test-a-strategy.md';

  beforeAll(async () => {
    const tarball = await packBuilt(folder);
    const vitest = `vitest@${manifest.devDependencies.vitest}`;
    await installPackage(tests, [tarball, ...PEERS.newest, vitest, OLDER_TYPESCRIPT], 'commonjs');
    const bin = join(tests, 'node_modules/trimtab/bin/trimtab.js');
    await runCli(['init', '.', '--no-project'], { cwd: tests, bin });
    for (const { note, text } of blocksOf(page)) {
      const [, file] = /^save: (\S+)$/.exec(note) ?? [];
      if (file !== undefined) writeFileSync(join(tests, file), text);
    }
    writeFileSync(join(tests, 'strategies/typed.ts'), TYPED);
  }, 300_000);

  const outputOf = (args: readonly string[]): Promise<string> =>
    run(process.execPath, args, { cwd: tests, env: { ...npmEnv, NODE_OPTIONS: '' } }).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    );

  test('node --test runs those of the page', async () => {
    const out = await outputOf(['--test', '--test-reporter=tap', 'strategies/*.test.mts']);
    expect(out).toContain('# pass 2\n# fail 0');
  }, 60_000);

  test('vitest runs those of init and of the page, and shows what differs', async () => {
    const vitest = join(tests, 'node_modules/vitest/vitest.mjs');
    const file = 'strategies/mine.vitest.test.ts';
    const first = 'strategies/firstPlugin.test.ts';
    expect(await outputOf([vitest, 'run', '--no-color', file, first])).toMatch(/Tests +6 passed/);
    const wrong = readFileSync(join(tests, file), 'utf8').replace('size: 50 }', 'size: 51 }');
    writeFileSync(join(tests, 'strategies/wrong.test.ts'), wrong);
    const out = await outputOf([vitest, 'run', '--no-color', 'strategies/wrong.test.ts']);
    expect(out).toContain('The intents differ at [0].request.size:');
    rmSync(join(tests, 'strategies/wrong.test.ts'));
  }, 120_000);

  test.each(['5.9', '7'] as const)(
    'TypeScript %s checks them, strictly',
    async (version) => {
      const options = { ...COMPILER_OPTIONS, allowImportingTsExtensions: true, skipLibCheck: true };
      const config = { compilerOptions: options, include: ['strategies/*.ts'] };
      writeFileSync(join(tests, 'tsconfig.json'), JSON.stringify(config));
      expect(await outputOf([compilersOf(tests)[version], '--pretty', 'false'])).toBe('');
    },
    120_000,
  );
});

const TYPED = `import { expect } from 'vitest';
import 'trimtab/testing/vitest';
import { testStrategy } from 'trimtab/testing';
import plugin from './firstPlugin.ts';

const bot = testStrategy(plugin, { symbols: ['BTC'] });
for (const intent of bot.intents) {
  if (intent.kind === 'place_order') intent.request.side satisfies 'buy' | 'sell';
}
expect(bot).toEmitIntents([{ kind: 'place_order', request: { side: 'buy' } }]);
// @ts-expect-error There is no such kind.
expect(bot).toEmitIntents([{ kind: 'place_orders' }]);
// @ts-expect-error There is no such interval.
bot.bars('BTC', '7m', [1]);
// @ts-expect-error The service has no such code.
bot.outcome('a', 'rejected', 'nope');
// @ts-expect-error That is no duration.
bot.advance('1 hour');
// @ts-expect-error A strategy owns symbols.
testStrategy(plugin, {});
`;
