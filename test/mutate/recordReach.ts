/** Before each test file of a recording run: what of the sources the file executes, written when it ends. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { coveredRanges } from './coveredRanges.ts';
import { hashOf, type Reach, type ReachOfFile } from './reach.ts';

const root = process.cwd();
const started = performance.now();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

afterAll(async () => {
  const test = expect.getState().testPath!.slice(root.length + 1);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const files: Record<string, ReachOfFile> = {};
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue;
    const file = fileURLToPath(url).slice(root.length + 1);
    if (!/^(src|backtest|strategies)\//.test(file)) continue;
    files[file] = { hash: hashOf(file), ranges: coveredRanges(functions) };
  }
  const folder = process.env['TRIMTAB_MUTATE_REACH']!;
  mkdirSync(folder, { recursive: true });
  const reach: Reach = { test, hash: hashOf(test), ms: performance.now() - started, files };
  writeFileSync(join(folder, `${test.replaceAll('/', '__')}.json`), JSON.stringify(reach));
});
