import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROOFS, UNPROVEN } from './clauseProofs.ts';
import { MUTATIONS } from './conformance/mutations.ts';
import { applyEdit } from './mutate/Patch.ts';
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

/** Contract and indicators are shared by both sides; conformance only checks. */
const isShared = (path: string): boolean => /^src\/(contract|indicators)\//.test(path);
const BUILDS: Readonly<Record<string, (path: string) => boolean>> = {
  C: (path) => !/^src\/(paper|conformance)\//.test(path),
  P: (path) => path.startsWith('src/paper/') || isShared(path),
};

test('every clause is cited by the code that implements it', () => {
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

test('every side of a clause has a proof, a broken rule of the paper service, or a reason why not', () => {
  const sides = clauses.flatMap(({ id, sides: all }) => all.map((side) => `${id} ${side}`));
  const proven = new Set([
    ...PROOFS.map(({ id, side }) => `${id} ${side}`),
    ...MUTATIONS.flatMap(({ clauses: broken }) => broken.map((id) => `${id} P`)),
  ]);
  const open = Object.keys(UNPROVEN);
  const missing = sides.filter((side) => !proven.has(side) && !open.includes(side));
  expect(missing, `No proof: ${missing.join(', ')}`).toEqual([]);
  const settled = open.filter((side) => proven.has(side));
  expect(settled, `Proven and listed as unproven: ${settled.join(', ')}`).toEqual([]);
  const strange = [...proven, ...open].filter((side) => !sides.includes(side));
  expect(strange, `No such clause and side: ${strange.join(', ')}`).toEqual([]);
});

test.each(PROOFS)(
  'the proof of $id $side breaks its source once, and its test cites it',
  (proof) => {
    expect(proof.to).not.toBe(proof.from);
    const path = `src/${proof.file}`;
    expect(applyEdit(read(path), path, proof)).not.toBe(read(path));
    expect(read(`test/${proof.test}`)).toMatch(new RegExp(`\\b${proof.id}\\b`));
    if (proof.side === 'P') expect(path).toMatch(/^src\/(paper|contract|indicators)\//);
    else expect(path).not.toMatch(/^src\/paper\//);
  },
);

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
