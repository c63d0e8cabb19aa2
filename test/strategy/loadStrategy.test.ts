import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PluginFault } from '../../src/strategy/index.ts';

/**
 * Real files and a process of its own, whose loader hooks affect no other test. The folder lies inside the
 * project, so that plugins find 'trimtab'.
 */
const root = resolve(import.meta.dirname, '../..');
let folder = '';
let loader: ChildProcess;

beforeAll(() => {
  mkdirSync(join(root, 'var'), { recursive: true });
  folder = mkdtempSync(join(root, 'var', 'plugins-'));
  loader = fork(join(import.meta.dirname, 'loadPlugins.ts'), { cwd: root });
});
afterAll(() => {
  loader.kill();
  rmSync(folder, { recursive: true, force: true });
});

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

type Answer = { ok: true; name: string; params: unknown } | { ok: false; fault: PluginFault };

async function load(use: string, params: object = {}): Promise<Answer> {
  const answer = once(loader, 'message');
  loader.send({ use, baseDir: folder, params });
  const [loaded] = (await answer) as [Answer];
  return loaded;
}

async function faultOf(use: string, params?: object): Promise<PluginFault> {
  const answer = await load(use, params);
  if (answer.ok) throw new Error('It was loaded.');
  return answer.fault;
}

const plugin = (extra = '', body = '') => `
import { NEVER } from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from 'trimtab';
${body}
export default defineStrategy({
  name: 'sample',
  contract: 1,
  description: 'A sample.',
  scopes: ['trade'],
  params: z.object({ period: z.int().min(2).default(20), side: z.enum(['long', 'short']).default('long') }),
  setup: () => NEVER,
  ${extra}
});
`;

describe('a plugin is loaded', () => {
  test('straight from TypeScript source, its defaults filled in', async () => {
    write({ 'plain.ts': plugin() });
    const params = { period: 20, side: 'long' };
    expect(await load('./plain.ts')).toEqual({ ok: true, name: 'sample', params });
  });

  test('from JavaScript, by an absolute path', async () => {
    write({ 'plain.mjs': plugin() });
    expect(await load(join(folder, 'plain.mjs'))).toMatchObject({ ok: true });
  });

  test('with an enum, a parameter property and an import without its ending', async () => {
    write({
      'modern/half.ts': 'export const half = 10;',
      'modern/enums.ts': plugin(
        'version: String(Kind.Trend) + new Named("x").name + half,',
        `import { half } from './half';
         enum Kind { Trend }
         class Named { constructor(readonly name: string) {} }`,
      ),
      'enums.ts': plugin('', 'enum Kind { Trend } void Kind.Trend;'),
      'endless.ts': plugin('', "import { half } from './modern/half'; void half;"),
    });
    expect(await load('./endless.ts')).toMatchObject({ ok: true });
    expect(await load('./modern/enums.ts')).toMatchObject({ ok: true });
    expect(await load('./enums.ts')).toMatchObject({ ok: true });
  });

  test('as a module with its helpers where package.json says commonjs, as npm init writes it', async () => {
    write({
      'common/package.json': '{ "type": "commonjs" }',
      'common/half.ts': 'export const half = 10;',
      'common/plain.ts': plugin('version: String(half),', "import { half } from './half.ts';"),
      'common/plain.js': plugin(),
      'common/enums.ts': plugin('', 'enum Kind { Trend } void Kind.Trend;'),
    });
    // A separate package.json makes this another project, where trimtab is a dependency.
    mkdirSync(join(folder, 'common/node_modules'));
    symlinkSync(root, join(folder, 'common/node_modules/trimtab'));
    for (const file of ['plain.ts', 'plain.js', 'enums.ts']) {
      expect(await load(`./common/${file}`), file).toMatchObject({ ok: true, name: 'sample' });
    }
  });

  test.each([
    ['module.exports', 'module.exports = strategy;'],
    ['exports.default', 'exports.default = strategy; exports.other = 1;'],
    [
      'what a compiler writes',
      'Object.defineProperty(exports, "__esModule", { value: true }); exports.default = strategy;',
    ],
  ])('from CommonJS: %s', async (name, assigns) => {
    const file = `${name.replaceAll(/\W/g, '')}.cjs`;
    const text = plugin()
      .replaceAll(/import (.*) from (.*);/g, 'const $1 = require($2);')
      .replace('export default', 'const strategy =');
    write({ [file]: `${text}\n${assigns}\n` });
    expect(await load(`./${file}`)).toMatchObject({ ok: true, name: 'sample' });
  });

  test('from a package, in TypeScript or exported for import only', async () => {
    const manifest = (name: string, exports: unknown) =>
      JSON.stringify({ name, version: '1.0.0', type: 'module', exports });
    write({
      'node_modules/trimtab-a/package.json': manifest('trimtab-a', './index.ts'),
      'node_modules/trimtab-a/index.ts': plugin(),
      'node_modules/trimtab-b/package.json': manifest('trimtab-b', { import: './main.js' }),
      'node_modules/trimtab-b/main.js': plugin(),
    });
    symlinkSync(root, join(folder, 'node_modules/trimtab'));
    expect(await load('trimtab-a')).toMatchObject({ ok: true });
    expect(await load('trimtab-b')).toMatchObject({ ok: true });
  });

  test('from an export of a package, by its import conditions', async () => {
    write({
      'node_modules/trimtab-c/package.json': JSON.stringify({
        name: 'trimtab-c',
        version: '1.0.0',
        type: 'module',
        exports: { './strategy': { types: './s.d.ts', import: './lib/s.js', require: './no.cjs' } },
        peerDependencies: { trimtab: '^0.1.0' },
        trimtab: { contract: 1 },
      }),
      'node_modules/trimtab-c/lib/s.js': plugin(),
      'node_modules/@me/bots/package.json': '{ "name": "@me/bots", "version": "2.0.0" }',
      'node_modules/@me/bots/trend.js': plugin(),
    });
    expect(await load('trimtab-c/strategy')).toMatchObject({ ok: true });
    expect(await load('@me/bots/trend')).toMatchObject({ ok: true });
  });

  test("made by another copy of the package's defineStrategy", async () => {
    const foreign = `
      import { NEVER } from 'rxjs';
      import { z } from 'zod';
      export default { [Symbol.for('trimtab.strategy')]: true, name: 'foreign', contract: 1,
        description: 'Made elsewhere.', scopes: [], params: z.object({}), setup: () => NEVER };`;
    write({ 'foreign.ts': foreign });
    expect(await load('./foreign.ts')).toMatchObject({ ok: true, name: 'foreign' });
  });
});

test('the strategies of this project load as plugins, their defaults filled in', async () => {
  for (const file of ['emaTrend', 'bollingerReversion', 'breakout']) {
    const answer = await load(join(root, 'strategies', `${file}.ts`));
    expect(answer).toMatchObject({ ok: true, params: { interval: '5m' } });
  }
});

describe('a plugin is refused with its file, its place and a remedy', () => {
  test('no such file, with the likely one', async () => {
    write({ 'near/emaTrend.ts': plugin(), 'near/other.ts': plugin() });
    expect(await faultOf('./near/emaTrend.js')).toEqual({
      code: 'TRIMTAB_PLUGIN_NOT_FOUND',
      file: 'near/emaTrend.js',
      reason: 'There is no such file.',
      remedy: 'Did you mean emaTrend.ts?',
    });
    expect((await faultOf('./near/xyz.ts')).remedy).toContain('emaTrend.ts, other.ts');
    expect((await faultOf('./nowhere/xyz.ts')).remedy).toContain('no folder');
    expect(await faultOf('./near')).toMatchObject({
      reason: 'It is a folder, and a plugin is one file.',
      remedy: expect.stringContaining('emaTrend.ts, other.ts'),
    });
    expect(await faultOf('near/emaTrend.ts')).toMatchObject({
      reason: 'It is read as the name of a package, and there is none.',
      remedy: "A file is named by its path from the configuration's folder: ./near/emaTrend.ts",
    });
  });

  test('no such package', async () => {
    const fault = await faultOf('trimtab-nobody');
    expect(fault.reason).toContain('no package trimtab-nobody');
    expect(fault.remedy).toContain('npm install trimtab-nobody');
  });

  const OWN = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string })
    .version;
  const PACKAGE = { version: '3.1.0', type: 'module', exports: { './strategy': './s.js' } };
  const writePackage = (name: string, manifest: object, code = plugin()): void =>
    write({
      [`node_modules/${name}/package.json`]: JSON.stringify({ ...PACKAGE, name, ...manifest }),
      [`node_modules/${name}/s.js`]: code,
    });

  test('a package without such an export, or without its file', async () => {
    writePackage('trimtab-d', {});
    expect(await faultOf('trimtab-d')).toMatchObject({
      code: 'TRIMTAB_PLUGIN_NOT_FOUND',
      reason: 'The package trimtab-d 3.1.0 exports no entry of its own.',
      remedy: 'It exports trimtab-d/strategy.',
    });
    expect((await faultOf('trimtab-d/trend')).reason).toContain('exports no ./trend.');
    writePackage('trimtab-e', { exports: { './strategy': './dist/s.js' } });
    expect((await faultOf('trimtab-e/strategy')).reason).toMatch(
      /^The package trimtab-e 3\.1\.0 names .*dist\/s\.js, which does not exist\.$/,
    );
  });

  test('a package for another version of trimtab, before its code is loaded', async () => {
    writePackage('trimtab-f', { peerDependencies: { trimtab: '^9.2.0' } }, 'throw new Error();');
    expect(await faultOf('trimtab-f/strategy')).toEqual({
      code: 'TRIMTAB_PLUGIN_VERSION',
      file: 'trimtab-f/strategy',
      reason: `The package trimtab-f 3.1.0 asks for trimtab ^9.2.0; this is trimtab ${OWN}, with contract 1.`,
      remedy:
        'In the folder of the bot, install a version of trimtab-f for this one (npm view trimtab-f versions peerDependencies), or npm install trimtab@"^9.2.0".',
    });
  });

  test('a package for another contract, by its package.json or by its plugin', async () => {
    writePackage('trimtab-g', { trimtab: { contract: 2 } }, "import 'trimtab/next';");
    const asks = `asks for strategy contract 2; this is trimtab ${OWN}, with contract 1.`;
    expect((await faultOf('trimtab-g/strategy')).reason).toBe(
      `The package trimtab-g 3.1.0 ${asks}`,
    );
    writePackage('trimtab-h', {}, plugin().replace('contract: 1', 'contract: 2'));
    const { code, reason, remedy } = await faultOf('trimtab-h/strategy');
    expect([code, reason]).toEqual([
      'TRIMTAB_PLUGIN_VERSION',
      `The package trimtab-h 3.1.0 ${asks}`,
    ]);
    expect(remedy).toContain('or a trimtab that knows it');
  });

  test('a syntax error, in TypeScript and in JavaScript, with its line', async () => {
    write({
      'broken.ts': 'const a = 1;\nconst b = ;\n',
      'broken.mjs': 'const a = 1;\nconst b = ;\n',
    });
    for (const file of ['broken.ts', 'broken.mjs']) {
      const fault = await faultOf(`./${file}`);
      expect(fault).toMatchObject({ file, line: 2, remedy: 'Correct the syntax.' });
      expect(fault.reason).toMatch(/can't be read: .*(Expression expected|Unexpected token)/);
    }
  });

  test('a syntax error that only the compiler finds', async () => {
    write({ 'enumBroken.ts': 'enum A { B }\nvoid A.B;\nconst b = ;\n' });
    expect(await faultOf('./enumBroken.ts')).toMatchObject({
      line: 3,
      remedy: 'Correct the syntax.',
    });
  });

  test('a throw of nothing at import', async () => {
    write({ 'nothing.ts': 'throw null;\n' });
    expect(await faultOf('./nothing.ts')).toMatchObject({
      code: 'TRIMTAB_PLUGIN_THREW',
      reason: expect.stringContaining('null was thrown, which is not an Error') as string,
    });
  });

  test('a throw at import, with its line', async () => {
    write({ 'throws.ts': '\n\nthrow new Error("not now");\n' });
    const fault = await faultOf('./throws.ts');
    expect(fault).toMatchObject({ file: 'throws.ts', line: 3 });
    expect(fault.reason).toContain('not now');
  });

  test('an unresolved import', async () => {
    write({ 'lost.ts': "import { x } from './nowhere.ts';\nexport default x;\n" });
    expect((await faultOf('./lost.ts')).reason).toMatch(/imports is missing: .*nowhere/);
    write({ 'lostPackage.ts': "import { x } from 'no-such-thing';\nexport default x;\n" });
    expect((await faultOf('./lostPackage.ts')).reason).toMatch(
      /imports is missing: .*no-such-thing/,
    );
    expect((await faultOf('./lostPackage.ts')).remedy).toContain('npm install no-such-thing.');
    expect((await faultOf('./lost.ts')).remedy).toContain('correct the path in its imports');
  });

  test('a package that the project lists and that is not installed', async () => {
    const dependencies = { 'no-such-thing': '^1.0.0' };
    write({
      'listed/package.json': JSON.stringify({ type: 'module', dependencies }),
      'listed/plugin.ts': "import { x } from 'no-such-thing';\nexport default x;\n",
    });
    expect((await faultOf('./listed/plugin.ts')).remedy).toBe(
      'package.json lists it, but it is not installed. In the folder of the bot: npm install.',
    );
  });

  test('an import of a name that is not exported', async () => {
    write({ 'wrongName.ts': "\nimport { lunch } from 'trimtab';\nexport default lunch;\n" });
    const fault = await faultOf('./wrongName.ts');
    expect(fault).toMatchObject({ file: 'wrongName.ts', line: 2 });
    expect(fault.reason).toBe('It imports lunch, which trimtab does not export.');
    expect(fault.remedy).not.toContain('syntax');
  });

  test('no default export, or one that is not a strategy', async () => {
    write({ 'named.ts': 'export const strategy = 1;', 'object.ts': 'export default { name: 1 };' });
    expect((await faultOf('./named.ts')).reason).toBe(
      'It has no default export (it exports strategy).',
    );
    expect((await faultOf('./object.ts')).reason).toContain('not made by defineStrategy');
  });

  test('another contract version', async () => {
    write({ 'next.mjs': plugin('contract: 2,') });
    expect((await faultOf('./next.mjs')).reason).toContain(
      'written for strategy contract 2; this is 1',
    );
  });

  test('a field of the definition that is not what it must be', async () => {
    write({
      'params.mjs': plugin('params: { period: 20 },'),
      'setup.mjs': plugin('setup: 7,'),
      'scopes.mjs': plugin("scopes: ['withdraw'],"),
    });
    expect((await faultOf('./params.mjs')).reason).toBe(
      'Its `params` must be a zod object: z.object({ … }).',
    );
    expect((await faultOf('./setup.mjs')).reason).toContain('`setup` must be a function');
    expect((await faultOf('./scopes.mjs')).reason).toContain('read, trade, algo');
  });

  test('parameters that do not fit, each with its path', async () => {
    write({ 'plain.ts': plugin() });
    const fault = await faultOf('./plain.ts', { period: 1, side: 'up', perod: 3 });
    expect(fault.fields?.map(({ path }) => path)).toEqual(['period', 'side', 'perod']);
    expect(fault.remedy).toBe('It takes period, side.');
  });
});
