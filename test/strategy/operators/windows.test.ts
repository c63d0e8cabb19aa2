import { describe, expect, test } from 'vitest';
import { Subject } from 'rxjs';
import type { ClosedBar } from '../../../src/strategy/Bar.ts';
import {
  closes,
  cooldown,
  distinctBar,
  highest,
  highs,
  lowest,
  lows,
  opens,
  volumes,
  withPrevious,
} from '../../../src/strategy/operators/index.ts';
import { bar } from './bars.ts';
import { marbles } from './marbles.ts';

const digits = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 9: 9 };

describe('the fields of a bar', () => {
  test('opens, highs, lows, closes and volumes each read theirs', () => {
    const one = bar(10, { open: 9, high: 12, low: 8, volume: 3 });
    marbles(({ cold, expectObservable }) => {
      const source = cold('x|', { x: one });
      expectObservable(source.pipe(opens())).toBe('x|', { x: 9 });
      expectObservable(source.pipe(closes())).toBe('x|', { x: 10 });
      expectObservable(source.pipe(highs())).toBe('x|', { x: 12 });
      expectObservable(source.pipe(lows())).toBe('x|', { x: 8 });
      expectObservable(source.pipe(volumes())).toBe('x|', { x: 3 });
    });
  });
});

describe('highest and lowest', () => {
  test('emit the extreme of the last numbers, once there are as many', () => {
    marbles(({ cold, expectObservable }) => {
      const source = cold<number>('3-9-2-1-4-5|', digits);
      expectObservable(source.pipe(highest(3))).toBe('----9-9-4-5|', digits);
      expectObservable(source.pipe(lowest(3))).toBe('----2-1-1-1|', digits);
    });
  });

  test('read highs and lows when they are given bars', () => {
    const [a, b] = [bar(10, { high: 15, low: 4 }), bar(11, { high: 13, low: 2 })];
    marbles(({ cold, expectObservable }) => {
      const source = cold('a-b|', { a, b });
      expectObservable(source.pipe(highest(2))).toBe('--b|', { b: 15 });
      expectObservable(source.pipe(lowest(2))).toBe('--b|', { b: 2 });
    });
  });

  test('refuse a window that is not a whole number', () => {
    for (const count of [0, -1, 1.5, NaN, Infinity]) {
      expect(() => highest(count)).toThrow(RangeError);
      expect(() => lowest(count)).toThrow(RangeError);
      expect(() => cooldown(count)).toThrow(RangeError);
    }
  });
});

describe('withPrevious', () => {
  test('gives each value with the one before, from the second on', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-b-c|').pipe(withPrevious())).toBe('--b-c|', {
        b: { previous: 'a', current: 'b' },
        c: { previous: 'b', current: 'c' },
      });
    });
  });

  test('counts a value that is undefined as a value', () => {
    const source = new Subject<number | undefined>();
    const seen: unknown[] = [];
    source.pipe(withPrevious()).subscribe((value) => seen.push(value));
    source.next(undefined);
    source.next(1);
    expect(seen).toEqual([{ previous: undefined, current: 1 }]);
  });
});

describe('cooldown', () => {
  test('drops the given number of values after one that passed, then passes the next', () => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-b-c-d-e|').pipe(cooldown(2))).toBe('a-----d--|');
      expectObservable(cold('a-b-c-d-e|').pipe(cooldown(1))).toBe('a---c---e|');
    });
  });
});

describe('distinctBar', () => {
  test('drops a bar that came before, and one that is older', () => {
    const at = (time: number, fields: Partial<ClosedBar> = {}) => bar(1, { time, ...fields });
    const values = { a: at(0), b: at(60_000), c: at(120_000) };
    marbles(({ cold, expectObservable }) => {
      const source = cold('a-b-b-a-c|', values);
      expectObservable(source.pipe(distinctBar())).toBe('a-b-----c|', values);
    });
  });

  test('passes the bar that closes after its updates, and none of them afterwards', () => {
    const update = (close: number, time = 60_000) => ({ ...bar(close, { time }), closed: false });
    const values = {
      z: bar(1, { time: 0 }),
      a: update(1),
      b: update(2),
      c: bar(3, { time: 60_000 }),
      d: update(4, 120_000),
      e: bar(5, { time: 120_000 }),
    };
    marbles(({ cold, expectObservable }) => {
      // A second stream of the same bars is a step behind.
      const source = cold('zzaabbccbdbcdee|', values);
      expectObservable(source.pipe(distinctBar())).toBe('z-aabbc--d--de-|', values);
    });
  });

  test('distinguishes symbols and intervals', () => {
    const values = { a: bar(1), b: bar(1, { symbol: 'ETH' }), c: bar(1, { interval: '5m' }) };
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-b-c|', values).pipe(distinctBar())).toBe('a-b-c|', values);
    });
  });
});
