import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pluginSources } from '../../src/strategy/index.ts';

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-sources-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
const shown = ({ files }: { files: string[] }): string[] =>
  files.map((file) => relative(folder, file));

test('a file includes its relative imports, each once, in any form', () => {
  write({
    'a/plugin.ts': `import { defineStrategy } from 'trimtab';
      import type { X } from "./types.js";
      import './effect.ts'; export * from '../b/all';
      import {
        one,
      } from './lines.ts';
      const later = await import('./later.mjs');
      const model = new URL('./model.json', import.meta.url);
      import gone from './gone.ts'; import self from './plugin.ts';`,
    'a/types.ts': '',
    'a/effect.ts': `const old = require('./old');`,
    'a/old.cjs': '',
    'a/lines.ts': '',
    'a/later.mjs': '',
    'a/model.json': '{}',
    'a/stranger.ts': '',
    'b/all/index.ts': `export { default } from '../../a/plugin.ts';`,
  });
  const sources = pluginSources('./a/plugin.ts', folder);
  expect(sources).toMatchObject({ entry: join(folder, 'a/plugin.ts'), package: null });
  expect(shown(sources)).toEqual([
    'a/effect.ts',
    'a/later.mjs',
    'a/lines.ts',
    'a/model.json',
    'a/old.cjs',
    'a/plugin.ts',
    'a/types.ts',
    'b/all/index.ts',
  ]);
  expect(pluginSources(join(folder, 'a/plugin.ts'), '/')).toEqual(sources);
});

test('a package is its version and its entry with what that pulls in', () => {
  const manifest = (exports: unknown): string =>
    JSON.stringify({ name: 'some-plugin', version: '1.2.3', type: 'module', exports });
  write({
    'node_modules/some-plugin/package.json': manifest('./lib/main.js'),
    'node_modules/some-plugin/lib/main.js': `export { default } from './inner.js';`,
    'node_modules/some-plugin/lib/inner.js': '',
    'node_modules/only-import/package.json': manifest({ '.': { import: './main.js' } }),
    'node_modules/only-import/main.js': '',
  });
  const sources = pluginSources('some-plugin', folder);
  expect(sources.package).toEqual({ name: 'some-plugin', version: '1.2.3' });
  const at = 'node_modules/some-plugin/lib';
  expect(shown(sources)).toEqual([`${at}/inner.js`, `${at}/main.js`]);
  expect(shown(pluginSources('only-import', folder))).toEqual(['node_modules/only-import/main.js']);
});

test('a missing plugin has no files; loading it gives the reason', () => {
  expect(pluginSources('./nowhere.ts', folder).files).toEqual([]);
  expect(pluginSources('no-such-package', folder).files).toEqual([]);
});
