import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { syncFolder, syncPath } from '../../src/journal/sqlite/syncPath.ts';

const TIMES = 100;

/** The number that the next file gets which is opened. */
function nextNumber(path: string): number {
  const file = openSync(path, 'r');
  closeSync(file);
  return file;
}

test('what has reached the disk is open no longer, a file as little as its folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-sync-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file');
  writeFileSync(path, 'text');
  const before = nextNumber(path);
  for (let count = 0; count < TIMES; count++) {
    syncPath(path);
    syncFolder(folder);
  }
  expect(nextNumber(path) - before).toBeLessThan(TIMES);
});

test('a folder that is not there is passed over, a file is not', () => {
  const path = join(tmpdir(), 'trimtab-sync-none');
  expect(() => syncFolder(path)).not.toThrow();
  if (process.platform !== 'win32') expect(() => syncPath(path)).toThrow('ENOENT');
});
