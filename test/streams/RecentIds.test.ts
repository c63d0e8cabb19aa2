import { expect, test } from 'vitest';
import { RecentIds } from '../../src/streams/RecentIds.ts';

const named = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `fil_${from + at}`);

test('an id is new once', () => {
  const ids = new RecentIds(10);
  expect(['a', 'b', 'a', 'b', 'c'].map((id) => ids.add(id))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ]);
});

test('remembers at least the last ids up to its limit, and forgets those twice as old', () => {
  const ids = new RecentIds(10);
  for (const id of named(0, 35)) expect(ids.add(id)).toBe(true);
  for (const id of named(25, 35)) expect(ids.add(id)).toBe(false);
  expect(ids.add('fil_0')).toBe(true);
});
