import {
  from,
  lastValueFrom,
  map,
  of,
  Subject,
  toArray,
  type Observable,
  type OperatorFunction,
} from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { INDICATOR_IDS, type IndicatorId } from '../../../src/contract/index.ts';
import { createIndicator } from '../../../src/indicators/index.ts';
import type { ClosedBar, FormingBar } from '../../../src/strategy/Bar.ts';
import * as exported from '../../../src/strategy/operators/index.ts';
import { atr, bollinger, ema, highest, lowest } from '../../../src/strategy/operators/index.ts';
import { macd, rsi, sma, vwap, wma } from '../../../src/strategy/operators/index.ts';
import { runStrategy } from '../../strategies/runStrategy.ts';
import { planted } from '../../testing/planted.ts';
import { bars, walk } from './bars.ts';
import { marbles } from './marbles.ts';

/** Every operator of an indicator bears the indicator's name. */
const operators: Readonly<Record<string, unknown>> = { ...exported };

type AnyOperator = OperatorFunction<ClosedBar, unknown> & { indicator: string; params: object };

function collect<In, Out>(values: In[], operator: OperatorFunction<In, Out>): Out[] {
  const all: Out[] = [];
  from(values)
    .pipe(operator)
    .subscribe((value) => all.push(value));
  return all;
}

describe('the operator of an indicator', () => {
  test.for(INDICATOR_IDS)(
    'MKT-4: %s emits its kernel’s values, from the first ready bar on',
    (id) => {
      const operator = (operators[id] as () => AnyOperator)();
      const input = walk(120);
      const kernel = createIndicator(id);
      const expected: unknown[] = [];
      for (const { time, open, high, low, close, volume } of input) {
        if (!kernel.next(time, open, high, low, close, volume)) continue;
        const named = kernel.series.map((name) => [name, kernel.value(name)]);
        expected.push(kernel.series.length === 1 ? kernel.value() : Object.fromEntries(named));
      }
      expect(expected).toHaveLength(120 - kernel.barsNeeded + 1);
      expect(collect(input, operator)).toEqual(expected);
    },
  );

  test.for(INDICATOR_IDS)('%s names its indicator and parameters', (id: IndicatorId) => {
    const operator = (operators[id] as () => AnyOperator)();
    expect(operator.indicator).toBe(id);
    expect(createIndicator(id, { ...operator.params }).params).toEqual(createIndicator(id).params);
  });

  test('is silent while it warms up', () => {
    marbles(({ cold, expectObservable }) => {
      const source = cold('a-b-c-d|', { a: 1, b: 2, c: 6, d: 4 });
      expectObservable(source.pipe(sma(3))).toBe('----c-d|', { c: 3, d: 4 });
    });
  });

  test('follows bare numbers as it follows closes, for those that need no more', () => {
    const input = walk(60);
    const numbers = input.map(({ close }) => close);
    for (const id of ['sma', 'ema', 'wma', 'bollinger', 'rsi', 'macd'] as const) {
      const create = operators[id] as () => OperatorFunction<ClosedBar | number, unknown>;
      expect(collect<ClosedBar | number, unknown>(numbers, create())).toEqual(
        collect<ClosedBar | number, unknown>(input, create()),
      );
    }
  });

  test('gives each emission its own object', () => {
    const [first, second] = collect(walk(30), bollinger({ period: 2 }));
    expect(first).not.toBe(second);
    expect(first!.mid).not.toBe(second!.mid);
  });

  test('refuses wrong parameters at construction, not at the first bar', () => {
    expect(() => sma(0)).toThrow(RangeError);
    expect(() => bollinger({ period: 1.5 })).toThrow(/integer/);
  });

  test('has the types of its values, and accepts no forming bar', () => {
    const closed$ = of(...bars([1, 2]));
    const forming$ = of<FormingBar[]>();
    expectTypeOf(closed$.pipe(ema(2))).toEqualTypeOf<Observable<number>>();
    const bands$ = closed$.pipe(bollinger());
    expectTypeOf(bands$.pipe(toArray())).toEqualTypeOf<
      Observable<{ readonly upper: number; readonly mid: number; readonly lower: number }[]>
    >();
    // @ts-expect-error a forming bar may still change, so no indicator reads it
    forming$.pipe(atr());
    // @ts-expect-error a range needs more of a bar than a number
    of(1).pipe(atr());
    // @ts-expect-error the catalogue has no such parameter
    expect(() => macd({ fast: 3 })).toThrow(RangeError);
    expect(vwap().indicator).toBe('vwap');
  });

  test('forgets nothing between two bars of a hot source', () => {
    const source = new Subject<number>();
    const seen: number[] = [];
    source.pipe(sma(2)).subscribe((value) => seen.push(value));
    for (const value of [1, 3, 5]) source.next(value);
    expect(seen).toEqual([2, 4]);
  });
});

describe('a number that is none', () => {
  const spoilt = [1, 2, 3, 0 / 0, 5, 6];
  const taking = { sma: sma(2), ema: ema(2), wma: wma(2), bollinger: bollinger({ period: 2 }) };
  const others = { rsi: rsi(2), macd: macd(), highest: highest(2), lowest: lowest(2) };

  test.each(Object.entries({ ...taking, ...others }))('ends the stream of %s', (name, operator) => {
    const seen: unknown[] = [];
    let error: (Error & { code?: string }) | undefined;
    from(spoilt)
      .pipe(operator as OperatorFunction<number, unknown>)
      .subscribe({ next: (value) => seen.push(value), error: (thrown) => (error = thrown) });
    expect(error?.code).toBe('TRIMTAB_INDICATOR_VALUE');
    expect(error?.message).toMatch(new RegExp(`^The indicator ${name}\\(.*\\) was given NaN`));
    expect(JSON.stringify(seen)).not.toContain('null');
  });

  test.each([Infinity, -Infinity])('is one beyond all numbers too: %d', async (value) => {
    const last$ = from([1, value]).pipe(ema(1));
    await expect(lastValueFrom(last$)).rejects.toThrow(`ema(1) was given ${value}`);
  });

  test('quarantines the strategy, and its reason names the bar and the plugin’s line', () => {
    const strategy = planted((ctx) =>
      ctx.candles('BTC', '1m').pipe(
        map(({ close }) => (close - 1) / (close - 1)),
        ema(3),
        map(() => undefined as never),
      ),
    );
    const run = runStrategy(strategy);
    run.bars(2, 1);
    expect(run.faults).toMatchObject([{ code: 'TRIMTAB_INDICATOR_VALUE' }]);
    expect(run.faults[0]!.reason).toContain(
      'The indicator ema(3) was given NaN upon the BTC 1m bar of 2026-01-05T00:01:00.000Z',
    );
    expect(run.faults[0]!.stack).toContain('indicators.test.ts');
  });
});
