import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SeenIds } from '../../../src/paper/feed/SeenIds.ts';

test('an id is new once, whatever the order, and however many sets the ids need', () => {
  const id = fc.oneof(
    fc.integer({ min: -20, max: 40 }),
    fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
    fc.constantFrom('a', 'b', '7', '9007199254740993'),
  );
  const runs = fc.record({
    from: fc.integer({ min: -20, max: 40 }),
    step: fc.constantFrom(-2, -1, 0, 1, 3),
    count: fc.integer({ min: 1, max: 20 }),
  });
  // Archives ascend or descend, and a recorder that connects again repeats a part.
  const run = runs.map(({ from, step, count }) =>
    Array.from({ length: count }, (_none, at) => from + step * at),
  );
  const drawn = fc.array(fc.oneof(run, fc.array(id, { maxLength: 10 })), { maxLength: 6 });
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 4 }), (parts, mostOfSet) => {
      const ids = parts.flat();
      const seen = new SeenIds(mostOfSet);
      expect(ids.map((each) => seen.add(each))).toEqual(
        ids.map((each, at) => ids.indexOf(each) === at),
      );
    }),
    { numRuns: 2_000 },
  );
});
