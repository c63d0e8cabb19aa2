import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CommandFailure } from '../../../src/cli/failures/CommandFailure.ts';
import { writeOutput, writeOutputBy } from '../../../src/cli/output/writeOutput.ts';
import { mountSmallDisk } from '../../chaos/mountSmallDisk.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-output-'));
const mounted = mountSmallDisk(64);
const disk = 'reason' in mounted ? undefined : mounted;
afterAll(() => {
  disk?.unmount();
  rmSync(folder, { recursive: true, force: true });
});

async function failureOf(path: string, content: string): Promise<string> {
  const failed: unknown = await writeOutput(path, content).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(CommandFailure);
  return (failed as CommandFailure).message;
}

test('a file is replaced as a whole and keeps its mode; nothing else remains', async () => {
  const path = join(folder, 'report.html');
  await writeOutput(path, 'the first');
  chmodSync(path, 0o600);
  await writeOutput(path, 'the second');
  expect(readFileSync(path, 'utf8')).toBe('the second');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['report.html']);
});

test('a link stays one, and its file is written', async () => {
  const [file, link] = [join(folder, 'file.json'), join(folder, 'link.json')];
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  await writeOutput(link, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readFileSync(link, 'utf8')).toBe('new');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  rmSync(file);
  await writeOutput(link, 'newer');
  expect(readFileSync(file, 'utf8')).toBe('newer');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test('what is no file is written, and stays what it is', async () => {
  await writeOutput('/dev/null', 'gone');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(await failureOf('/dev/full', 'too much')).toMatch(
    /^\/dev\/full can't be written: .*ENOSPC.*\n {2}Make room there, or name another path\./,
  );
});

test.skipIf(disk === undefined)('a full disk leaves the former file, and no part', async () => {
  const path = join(disk!.path, 'report.html');
  await writeOutput(path, 'the former');
  const message = await failureOf(path, 'x'.repeat(200_000));
  expect(message).toContain(`${path} can't be written: `);
  expect(message).toContain('Make room there, or name another path.');
  expect(readdirSync(disk!.path)).toEqual(['report.html']);
  expect(readFileSync(path, 'utf8')).toBe('the former');
});

test.skipIf(disk === undefined)('nor of an output that is written piece by piece', async () => {
  const path = join(disk!.path, 'points.csv');
  await writeOutput(path, 'the former');
  chmodSync(path, 0o440);
  const targets: string[] = [];
  const failed = writeOutputBy(path, (target) => {
    targets.push(target);
    for (let at = 0; at < 100; at++) appendFileSync(target, 'x'.repeat(2_000));
  });
  await expect(failed).rejects.toThrow('Make room there, or name another path.');
  expect(targets).not.toContain(path);
  expect(readFileSync(path, 'utf8')).toBe('the former');
  await writeOutputBy(path, (target) => writeFileSync(target, 'the next'));
  expect(readFileSync(path, 'utf8')).toBe('the next');
  expect(statSync(path).mode & 0o777).toBe(0o440);
  expect(readdirSync(disk!.path).filter((name) => name.startsWith('points'))).toEqual([
    'points.csv',
  ]);
});
