import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPackage, npmEnv, packBuilt } from '../installPackage.ts';
import { root } from '../sourceFiles.ts';
import { hashOf, runCli } from './runCli.ts';

const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-package-')));
const project = join(folder, 'project');
let tarball = '';
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  tarball = await packBuilt(folder);
}, 60_000);

describe('the package', () => {
  test('publint has nothing to say', async () => {
    const data = await readFile(tarball);
    const { messages } = await publint({ pack: { tarball: toArrayBuffer(data) }, strict: true });
    expect(messages).toEqual([]);
  });

  test('its types resolve for every ESM consumer', async () => {
    const data = createPackageFromTarballData(new Uint8Array(await readFile(tarball)));
    const result = await checkPackage(data);
    // The package is ESM only: what a CommonJS consumer sees is not promised.
    const problems = (result.types === false ? [{ kind: 'NoTypes' }] : result.problems).filter(
      (problem) =>
        !('resolutionKind' in problem) ||
        !['node10', 'node16-cjs'].includes(String(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });

  test('carries what runs and nothing of the workshop', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball]);
    const files = stdout.trim().split('\n');
    expect(files).toContain('package/bin/trimtab.js');
    expect(files).toContain('package/LICENSE');
    const pages = files.filter((file) => file.startsWith('package/docs/')).sort();
    expect(pages).toEqual(['package/docs/errors.md', 'package/docs/fees.md']);
    // A map without its source leads a debugger nowhere.
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    // Types are for who imports an entry; the commands and the bench have none.
    const ofCommands = /\/dist\/(backtest|src\/cli)\/.*\.d\.ts$/;
    expect(files.filter((file) => ofCommands.test(file))).toEqual([]);
    const { sideEffects } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      sideEffects: string[];
    };
    const acting = sideEffects.map((file) => file.replace('./', 'package/'));
    expect(files).toEqual(expect.arrayContaining(acting));
    expect(files.filter((file) => /\/(test|node_modules|var|reports|\.ci)\//.test(file))).toEqual(
      [],
    );
  });
});

test('what src has no more is not packed', async () => {
  const copy = join(folder, 'copy');
  mkdirSync(join(copy, 'src'), { recursive: true });
  const configs = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.types.json'];
  for (const file of ['package.json', 'build.js', ...configs])
    copyFileSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  // In place of the sources, what is built at once.
  for (const entry of ['index', 'service'])
    writeFileSync(join(copy, `src/${entry}.ts`), 'export {};\n');
  mkdirSync(join(copy, 'dist/src'), { recursive: true });
  for (const file of ['removed.js', 'removed.d.ts'])
    writeFileSync(join(copy, 'dist/src', file), '');
  await run('npm', ['pack', '--pack-destination', copy], { cwd: copy, env: npmEnv });
  const packed = readdirSync(copy).find((file) => file.endsWith('.tgz'))!;
  const { stdout } = await run('tar', ['-tzf', join(copy, packed)]);
  const built = stdout.split('\n').filter((file) => file.startsWith('package/dist/'));
  const files = ['index.d.ts', 'index.js', 'service.d.ts', 'service.js'];
  expect(built.sort()).toEqual(files.map((file) => `package/dist/src/${file}`));
}, 120_000);

describe('installed in an empty project', () => {
  beforeAll(async () => {
    // `npm init -y` writes the type; plugins are ES modules nevertheless.
    await installPackage(project, [tarball], 'commonjs');
  }, 180_000);

  test('init and run work, with a TypeScript plugin outside node_modules', async () => {
    const bin = join(project, 'node_modules/trimtab/bin/trimtab.js');
    const made = await runCli(['init', '.'], { cwd: project, bin });
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

  test('its types hold a plugin: what the service would refuse does not compile', async () => {
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

function toArrayBuffer(data: Buffer): ArrayBuffer {
  return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
}
