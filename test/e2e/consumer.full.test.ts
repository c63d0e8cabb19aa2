import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pluginTemplate } from '../../src/cli/project/initTemplates.ts';
import {
  COMPILER_OPTIONS,
  compilersOf,
  installPackage,
  manifest,
  OLDER_TYPESCRIPT,
  olderTypescriptOf,
  packBuilt,
  PEERS,
} from '../installPackage.ts';
import { blocksOf, pages } from '../docs/pages.ts';
import { read, root } from '../sourceFiles.ts';
import { runCli } from './runCli.ts';

/** Compiles against the packed tarball in an empty project, with the user's own rxjs and zod. */
const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-consumer-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** Entries for code, `.` and those behind it, each as it is imported and with its declarations. */
const ENTRIES = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ name: path.replace('.', 'trimtab'), types: target.types }],
);

/** Named by an entry, but not needed by its users. */
const INTERNALS = new Set([
  // Behind `PaperServer.core`: the venue itself, for a bot in the same process.
  'PaperCore',
  // Internal fields of a `Feed`; a program passes feeds on unchanged.
  'Tape',
]);

/** An entry whose signatures name types of another one: a program that uses them imports both. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  'trimtab/conformance': ['trimtab/service'],
  'trimtab/technicalindicators': ['trimtab'],
  'trimtab/testing': ['trimtab', 'trimtab/service'],
  'trimtab/testing/vitest': ['trimtab', 'trimtab/service', 'trimtab/testing'],
};

/**
 * Blocks of a page in TypeScript; a block without an import is one of refusals, which must not compile, unless it is a
 * part of a plugin's `setup`.
 */
function typescriptOf(page: string): string[] {
  return (
    blocksOf(page)
      .filter(({ language }) => language === 'ts')
      // Not installed here; the installed package's test compiles and runs those.
      .filter(({ text }) => !/from '(vitest|node:)/.test(text))
      .filter(({ text }) => text.includes('import ') || !text.includes('ctx'))
      .map(({ text }) => text.trimEnd())
  );
}
function asModule(block: string): string {
  if (block.includes('import ')) return block;
  const lines = block.split('\n').filter((line) => !line.startsWith('//'));
  const refused = lines.map(
    (line) => `// @ts-expect-error the page says that it is refused\n${line}`,
  );
  return `import { launch, stopLoss } from 'trimtab';\n${refused.join('\n')}\n`;
}

describe.each(['oldest', 'newest'] as const)('with the %s rxjs and zod of the ranges', (age) => {
  const project = join(folder, age);

  beforeAll(async () => {
    const tarball = await packBuilt(folder);
    // What a page shows of other libraries, too.
    const shown = ['technicalindicators@3.1.0', 'trading-signals@8.3.0'];
    await installPackage(project, [tarball, ...PEERS[age], OLDER_TYPESCRIPT, ...shown]);

    const files = new Map([['init.ts', pluginTemplate]]);
    for (const file of await readdir(join(root, 'strategies'))) {
      if (file.endsWith('.ts')) files.set(file, read(`strategies/${file}`));
    }
    for (const page of pages()) {
      typescriptOf(page).forEach((block, at) =>
        files.set(`${page.replaceAll('/', '_')}.${at}.ts`, asModule(block)),
      );
    }
    files.set(
      'entries.ts',
      `import * as plugin from 'trimtab';
import * as conformance from 'trimtab/conformance';
import * as postgres from 'trimtab/postgres';
import * as service from 'trimtab/service';
import * as technicalindicators from 'trimtab/technicalindicators';
import * as testing from 'trimtab/testing';
import { of, type Observable } from 'rxjs';
import type { ConformanceOptions } from 'trimtab/conformance';
import type { JournalStore, PostgresStoreOptions } from 'trimtab/postgres';
import { NoAnswerError, NotSentError, UnexpectedResponseError } from 'trimtab/service';
import type { Exchange, ServiceSocket, SocketOptions } from 'trimtab/service';
export { conformance, plugin, postgres, service, technicalindicators, testing };
// @ts-expect-error A range is one of bars.
export const numbers = of(1, 2).pipe(technicalindicators.atr());
export const strengths: Observable<number> = of(1, 2).pipe(technicalindicators.rsi({ period: 2 }));
export const check = (options: ConformanceOptions): Promise<number> =>
  conformance.runConformance(options).then(({ summary }) => summary.differs);
export const open = (options: PostgresStoreOptions): Promise<JournalStore> =>
  postgres.createPostgresStore(options);
export const thrown = [NoAnswerError, NotSentError, UnexpectedResponseError];
export type Named = Exchange | ServiceSocket | SocketOptions;
`,
    );
    mkdirSync(join(project, 'strategies'));
    for (const [name, text] of files) writeFileSync(join(project, 'strategies', name), text);
    const config = { compilerOptions: COMPILER_OPTIONS, include: ['strategies'] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  }, 300_000);

  const installed = (name: string): string =>
    (
      JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8')) as {
        version: string;
      }
    ).version;

  test('there is one copy of each, the user’s', async () => {
    const names = ['rxjs', 'zod'] as const;
    expect(names.map((name) => `${name}@${installed(name)}`)).toEqual(PEERS[age]);
    const own = await readdir(join(project, 'node_modules/trimtab/node_modules')).catch(() => []);
    expect(own).toEqual([]);
  });

  test.each(['5.9', '7'] as const)(
    'TypeScript %s compiles the code of the pages, init and strategies/',
    async (version) => {
      const tsc = compilersOf(project)[version];
      const args = [tsc, '--project', project, '--pretty', 'false'];
      const said = await run(process.execPath, args, { timeout: 240_000 }).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout || 'the compiler did not end',
      );
      expect(said).toBe('');
    },
    300_000,
  );

  test.each(ENTRIES)(
    '$name exports every name that it uses',
    async ({ name, types }) => {
      const beside = ENTRIES.filter((entry) => BESIDE[name]?.includes(entry.name));
      const declarations = [types, ...beside.map((entry) => entry.types)].map((file) =>
        join(project, 'node_modules/trimtab', file),
      );
      const script = join(root, 'test/e2e/unexportedNames.js');
      const args = [script, olderTypescriptOf(project), ...declarations];
      const { stdout } = await run(process.execPath, args);
      const faults = JSON.parse(stdout) as Array<[name: string, by: string]>;
      expect(faults.filter(([name]) => !INTERNALS.has(name))).toEqual([]);
    },
    60_000,
  );

  test('init and run work', async () => {
    const bin = join(project, 'node_modules/trimtab/bin/trimtab.js');
    expect((await runCli(['init', 'bot'], { cwd: project, bin })).code).toBe(0);
    const { code, err } = await runCli(['run', 'bot/bot.yaml'], { cwd: project, bin });
    expect([code, err.match(/^trimtab:.*/m)]).toEqual([0, null]);
  }, 120_000);
});
