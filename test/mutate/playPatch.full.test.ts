import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScratchCopy, type ScratchCopy } from './createScratchCopy.ts';
import { createTestRunner, type TestRunner } from './createTestRunner.ts';
import type { Patch } from './Patch.ts';
import { playPatch, type Stage } from './playPatch.ts';
import { readReach, type ReachMap } from './reach.ts';

/** It fails whatever is broken, as does a test that needs what the copy has not. */
const ALWAYS_RED = 'test/guards/alwaysRed.test.ts';
const RED = `import { test } from 'vitest';\ntest('red', () => { throw new Error('red'); });\n`;

let copy: ScratchCopy;
let runner: TestRunner;
let stage: Stage;
beforeAll(async () => {
  copy = await createScratchCopy('played');
  writeFileSync(join(copy.folder, ALWAYS_RED), RED);
  runner = createTestRunner(copy.folder);
  const tests = (await runner.files()).filter((file) => file.startsWith('test/guards/'));
  const finders = { of: () => new Set<string>() };
  const known = readReach(tests.filter((file) => file !== ALWAYS_RED));
  const red = { test: ALWAYS_RED, isDirect: true, ms: 1 };
  const reach: ReachMap = { reaching: (...text) => [red, ...known.reaching(...text)] };
  const sets = { trusted: new Set<string>(), unfit: new Set<string>() };
  stage = { folder: copy.folder, runner, reach, finders, ...sets, seeds: 0, seconds: 30 };
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

test('a test that fails without the bug has not found it', () => {
  expect([...stage.unfit]).toEqual([ALWAYS_RED]);
});

test('a rule that only reads otherwise survives', async () => {
  const verdict = await playPatch(patchOf('!(value >= limit)'), stage);
  expect(verdict).toMatchObject({ result: 'survived' });
});

test('a source that cannot be read proves nothing', async () => {
  expect(await playPatch(patchOf('value <<< limit'), stage)).toMatchObject({ result: 'invalid' });
});

test('a row whose text or file is gone proves nothing', async () => {
  const gone = { result: 'invalid', why: 'its text is not there once' };
  const edit = { from: 'value <<< limit', to: '' };
  expect(await playPatch({ ...patchOf(''), edit }, stage)).toEqual(gone);
  expect(await playPatch({ ...patchOf(''), file: 'src/guards/gone.ts' }, stage)).toEqual(gone);
  expect(existsSync(join(copy.folder, 'src/guards/gone.ts'))).toBe(false);
});

test('the copy is mended after each', () => {
  expect(sourceIn(copy.folder)).toBe(sourceIn(process.cwd()));
});
