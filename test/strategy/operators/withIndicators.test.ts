import { from, map, of, type Observable } from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { ClosedBar } from '../../../src/strategy/Bar.ts';
import {
  adx,
  atr,
  bollinger,
  crossesOver,
  ema,
  resample,
  shareRows,
  withIndicators,
} from '../../../src/strategy/operators/index.ts';
import { bars, walk } from './bars.ts';
import { marbles } from './marbles.ts';

function collect<T>(values$: Observable<T>): T[] {
  const all: T[] = [];
  values$.subscribe((value) => all.push(value));
  return all;
}

describe('withIndicators', () => {
  test('MKT-4: emits each bar with all values, from the bar on where every one is ready', () => {
    const [a, b, c] = bars([2, 4, 8]);
    marbles(({ cold, expectObservable }) => {
      const source = cold('a-b-c|', { a: a!, b: b!, c: c! });
      const result = source.pipe(withIndicators({ one: ema(1), two: ema(2) }));
      expectObservable(result).toBe('--b-c|', {
        b: { bar: b, one: 4, two: 3 },
        c: { bar: c, one: 8, two: 3 + (8 - 3) * (2 / 3) },
      });
    });
  });

  test('equals the single operators at the same bars', () => {
    const input = walk(80);
    const fused = collect(
      from(input).pipe(
        withIndicators({ trend: adx(5), bands: bollinger({ period: 7 }), range: atr(3) }),
      ),
    );
    const tail = <T>(values: T[]) => values.slice(-fused.length);
    expect(fused).toHaveLength(80 - 9);
    expect(fused.map((row) => row.bar)).toEqual(tail(input));
    expect(fused.map((row) => row.trend)).toEqual(tail(collect(from(input).pipe(adx(5)))));
    expect(fused.map((row) => row.range)).toEqual(tail(collect(from(input).pipe(atr(3)))));
    const bands = collect(from(input).pipe(bollinger({ period: 7 })));
    expect(fused.map((row) => row.bands)).toEqual(tail(bands));
  });

  test('does not change an emitted row with later bars', () => {
    const rows = collect(from(bars([1, 2, 3])).pipe(withIndicators({ now: ema(1) })));
    expect(rows.map((row) => row.now)).toEqual([1, 2, 3]);
  });

  test('infers the type of each value', () => {
    const rows$ = of(...bars([1])).pipe(withIndicators({ fast: ema(10), bands: bollinger() }));
    const fast$ = rows$.pipe(map((row) => row.fast));
    const bar$ = rows$.pipe(map((row) => row.bar));
    expectTypeOf(fast$).toEqualTypeOf<Observable<number>>();
    expectTypeOf(bar$).toEqualTypeOf<Observable<ClosedBar>>();
    // @ts-expect-error there is no such band
    rows$.pipe(map((row) => row.bands.middle));
    expect(collect(rows$)).toEqual([]);
  });

  test('goes before a crossing wherever the bars come from', () => {
    const input = walk(80);
    const rows$ = from(input).pipe(withIndicators({ fast: ema(2), slow: ema(5) }));
    const fast = collect(rows$);
    const expected = fast.filter(
      (row, at) => at > 0 && row.fast > row.slow && fast[at - 1]!.fast <= fast[at - 1]!.slow,
    );
    const crosses = crossesOver<(typeof fast)[number]>(
      ({ fast: line }) => line,
      ({ slow }) => slow,
    );
    expect(expected.length).toBeGreaterThan(2);
    expect(collect(rows$.pipe(crosses))).toEqual(expected);
    expect(collect(rows$.pipe(shareRows(), crosses))).toEqual(expected);
    const resampled$ = from(input).pipe(resample('1m'));
    const same$ = resampled$.pipe(withIndicators({ fast: ema(2), slow: ema(5) }), crosses);
    expect(collect(same$)).toEqual(expected);
  });

  test('accepts any name as a field', () => {
    const names = ['a-b', '"', '\\', "'};throw 1;//", '0', 'toString', 'constructor'];
    const spec = Object.fromEntries(names.map((name) => [name, ema(1)]));
    const [row] = collect(of(...bars([7])).pipe(withIndicators(spec)));
    for (const name of names) expect(Object.hasOwn(row!, name)).toBe(true);
    expect(Object.keys(row!)).toHaveLength(names.length + 1);
  });

  test('refuses reserved names', () => {
    expect(() => withIndicators({ bar: ema(2) })).toThrow(RangeError);
    const proto = JSON.parse('{"__proto__": 1}') as Record<string, never>;
    const spec = Object.fromEntries(Object.keys(proto).map((name) => [name, ema(2)]));
    const failures: unknown[] = [];
    of(...bars([1]))
      .pipe(withIndicators(spec))
      .subscribe({ error: (error: unknown) => failures.push(error) });
    expect(failures).toEqual([expect.any(RangeError)]);
  });
});
