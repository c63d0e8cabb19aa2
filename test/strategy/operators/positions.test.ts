import { describe, expect, test } from 'vitest';
import { of, Subject } from 'rxjs';
import { whenFlat, whenOpen, withPosition } from '../../../src/strategy/operators/index.ts';
import { marbles } from './marbles.ts';

const held = { size: 2, side: 'long' };
const positions = { p: held, n: null, z: { size: 0, side: 'long' } };

describe('withPosition', () => {
  test('adds the latest position to each value, null when flat', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('  --a--b--c|', { a: { id: 1 }, b: { id: 2 }, c: { id: 3 } });
      const position$ = hot('n---p--n---', positions);
      expectObservable(source.pipe(withPosition(position$))).toBe('--a--b--c|', {
        a: { id: 1, position: null },
        b: { id: 2, position: held },
        c: { id: 3, position: null },
      });
    });
  });

  test('drops values before the position is known', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('  a--b|', { a: { id: 1 }, b: { id: 2 } });
      const position$ = hot('-n---', positions);
      const expected = { b: { id: 2, position: null } };
      expectObservable(source.pipe(withPosition(position$))).toBe('---b|', expected);
    });
  });

  test('keeps the last position when its stream has ended, and fails when it fails', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('a--a|', { a: { id: 1 } });
      const expected = { a: { id: 1, position: null } };
      expectObservable(source.pipe(withPosition(of(null)))).toBe('a--a|', expected);
      const failing$ = hot('-#');
      expectObservable(source.pipe(withPosition(failing$ as never))).toBe('-#');
    });
  });

  test('unsubscribes from the position on unsubscribe', () => {
    const position$ = new Subject<{ size: number } | null>();
    const subscription = new Subject<object>().pipe(withPosition(position$)).subscribe();
    expect(position$.observed).toBe(true);
    subscription.unsubscribe();
    expect(position$.observed).toBe(false);
  });
});

describe('whenFlat and whenOpen', () => {
  test('whenFlat passes values while there is no position, one of size zero included', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('  a-b-c-d|');
      const position$ = hot('-n-p-z--', positions);
      expectObservable(source.pipe(whenFlat(position$))).toBe('--b---d|');
    });
  });

  test('whenOpen passes values while a position is open, and none before it is known', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('  a-b-c-d|');
      const position$ = hot('-p-n-p--', positions);
      expectObservable(source.pipe(whenOpen(position$))).toBe('--b---d|');
    });
  });

  test('every value after the position is known passes exactly one of the two', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('  -a-b-c-d|');
      const position$ = hot('p-n-p-n--', positions);
      expectObservable(source.pipe(whenOpen(position$))).toBe('-a---c--|');
      expectObservable(source.pipe(whenFlat(position$))).toBe('---b---d|');
    });
  });
});
