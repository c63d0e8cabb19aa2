import * as fc from 'fast-check';
import { from } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { crossesOver, crossesUnder } from '../../../src/strategy/operators/index.ts';
import { marbles } from './marbles.ts';

const pair = (a: number, b: number) => [a, b] as const;
const above = pair(2, 1);
const equal = pair(1, 1);
const below = pair(1, 2);
const lines = { a: above, e: equal, b: below };

describe('crossesOver', () => {
  test('emits where the first line goes from below to above the second', () => {
    marbles(({ cold, expectObservable }) => {
      const source = cold('b-a-a-b-a|', lines);
      expectObservable(source.pipe(crossesOver())).toBe('--a-----a|', lines);
    });
  });

  test('emits once the line rises from a touch, and not at the best price', () => {
    marbles(({ cold, expectObservable }) => {
      const source = cold('b-e-a-e-a|', lines);
      expectObservable(source.pipe(crossesOver())).toBe('----a---a|', lines);
    });
  });

  test('never emits at the first value', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-a|', lines).pipe(crossesOver())).toBe('---|');
    });
  });

  test('reads its lines by two selectors, and emits the value itself', () => {
    const values = [
      { fast: 1, slow: 2 },
      { fast: 3, slow: 2 },
    ];
    const seen: unknown[] = [];
    const crossed = crossesOver<(typeof values)[number]>(
      (x) => x.fast,
      (x) => x.slow,
    );
    from(values)
      .pipe(crossed)
      .subscribe((value) => seen.push(value));
    expect(seen).toEqual([values[1]]);
    expect(seen[0]).toBe(values[1]);
  });

  test('ignores a value with NaN', () => {
    const unknown = pair(NaN, 1);
    marbles(({ cold, expectObservable }) => {
      const source = cold('b-n-a|', { ...lines, n: unknown });
      expectObservable(source.pipe(crossesOver())).toBe('----a|', lines);
    });
  });

  test('ends with the error of a selector that throws', () => {
    const failure = new Error('no such line');
    marbles(({ cold, expectObservable }) => {
      const throwing = () => {
        throw failure;
      };
      const result = cold('a-|', lines).pipe(crossesOver<typeof above>(throwing, throwing));
      expectObservable(result).toBe('#', undefined, failure);
    });
  });
});

describe('crossesUnder', () => {
  test('emits where the first line goes from above or a touch to below the second', () => {
    marbles(({ cold, expectObservable }) => {
      const source = cold('a-b-e-b-a-b|', lines);
      expectObservable(source.pipe(crossesUnder())).toBe('--b---b---b|', lines);
    });
  });

  test('mirrors crossesOver of the swapped lines, whatever they are', () => {
    const anyPairs = fc.array(
      fc.tuple(fc.integer({ max: 3, min: 0 }), fc.integer({ max: 3, min: 0 })),
    );
    fc.assert(
      fc.property(anyPairs, (pairs) => {
        const under: unknown[] = [];
        const over: unknown[] = [];
        from(pairs)
          .pipe(crossesUnder())
          .subscribe((value) => under.push(value));
        from(pairs)
          .pipe(
            crossesOver(
              ([, b]) => b,
              ([a]) => a,
            ),
          )
          .subscribe((value) => over.push(value));
        expect(under).toEqual(over);
      }),
    );
  });
});
