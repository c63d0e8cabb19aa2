import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratchCopy, type ScratchCopy } from './createScratchCopy.ts';
import { createTestRunner, type TestRunner } from './createTestRunner.ts';
import type { Patch } from './Patch.ts';
import { playPatch, type Stage } from './playPatch.ts';
import { readReach } from './reach.ts';

let copy: ScratchCopy;
let runner: TestRunner;
let stage: Stage;
beforeAll(async () => {
  copy = await createScratchCopy('played');
  runner = createTestRunner(copy.folder);
  const tests = (await runner.files()).filter((file) => file.startsWith('test/guards/'));
  const finders = { of: () => new Set<string>() };
  stage = { folder: copy.folder, runner, reach: readReach(tests), finders, seeds: 0, seconds: 30 };
});
afterAll(async () => {
  runner.close();
  await copy.close();
});

const patchOf = (to: string): Patch => ({
  station: 'guards',
  file: 'src/guards/dailyLoss.ts',
  name: 'played',
  edit: { from: 'value < limit', to },
});
const sourceIn = (folder: string): string =>
  readFileSync(join(folder, 'src/guards/dailyLoss.ts'), 'utf8');

test('a broken rule is found by its own station’s tests', async () => {
  const verdict = await playPatch(patchOf('value >= 0'), stage);
  expect(verdict).toMatchObject({ result: 'found', by: expect.stringMatching(/^test\/guards\//) });
});

test('a rule that only reads otherwise survives', async () => {
  const verdict = await playPatch(patchOf('!(value >= limit)'), stage);
  expect(verdict).toMatchObject({ result: 'survived' });
});

test('a source that cannot be read proves nothing', async () => {
  expect(await playPatch(patchOf('value <<< limit'), stage)).toMatchObject({ result: 'invalid' });
});

test('the copy is mended after each', () => {
  expect(sourceIn(copy.folder)).toBe(sourceIn(process.cwd()));
});
