import { expect, test } from 'vitest';
import { sourceFiles } from './sourceFiles.ts';
import { restOf, TURNS } from './tiers.ts';

const rests = Array.from({ length: TURNS }, (_none, commits) => new Set(restOf(commits)));
const costly = new Set(rests.flatMap((rest) => [...rest]));

test('each costly file exists, and is left out by all commits of a turn but one', () => {
  const files = new Set(sourceFiles('test'));
  for (const file of costly) {
    expect(files.has(file), file).toBe(true);
    expect(rests.filter((rest) => !rest.has(file)).length, file).toBe(1);
  }
});

test('a part of the rest is what the next commits take', () => {
  for (const commits of [0, 5, 1_709]) {
    const next = [1, 2, 3].flatMap((after) => {
      const rest = rests[(commits + after) % TURNS]!;
      return [...costly].filter((file) => !rest.has(file));
    });
    expect(new Set(restOf(commits, 3))).toEqual(new Set(next));
  }
});

test('every turn has costly files, the fewest of them at most a third fewer than the most', () => {
  const counts = rests.map((rest) => costly.size - rest.size);
  expect(Math.min(...counts)).toBeGreaterThan((Math.max(...counts) * 2) / 3 - 1);
});
