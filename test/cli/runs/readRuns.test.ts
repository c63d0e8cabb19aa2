import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRuns } from '../../../src/cli/runs/readRuns.ts';

test('runs are named after their files, and those of one name by their folders as well', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-runs-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = ['2024/run.json', '2025/run.json', '2025/other.json'].map((name) => {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, JSON.stringify({ hash: name, fills: [], totals: {} }));
    return path;
  });
  const at = (name: string): string => relative(process.cwd(), join(folder, name));
  expect((await readRuns(files)).map(({ name, data }) => [name, data.hash])).toEqual([
    [at('2024/run'), '2024/run.json'],
    [at('2025/run'), '2025/run.json'],
    ['other', '2025/other.json'],
  ]);
});
