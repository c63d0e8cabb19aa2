/** A journal whose process, or whose disk, ended in the middle: what is in its log, and its lock. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { createSqliteStore, JournalFault, type JournalStore } from '../../src/journal/index.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { rowOf } from './journalRows.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-torn-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const freshPath = (): string => join(folder, `journal-${files++}.sqlite`);

const HEADER = 32;

/** @param bytes of text, so that an append takes one page of the log or several */
function write(store: JournalStore, key: string, bytes: number): void {
  const entry = { key, state: 'emitted' as const, wallTime: 1, marketTime: 1 };
  void store.append({ intent: rowOf(key), entries: [{ ...entry, data: '"'.padEnd(bytes, 'x') }] });
}

const holding = (path: string, keys: readonly string[]): string[] | string => {
  try {
    const store = createSqliteStore(path);
    const held = keys.filter((key) => store.holds(key));
    void store.close();
    return held;
  } catch (error) {
    if (error instanceof JournalFault) return error.code;
    throw error;
  }
};

test('a wrong page of the last append drops it alone; of one before, it is damage', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    sizes: fc.array(fc.constantFrom(10, 3_000, 9_000), { minLength: 2, maxLength: 5 }),
    /** Where in the log, as a share of it. */
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    isLast: fc.boolean(),
    isCut: fc.boolean(),
  });
  await holdLaw(100, drawn, ({ sizes, at, isLast, isCut }) => {
    const path = freshPath();
    const store = createSqliteStore(path);
    store.checkpoint?.();
    const keys = sizes.map((_bytes, number) => `k${number}`);
    /** Length of the log after each append; a log that starts over begins with its header. */
    const ends: number[] = [];
    for (const [number, key] of keys.entries()) {
      write(store, key, sizes[number]!);
      ends.push(statSync(`${path}-wal`).size);
    }
    const torn = freshPath();
    for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${torn}${suffix}`);
    void store.close();
    const last = ends.at(-1)!;
    const before = ends.at(-2)!;
    // Where the log began again with the first append, what is behind it is of an earlier log.
    if (before >= last) return;
    const [from, to] = isLast ? [before, last] : [HEADER, before];
    const place = from + Math.floor(at * (to - from));
    const bytes = readFileSync(`${torn}-wal`);
    if (isCut) writeFileSync(`${torn}-wal`, bytes.subarray(0, place));
    else {
      bytes[place]! ^= 0xff;
      writeFileSync(`${torn}-wal`, bytes);
    }
    const held = holding(torn, keys);
    if (isLast) {
      expect(held).toEqual(keys.slice(0, -1));
      tried.take('in flight');
    } else if (!isCut) {
      expect(held).toBe('damaged');
      tried.take('damage');
    }
  });
  expect(tried.rare(['in flight', 'damage'], 1)).toEqual([]);
});

test('a close that fails leaves no lock', () => {
  const path = freshPath();
  const store = createSqliteStore(path);
  write(store, 'a', 10);
  const unclosed: DatabaseSync[] = [];
  const close = vi.spyOn(DatabaseSync.prototype, 'close').mockImplementationOnce(function (
    this: DatabaseSync,
  ) {
    unclosed.push(this);
    throw new Error('the disk is gone');
  });
  try {
    expect(() => void store.close()).toThrow('the disk is gone');
  } finally {
    close.mockRestore();
  }
  const again = createSqliteStore(path);
  expect(again.holds('a')).toBe(true);
  void again.close();
  for (const db of unclosed) db.close();
});
