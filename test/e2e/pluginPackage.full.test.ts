import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { botTemplate } from '../../src/cli/project/initTemplates.ts';
import { blocksOf } from '../docs/pages.ts';
import { installPackage, npmEnv, packBuilt, PEERS } from '../installPackage.ts';
import { root } from '../sourceFiles.ts';
import { hashOf, runCli, type CliResult } from './runCli.ts';
import { startRegistry, type Registry } from './startRegistry.ts';

/** The package of the page, published to a registry on this machine, installed from it, and used. */
const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-plugin-package-')));
const bots = join(folder, 'bots');
const source = join(folder, 'my-momentum');
let registry: Registry;
afterAll(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

beforeAll(async () => {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { env: npmEnv });
  registry = await startRegistry(stdout.trim());
  await installPackage(bots, [await packBuilt(folder), ...PEERS.newest]);
  for (const { note, text } of blocksOf('docs/how-to/publish-a-plugin.md')) {
    const [, file] = /^save: (\S+)$/.exec(note) ?? [];
    if (file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  // What the author has installed.
  symlinkSync(join(bots, 'node_modules'), join(source, 'node_modules'), 'junction');
  await publish({});
}, 300_000);

/** Builds and publishes the page's package with other fields. */
async function publish(fields: object): Promise<void> {
  const file = join(source, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...manifest, ...fields }));
  const host = registry.url.replace('http:', '');
  writeFileSync(join(source, '.npmrc'), `${host}/:_authToken=none\n`);
  const PATH = `${join(root, 'node_modules/.bin')}:${npmEnv['PATH']}`;
  const env = { ...npmEnv, PATH };
  await run('npm', ['publish', '--registry', registry.url], { cwd: source, env });
}

async function install(version: string, ...flags: string[]): Promise<void> {
  // What was published lies in npm's own cache.
  const cache = ['--cache', join(folder, 'cache')];
  const args = ['install', `my-momentum@${version}`, '--registry', registry.url, ...cache];
  await run('npm', [...args, ...flags, '--no-audit', '--no-fund'], { cwd: bots, env: npmEnv });
}

function backtest(use: string, more = ''): Promise<CliResult> {
  const bot = botTemplate('s.json').replace('./strategies/firstPlugin.ts', `${use}${more}`);
  writeFileSync(join(bots, 'bot.yaml'), bot);
  const bin = join(bots, 'node_modules/trimtab/bin/trimtab.js');
  return runCli(['backtest', 'bot.yaml', '--no-report'], { cwd: bots, bin });
}

test('it is installed over HTTP, and does what the file does, in a worker too', async () => {
  await install('1.0.0');
  expect(registry.requests).toContain('GET /my-momentum/-/my-momentum-1.0.0.tgz');
  const used = await backtest('my-momentum/strategy');
  expect([used.code, hashOf(used)]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  cpSync(join(source, 'src/strategy.ts'), join(bots, 'own.ts'));
  expect(hashOf(await backtest('./own.ts'))).toBe(hashOf(used));
  const apart = await backtest('my-momentum/strategy', '\n    isolation: worker');
  expect([apart.code, hashOf(apart)]).toEqual([0, hashOf(used)]);
}, 120_000);

test('a test loads it by name, and TypeScript knows its type', async () => {
  const script = `import { loadPlugin, testStrategy } from 'trimtab/testing';
const plugin = await loadPlugin('my-momentum/strategy');
console.log(testStrategy(plugin, { symbols: ['BTC'] }).bars('BTC', '5m', [1, 2]).intents.length);`;
  const args = ['--input-type=module', '--eval', script];
  expect((await run(process.execPath, args, { cwd: bots })).stdout).toBe('0\n');
  const typed = `import type { Strategy } from 'trimtab';
import plugin from 'my-momentum/strategy';
export const mine: Strategy = plugin;
// @ts-expect-error It is no text.
export const text: string = plugin;
`;
  writeFileSync(join(bots, 'typed.ts'), typed);
  const tsc = join(root, 'node_modules/.bin/tsc');
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', ''];
  await run(tsc, [...flags, '--target', 'es2024', 'typed.ts'], { cwd: bots, env: npmEnv });
}, 60_000);

test('an export that it does not have is refused with those that it has', async () => {
  const { code, err } = await backtest('my-momentum/trend');
  expect(code).toBe(1);
  expect(err).toContain('The package my-momentum 1.0.0 exports no ./trend.');
  expect(err).toContain('It exports my-momentum/strategy.');
  expect(err).toContain('TRIMTAB_PLUGIN_NOT_FOUND');
}, 60_000);

test('a version for another trimtab, and one for another contract, are refused with both versions', async () => {
  await publish({ version: '2.0.0', peerDependencies: { trimtab: '^9.0.0' } });
  await install('2.0.0', '--legacy-peer-deps');
  const later = await backtest('my-momentum/strategy');
  expect([later.code, later.out]).toEqual([1, '']);
  expect(later.err).toMatch(
    /The package my-momentum 2\.0\.0 asks for trimtab \^9\.0\.0; this is trimtab \d\S+, with contract 1\./,
  );
  expect(later.err).toContain('npm install trimtab@"^9.0.0"');
  expect(later.err).toContain('TRIMTAB_PLUGIN_VERSION');

  await publish({ version: '3.0.0', peerDependencies: {}, trimtab: { contract: 2 } });
  await install('3.0.0', '--legacy-peer-deps');
  const other = await backtest('my-momentum/strategy');
  expect(other.err).toContain('The package my-momentum 3.0.0 asks for strategy contract 2;');
}, 120_000);
