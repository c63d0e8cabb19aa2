import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { read, root, sourceFiles } from '../sourceFiles.ts';
import { writtenPatches } from './choosePatches.ts';
import { generatePatches } from './generatePatches.ts';
import { applyEdit, nameOf, type Patch } from './Patch.ts';
import { TABLES } from './tables/index.ts';

const written = writtenPatches();
const LEAST = 400;
const MOST_STALE = 0.002;

test('there are enough of them, and each has a name of its own', () => {
  expect(written.length).toBeGreaterThanOrEqual(LEAST);
  const names = written.map(nameOf);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('nearly each changes its source, whose text it finds once', () => {
  const problemOf = ({ file, edit }: Patch): string[] => {
    if (!existsSync(join(root, file))) return [`${file} is gone`];
    try {
      const source = read(file);
      return applyEdit(source, file, edit) === source ? [`${file} stays as it is`] : [];
    } catch (error) {
      return [String(error)];
    }
  };
  const stale = written.flatMap(problemOf);
  // An edit of a text asks for its row; `npm run mutate` fails for each, and here they must not become many.
  expect(stale.length, stale.join('\n')).toBeLessThanOrEqual(written.length * MOST_STALE);
});

describe('every rule has one', () => {
  const files = new Set(written.map(({ file }) => file));
  /** What only passes on, or names types. */
  const isRule = (file: string): boolean => !/\/(index|Guard|GuardLimits)\.ts$/.test(file);

  test.each(['src/guards', 'src/outcomes', 'src/paper/tracking'])('of %s', (folder) => {
    const without = sourceFiles(folder).filter((file) => isRule(file) && !files.has(file));
    expect(without.filter((file) => !file.endsWith('/EntryWatch.ts'))).toEqual([]);
  });

  test('of every station on the way of an intent', () => {
    const way = ['frames', 'streams', 'strategy', 'intents', 'guards', 'journal', 'budget', 'wire'];
    const rooms = ['control', 'pipe', 'recovery', 'wallet'].map((room) => `runtime/${room}`);
    const paper = ['venue', 'legs', 'algos', 'monitors', 'baskets', 'tracking', 'core', 'market'];
    const all = [...way, 'outcomes', ...rooms, ...paper.map((room) => `paper/${room}`)];
    const stations = new Set(written.map(({ station }) => station));
    expect(all.filter((station) => !stations.has(station))).toEqual([]);
  });
});

test('what the generator is excused for is what it makes, and each has a name', () => {
  const excused = TABLES.flatMap(({ folder, excuses }) =>
    excuses.map(([file, name]) => ({ file: `${folder}/${file}`, name })),
  );
  const files = new Set(['src/guards/dailyLoss.ts', ...excused.map(({ file }) => file)]);
  const names = generatePatches([...files]).map(nameOf);
  expect(excused.filter(({ file, name }) => !names.includes(`${file}: ${name}`))).toEqual([]);
  expect(names).toContain(
    'src/guards/dailyLoss.ts: boundary: ' +
      'if (limit === undefined || value <= limit) return PASSED;',
  );
  expect(new Set(names).size).toBe(names.length);
});
