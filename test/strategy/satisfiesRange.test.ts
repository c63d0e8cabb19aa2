import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { satisfiesRange } from '../../src/strategy/satisfiesRange.ts';

/** npm's own, which a development tool brings. */
const { satisfies } = createRequire(import.meta.resolve('@arethetypeswrong/core'))('semver') as {
  satisfies(version: string, range: string): boolean;
};

const part = fc.integer({ min: 0, max: 4 });
const version = fc.tuple(part, part, part).map((parts) => parts.join('.'));
const loose = fc.oneof(part.map(String), fc.constantFrom('x', '*'));
const partial = fc.oneof(
  version,
  fc.tuple(part, loose).map((parts) => parts.join('.')),
  fc.tuple(part, part, loose).map((parts) => parts.join('.')),
  loose,
);
const comparator = fc
  .tuple(fc.constantFrom('', '^', '~', '>=', '<=', '>', '<', '=', '^ ', '>= '), partial)
  .map((parts) => parts.join(''));
const range = fc.oneof(
  fc.array(comparator, { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
  fc.tuple(partial, partial).map((both) => both.join(' - ')),
  fc.tuple(comparator, comparator).map((both) => both.join(' || ')),
  fc.constant(''),
);

test('agrees with npm on every range of releases', () => {
  fc.assert(
    fc.property(version, range, (one, other) => {
      expect([other, one, satisfiesRange(one, other)]).toEqual([other, one, satisfies(one, other)]);
    }),
    { numRuns: 20_000 },
  );
});

test('counts a pre-release as its release, and leaves other notations open', () => {
  expect(satisfiesRange('0.2.0-beta.1', '^0.2.0')).toBe(true);
  expect(satisfiesRange('0.2.0', '^0.2.0-rc.1')).toBe(true);
  expect(satisfiesRange('0.2.0', 'latest')).toBeUndefined();
  expect(satisfiesRange('unknown', '^1.0.0')).toBeUndefined();
});
