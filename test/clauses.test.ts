import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXTRACTS } from './data/places.ts';
import { read, sourceFiles } from './sourceFiles.ts';

const page = readFileSync(join(EXTRACTS, 'contract/requirements.md'), 'utf8');

interface Clause {
  id: string;
  /** C: the client does it. P: the paper service does. */
  sides: readonly string[];
}

/** Every row `| AUTH-1 | … | C P |` of the page. */
const clauses: Clause[] = [...page.matchAll(/^\| ([A-Z]+-\d+) \|.*\| ([CP][CP ]*) \|$/gm)].map(
  ([, id = '', sides = '']) => ({ id, sides: sides.trim().split(' ') }),
);

/** Files by the clause ids that they cite; a range (`AUTH-1 to AUTH-3`) cites its ends only. */
function citationsOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const cited = new Map<string, string[]>();
  for (const path of sourceFiles(folder)) {
    for (const [id] of read(path).matchAll(/\b[A-Z]{3,4}-\d+\b/g)) {
      const files = cited.get(id) ?? [];
      if (!files.includes(path)) cited.set(id, [...files, path]);
    }
  }
  return cited;
}

/** The contract and the indicators are read by both sides; conformance judges and builds nothing. */
const isShared = (path: string): boolean => /^src\/(contract|indicators)\//.test(path);
const BUILDS: Readonly<Record<string, (path: string) => boolean>> = {
  C: (path) => !/^src\/(paper|conformance)\//.test(path),
  P: (path) => path.startsWith('src/paper/') || isShared(path),
};

test('every clause is cited by the code that builds it', () => {
  const cited = citationsOf('src');
  expect(clauses.length).toBeGreaterThan(70);
  const missing = clauses.flatMap(({ id, sides }) => {
    const files = cited.get(id) ?? [];
    return sides.filter((side) => !files.some(BUILDS[side]!)).map((side) => `${id} (${side})`);
  });
  expect(missing, `No code cites: ${missing.join(', ')}`).toEqual([]);
});

test('every clause is cited by a test that proves it', () => {
  const cited = citationsOf('test');
  const own = 'test/clauses.test.ts';
  const missing = clauses
    .map(({ id }) => id)
    .filter((id) => !(cited.get(id) ?? []).some((path) => path !== own));
  expect(missing, `No test cites: ${missing.join(', ')}`).toEqual([]);
});

test('nothing cites a clause that the contract doesn’t have', () => {
  const known = new Set(clauses.map(({ id }) => id));
  const families = new Set([...known].map((id) => id.split('-')[0]!));
  for (const folder of ['src', 'test']) {
    for (const [id, files] of citationsOf(folder)) {
      if (!families.has(id.split('-')[0]!)) continue;
      expect(known.has(id), `${files.join(', ')} cites ${id}`).toBe(true);
    }
  }
});
