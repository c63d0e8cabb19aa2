import { execFile } from 'node:child_process';
import {
  copyFileSync,
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
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import type { CheckResult } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { npmEnv, packBuilt } from '../installPackage.ts';
import { proseOf } from '../docs/pages.ts';
import { builtFiles, entryFiles, PROGRAMS, root } from '../sourceFiles.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-package-')));
let tarball = '';
afterAll(() => rmSync(folder, { recursive: true }));

const CHECK_TYPES = `import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { readFileSync } from 'node:fs';
const data = createPackageFromTarballData(new Uint8Array(readFileSync(process.env.TARBALL)));
console.log(JSON.stringify(await checkPackage(data)));`;

beforeAll(async () => {
  tarball = await packBuilt(folder);
}, 60_000);

describe('the package', () => {
  test('publint reports nothing', async () => {
    const data = await readFile(tarball);
    const { messages } = await publint({ pack: { tarball: toArrayBuffer(data) }, strict: true });
    expect(messages).toEqual([]);
  });

  it('its types resolve for every ESM consumer', async () => {
    // In a separate process: under the test runner's conditions the checker would load its sources.
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', CHECK_TYPES], {
      cwd: root,
      env: { ...process.env, TARBALL: tarball },
    });
    const result = JSON.parse(stdout) as CheckResult;
    // The package is ESM only: what a CommonJS consumer sees is not promised.
    const problems = (result.types === false ? [{ kind: 'NoTypes' }] : result.problems).filter(
      (problem) =>
        !('resolutionKind' in problem) ||
        !['node10', 'node16-cjs'].includes(String(problem.resolutionKind)),
    );
    expect(problems).toEqual([]);
  });

  it('contains what runs and nothing from development', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball]);
    const files = stdout.trim().split('\n');
    expect(files).toContain('package/bin/trimtab.js');
    expect(files).toContain('package/LICENSE');
    const packed = new Set(files.map((file) => file.replace('package/', '')));
    const pages = [...packed].filter((file) => /^(docs\/.*|[A-Z]+)\.md$/.test(file));
    expect(pages).toContain('docs/how-to/write-a-plugin.md');
    const dangling = pages.flatMap((page) =>
      linksOf(page)
        .filter((target) => ![...packed].some((file) => `${file}/`.startsWith(`${target}/`)))
        .map((target) => `${page}: ${target}`),
    );
    expect(dangling).toEqual([]);
    for (const file of ['Dockerfile', 'compose.yaml', 'systemd/trimtab@.service'])
      expect(files).toContain(`package/deploy/${file}`);
    // Secrets of whoever packs it are not listed, wherever they are.
    expect(files.filter((file) => file.includes('/secrets/'))).toEqual([]);
    // The tools of the site stay behind.
    expect(files.filter((file) => /\/docs\/.*\.(js|json|ts)$/.test(file))).toEqual([]);
    // A map without its source leads a debugger nowhere.
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    // Types are for who imports an entry; the commands have none.
    const ofCommands = /\/dist\/src\/cli\/.*\.d\.ts$/;
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

test('files removed from src are not packed', async () => {
  const copy = join(folder, 'copy');
  const pages = ['src/operate/report/page', 'src/operate/serve/page'];
  const configs = ['tsconfig.json', 'tsconfig.build.json', 'tsconfig.types.json'];
  for (const page of pages) mkdirSync(join(copy, page), { recursive: true });
  for (const file of ['package.json', 'build.js', ...configs])
    copyFileSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  // The built output instead of the sources.
  const entries = [...entryFiles(), ...PROGRAMS];
  for (const entry of entries) {
    mkdirSync(dirname(join(copy, entry)), { recursive: true });
    writeFileSync(join(copy, entry), 'export {};\n');
  }
  for (const page of pages) {
    copyFileSync(join(root, page, 'tsconfig.json'), join(copy, page, 'tsconfig.json'));
    writeFileSync(join(copy, page, 'main.ts'), 'export {};\n');
  }
  mkdirSync(join(copy, 'dist/src'), { recursive: true });
  for (const file of ['removed.js', 'removed.d.ts'])
    writeFileSync(join(copy, 'dist/src', file), '');
  await run('npm', ['pack', '--pack-destination', copy], { cwd: copy, env: npmEnv });
  const packed = readdirSync(copy).find((file) => file.endsWith('.tgz'))!;
  const { stdout } = await run('tar', ['-tzf', join(copy, packed)]);
  const built = stdout.split('\n').filter((file) => file.startsWith('package/dist/'));
  const files = [
    ...entryFiles().map((entry) => `dist/${entry.replace('.ts', '.d.ts')}`),
    ...entries.flatMap(builtFiles),
    // What rolldown's own helpers are in.
    'dist/src/chunks/rolldown-runtime.js',
    ...pages.map((page) => `dist/${page}/main.js`),
  ];
  expect(built.sort()).toEqual(files.map((file) => `package/${file}`).sort());
}, 120_000);

function toArrayBuffer(data: Buffer): ArrayBuffer {
  return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
}

/** Files and folders that a page links to, as paths from the root. */
function linksOf(page: string): string[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)#\s]+)|(?:src|srcset)="([^"#]+)"/g)];
  return links
    .map(([, link, source]) => link ?? source!)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => posix.normalize(posix.join(posix.dirname(page), link)).replace(/\/$/, ''));
}
