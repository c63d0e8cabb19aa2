import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../../src/env/index.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'trimtab-replace-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('a file is replaced as a whole, for its owner alone, with nothing left beside it', () => {
  const path = join(folder(), 'pulse.json');
  for (const text of ['a longer first text', 'second']) {
    replaceFile(path, text);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.new`)).toBe(false);
});

test('what can’t be written leaves the former text', () => {
  const path = join(folder(), 'pulse.json');
  writeFileSync(path, 'former');
  mkdirSync(`${path}.new`);
  expect(() => replaceFile(path, 'later')).toThrow('EISDIR');
  expect(readFileSync(path, 'utf8')).toBe('former');
});

test('what can’t take its place is removed', () => {
  const path = join(folder(), 'pulse.json');
  mkdirSync(path);
  expect(() => replaceFile(path, 'text')).toThrow('EISDIR');
  expect(existsSync(`${path}.new`)).toBe(false);
});
