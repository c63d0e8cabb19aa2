import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pluginTemplate } from '../../src/cli/initTemplates.ts';
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

/** What a user's compiler says: the packed tarball in an empty project, with a user's own rxjs and zod. */
const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-consumer-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** Entries for code, `.` and those behind it, each as it is imported and with its declarations. */
const ENTRIES = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ name: path.replace('.', 'trimtab'), types: target.types }],
);

/** Named by an entry, and nothing to hold for who imports it. */
const INTERNALS = new Set([
  // Behind `PaperServer.core`: the venue itself, for a bot in the same process.
  'PaperCore',
  // What a `Feed` holds once it is read; a program hands feeds on whole.
  'Tape',
]);

/** Blocks of a page in TypeScript; a block without an import is one of refusals, which must not compile. */
function typescriptOf(page: string): string[] {
  return blocksOf(page)
    .filter(({ language }) => language === 'ts')
    .map(({ text }) => text.trimEnd());
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
    await installPackage(project, [tarball, ...PEERS[age], OLDER_TYPESCRIPT]);

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
import * as service from 'trimtab/service';
import { NoAnswerError, NotSentError, UnexpectedResponseError } from 'trimtab/service';
import type { Exchange, ServiceSocket, SocketOptions } from 'trimtab/service';
export { plugin, service };
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
    'TypeScript %s compiles all that the pages, init and strategies/ show',
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
    'what $name names, it exports',
    async ({ types }) => {
      const declarations = join(project, 'node_modules/trimtab', types);
      const script = join(root, 'test/e2e/unexportedNames.js');
      const args = [script, olderTypescriptOf(project), declarations];
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
