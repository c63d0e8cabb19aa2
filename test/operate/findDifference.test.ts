/** Where two recorded values, or two runs' intents, begin to differ. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffEmissions } from '../../src/operate/recording/diffRecordings.ts';
import { findDifference } from '../../src/operate/recording/findDifference.ts';
import { holdLaw } from '../holdLaw.ts';

const leaf = fc.constantFrom<unknown>(0, 1, 'text', null, true);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Each leaf by its path. */
function leavesOf(of: unknown, path = ''): Map<string, string> {
  if (typeof of !== 'object' || of === null) return new Map([[path, JSON.stringify(of)]]);
  const within = Object.entries(of).flatMap(([name, part]) => [
    ...leavesOf(part, path === '' ? name : `${path}.${name}`),
  ]);
  return new Map(within);
}

test('the first five fields that differ are named by their paths', async () => {
  await holdLaw(400, fc.tuple(value, value), ([first, second]) => {
    const found = findDifference(first, second);
    const [one, other] = [leavesOf(first), leavesOf(second)];
    const isUnder = (path: string, at: string): boolean =>
      at === '' || path === at || path.startsWith(`${at}.`);
    for (const { path, first: a, second: b } of found) {
      expect(Object.is(a, b)).toBe(false);
      expect(
        [...leavesOf(a, path)].every(([at, text]) => a === undefined || one.get(at) === text),
      ).toBe(true);
      expect(
        [...leavesOf(b, path)].every(([at, text]) => b === undefined || other.get(at) === text),
      ).toBe(true);
    }
    const paths = found.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.length).toBeLessThanOrEqual(5);
    // What is not under one of them is the same, unless there are more than are told.
    const all = new Set([...one.keys(), ...other.keys()]);
    const rest = [...all].filter(
      (path) => one.get(path) !== other.get(path) && !paths.some((at) => isUnder(path, at)),
    );
    if (paths.length < 5) expect(rest).toEqual([]);
    if (JSON.stringify(first) === JSON.stringify(second)) expect(found).toEqual([]);
  });
});

test('two runs differ at the first intent that is another one, or that only one of them has', () => {
  const emission = (size: number) =>
    ({ intent: { kind: 'place_order', request: { size } }, cause: 'bar' }) as never;
  const runs = [[], [1], [1, 2], [1, 2, 3], [1, 3], [2]];
  for (const first of runs)
    for (const second of runs) {
      const found = diffEmissions(first.map(emission), second.map(emission));
      const index = [0, 1, 2].find((at) => first[at] !== second[at]);
      if (index === undefined) expect(found).toBeUndefined();
      else {
        expect([found!.index, found!.first === undefined, found!.second === undefined]).toEqual([
          index,
          first[index] === undefined,
          second[index] === undefined,
        ]);
        if (first[index] !== undefined && second[index] !== undefined)
          expect(found!.fields).toEqual([
            { path: 'intent.request.size', first: first[index], second: second[index] },
          ]);
      }
    }
});
