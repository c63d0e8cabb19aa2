import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { read, root } from '../sourceFiles.ts';

/** What each entry exports, as `api/` has it and as the tool finds it in `dist`. */
const run = promisify(execFile);
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trimtab-surface-')));
afterAll(() => rmSync(folder, { recursive: true }));

const recorded = readdirSync(join(root, 'api')).filter((file) => file.endsWith('.api.md'));

const HOW = `What an entry exports differs from its list. Where that is meant, run

  npm run build && npm run api

and review the difference of api/: semantic versioning covers it.
`;

beforeAll(async () => {
  await run(process.execPath, [join(root, 'api/report.js'), '--out', folder]);
}, 300_000);

test('each entry has its list, and no list is without one', () => {
  expect(recorded.sort()).toEqual(readdirSync(folder).sort());
});

test.each(recorded)('%s is what the entry exports', (file) => {
  const found = readFileSync(join(folder, file), 'utf8');
  const [before, after] = [read(`api/${file}`), found].map((text) => text.split('\n'));
  const missing = before!.filter((line) => !after!.includes(line));
  const added = after!.filter((line) => !before!.includes(line));
  expect({ missing, added }, HOW).toEqual({ missing: [], added: [] });
  expect(read(`api/${file}`) === found, HOW).toBe(true);
});
