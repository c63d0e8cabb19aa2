import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readRows } from '../../src/operate/recording/readRows.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('an empty row is reported with its number', () => {
  const path = join(folder, 'endless');
  writeFileSync(path, 'one\n');
  truncateSync(path, 70 * 1_048_576);
  expect(() => [...readRows(path)]).toThrow('line 2 is longer than 64 MiB');
});

test('a file is read in chunks: data appended meanwhile is read too', () => {
  const path = join(folder, 'growing.jsonl');
  const rowOf = (number: number): string => `${number} ${'é'.repeat(700_001)}`;
  const put = (numbers: readonly number[]): void =>
    appendFileSync(path, numbers.map((number) => `${rowOf(number)}\n`).join(''));
  put([1, 2, 3]);
  const rows = readRows(path);
  const first = rows.next().value;
  expect(first).toMatchObject({ number: 1, isEnded: true });
  expect(first?.bytes.toString()).toBe(rowOf(1));
  put([4, 5]);
  appendFileSync(path, 'no end');
  const rest = [...rows].map(({ number, bytes, isEnded }) => [number, bytes.toString(), isEnded]);
  const ended = [2, 3, 4, 5].map((number) => [number, rowOf(number), true]);
  expect(rest).toEqual([...ended, [6, 'no end', false]]);
});
