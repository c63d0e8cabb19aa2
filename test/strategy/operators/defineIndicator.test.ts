import fc from 'fast-check';
import { from, map, of, Subject, type Observable } from 'rxjs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { createIndicator } from '../../../src/indicators/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import type { ClosedBar } from '../../../src/strategy/Bar.ts';
import {
  atr,
  closes,
  defineIndicator,
  defineStrategy,
  ema,
  macd,
  withIndicators,
} from '../../../src/strategy/index.ts';
import { runStrategy } from '../../strategies/runStrategy.ts';
import { planted } from '../../testing/planted.ts';
import { bars, walk } from './bars.ts';

function collect<T>(values$: Observable<T>): T[] {
  const all: T[] = [];
  values$.subscribe((value) => all.push(value));
  return all;
}

/** What a call throws. */
function thrownBy(call: () => unknown): Error & { code?: string } {
  try {
    call();
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error('It threw nothing.');
}

/** What a stream ends with. */
function failureOf(values$: Observable<unknown>): Error & { code?: string } {
  const failures: unknown[] = [];
  values$.subscribe({ error: (error: unknown) => failures.push(error) });
  expect(failures).toHaveLength(1);
  return failures[0] as Error;
}

const period = z.object({ period: z.int().min(1).max(500).default(20) });

/** The catalogue's average by way of an author's definition. */
const ownEma = defineIndicator({
  name: 'ema',
  params: period,
  series: ['value'],
  input: 'close',
  warmup: (params) => params.period,
  create: (params) => {
    const kernel = createIndicator('ema', params);
    return {
      next: (close) => {
        kernel.next(0, close, close, close, close, 0);
        return kernel.values[0]!;
      },
    };
  },
});

/** One object, filled again at every bar, and lines that are ready at different bars. */
const ownMacd = defineIndicator({
  name: 'macd',
  params: z.object({
    fast_period: z.int().min(1).default(12),
    slow_period: z.int().min(1).default(26),
    signal_period: z.int().min(1).default(9),
  }),
  series: ['macd', 'signal', 'histogram'],
  warmup: (params) => createIndicator('macd', params).barsNeeded,
  create: (params) => {
    const kernel = createIndicator('macd', params);
    const lines = { macd: 0, signal: 0, histogram: 0 };
    return {
      next: (bar) => {
        kernel.next(bar.time, bar.open, bar.high, bar.low, bar.close, bar.volume);
        for (const name of ['macd', 'signal', 'histogram'] as const)
          lines[name] = kernel.value(name);
        return lines;
      },
    };
  },
});

/** Gives what it is asked to, bar after bar. */
const scripted = (script: readonly unknown[], warmup = 1) =>
  defineIndicator({
    name: 'scripted',
    params: z.object({ kind: z.string().default('a') }),
    series: ['value'],
    warmup: () => warmup,
    create: () => {
      let at = 0;
      return {
        next: () => {
          const said = script[at++];
          // A library's way to fail.
          // oxlint-disable-next-line typescript/only-throw-error
          if (said === 'throw') throw 'Inputs not of equal size';
          return said as number;
        },
      };
    },
  })();

describe('an indicator of an author’s own', () => {
  test('gives what the same kernel of the catalogue gives, at the same bars, alone and beside others', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 120 }),
        fc.integer({ min: 1, max: 30 }),
        (prices, length) => {
          const input = bars(prices);
          const own = from(input).pipe(ownEma({ period: length }));
          expect(collect(own)).toEqual(collect(from(input).pipe(ema(length))));
          const rows = withIndicators({
            own: ownEma({ period: length }),
            theirs: ema(length),
            lines: ownMacd({ fast_period: 2, slow_period: length }),
            published: macd({ fast_period: 2, slow_period: length }),
            range: atr(2),
          });
          for (const row of collect(from(input).pipe(rows))) {
            expect(row.own).toBe(row.theirs);
            expect(row.lines).toEqual(row.published);
          }
          const plain = withIndicators({
            theirs: ema(length),
            published: macd({ fast_period: 2, slow_period: length }),
            range: atr(2),
          });
          expect(collect(from(input).pipe(rows)).map(({ bar }) => bar)).toEqual(
            collect(from(input).pipe(plain)).map(({ bar }) => bar),
          );
        },
      ),
    );
  });

  test('follows numbers, if closes are all that it reads', () => {
    const input = walk(50);
    expect(collect(from(input).pipe(closes(), ownEma({ period: 5 })))).toEqual(
      collect(from(input).pipe(ownEma({ period: 5 }))),
    );
    // @ts-expect-error it reads whole bars
    from([1, 2]).pipe(ownMacd());
  });

  test('gives nothing before its warm-up, even if the kernel does', () => {
    const eager = scripted([1, NaN, 3, 4], 3);
    expect(eager.barsNeeded).toBe(3);
    expect(collect(from(bars([1, 1, 1, 1])).pipe(eager))).toEqual([3, 4]);
  });

  test('has its own kernel in each subscription', () => {
    const average = ownEma({ period: 2 });
    const input = new Subject<ClosedBar>();
    const first: number[] = [];
    const second: number[] = [];
    input.pipe(average).subscribe((value) => first.push(value));
    const [a, b, c] = bars([2, 4, 9]);
    input.next(a!);
    input.pipe(average).subscribe((value) => second.push(value));
    input.next(b!);
    input.next(c!);
    expect(first).toEqual([3, 7]);
    expect(second).toEqual([6.5]);
  });

  test('does not change an emitted row with later bars', () => {
    const input = walk(60);
    const rows = collect(from(input).pipe(withIndicators({ lines: ownMacd() })));
    expect(new Set(rows.map(({ lines }) => lines.macd)).size).toBeGreaterThan(20);
  });

  test('has the types of its definition', () => {
    const rows$ = of(...bars([1])).pipe(withIndicators({ own: ownEma(), lines: ownMacd() }));
    expectTypeOf(rows$.pipe(map(({ own }) => own))).toEqualTypeOf<Observable<number>>();
    expectTypeOf(rows$.pipe(map(({ lines }) => lines.signal))).toEqualTypeOf<Observable<number>>();
    // @ts-expect-error there is no such series
    rows$.pipe(map(({ lines }) => lines.middle));
    // @ts-expect-error there is no such parameter
    expect(() => ownEma({ length: 3 })).toThrow(RangeError);
  });
});

describe('what a kernel gives must be a finite number', () => {
  test.each([
    ['NaN', [1, NaN], 'gave NaN at'],
    ['an infinite number', [1, -Infinity], 'gave -Infinity at'],
    ['no value', [1, undefined], 'gave no value at'],
    ['null', [1, null], 'gave no value at'],
    ['a text', [1, '7'], 'gave "7" at'],
    ['a throw', [1, 'throw'], 'failed at'],
  ])('%s ends the stream with indicator, parameters and bar', (_what, script, said) => {
    const error = failureOf(from(bars([1, 1, 1])).pipe(scripted(script)));
    expect(error.code).toBe('TRIMTAB_INDICATOR_VALUE');
    expect(error.message).toContain(`The indicator scripted(a) ${said}`);
    expect(error.message).toContain('the BTC 1m bar of 2025-06-02T00:01:00.000Z, bar 2 of its');
    const beside = withIndicators({ fine: ema(1), spoiled: scripted(script) });
    expect(failureOf(from(bars([1, 1, 1])).pipe(beside)).message).toBe(error.message);
  });

  test('a warm-up that is too short is reported at its first bar', () => {
    const error = failureOf(from(bars([1, 1, 1])).pipe(scripted([undefined, undefined, 1], 2)));
    expect(error.message).toMatch(/gave no value at .* bar 2 .*From bar 2 on .*or its warmup\.$/);
  });

  test('the series is named if there are several', () => {
    const split = defineIndicator({
      name: 'split',
      params: z.object({}),
      series: ['up', 'down'],
      input: 'close',
      warmup: () => 1,
      create: () => ({ next: (close) => ({ up: close, down: 1 / (close - 2) }) }),
    });
    expect(failureOf(from([1, 2]).pipe(split())).message).toContain(
      'The indicator split gave Infinity for down at number 2 of its input (2).',
    );
  });

  test('the strategy is quarantined with the code, and its reason names the bar', () => {
    const spoiled = planted((ctx) =>
      ctx.candles('BTC', '1m').pipe(
        scripted([1, NaN]),
        map(() => undefined as never),
      ),
    );
    const run = runStrategy(spoiled);
    expect(() => run.bars(1, 1)).not.toThrow();
    expect(JSON.stringify(run.faults)).toContain('TRIMTAB_INDICATOR_VALUE');
    expect(JSON.stringify(run.faults)).toContain('scripted(a) gave NaN at the BTC 1m bar of');
  });
});

describe('what does not fit is refused where it is written', () => {
  test('parameters, with name, value and what there is', () => {
    const error = thrownBy(() => ownEma({ period: 0 }));
    expect(error).toBeInstanceOf(RangeError);
    expect(error.code).toBe('TRIMTAB_INDICATOR_PARAMETER');
    expect(error.message).toBe(
      'Parameters of ema: period: Too small: expected number to be >=1 (it is 0). It takes period.',
    );
    const text = thrownBy(() => ownEma({ period: '5' as never })).message;
    expect(text).toContain('period: Invalid input: expected number, received string (it is "5")');
    expect(thrownBy(() => ownEma({ length: 5 } as never)).message).toBe(
      'Parameters of ema: it has no length. It takes period.',
    );
    expect(ownEma().params).toEqual({ period: 20 });
    expect(Object.isFrozen(ownEma().params)).toBe(true);
  });

  const fine = {
    name: 'fine',
    params: z.object({}),
    series: ['value'],
    warmup: () => 1,
    create: () => ({ next: () => 1 }),
  } as const;
  const kernel = { next: () => 1 };
  test.each([
    [{ name: 'my indicator' }, 'its name must be'],
    [{ name: '' }, 'its name must be'],
    [{ series: [] }, "Write ['value'] for one number"],
    [{ series: ['a', '__proto__'] }, '`series` names "__proto__"'],
    [{ series: ['a', 'a'] }, '`series` names one twice: a, a'],
    [{ input: 'closes' }, "Write 'bar' or 'close'"],
    [{ warmup: () => 0 }, '`warmup` gives 0'],
    [{ warmup: () => 2.5 }, '`warmup` gives 2.5'],
    [{ warmup: () => NaN }, '`warmup` gives NaN'],
    [{ create: () => ({}) }, 'no object with a `next`'],
    [{ create: () => undefined }, 'no object with a `next`'],
    [{ create: () => kernel }, 'the same kernel again'],
  ])('a definition with %o', (change, said) => {
    const make = () => from(bars([1])).pipe(defineIndicator({ ...fine, ...(change as {}) })());
    const failures: unknown[] = [];
    const error = thrownBy(() => {
      make().subscribe({ error: (thrown: unknown) => failures.push(thrown) });
      throw failures[0];
    });
    expect(error.code).toBe('TRIMTAB_INDICATOR_DEFINITION');
    expect(error.message).toContain(said);
  });

  test('what `create` throws comes out of the call', () => {
    const make = defineIndicator({
      ...fine,
      create: () => {
        throw new TypeError('No such thing.');
      },
    });
    expect(make).toThrow('No such thing.');
  });
});

const buy = () => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });

test('the journal gets its values under its name and parameters', () => {
  const reporting = planted((ctx) =>
    ctx
      .candles('BTC', '1m')
      .pipe(withIndicators({ own: ownEma({ period: 2 }), lines: scripted([5, 6]) }), map(buy)),
  );
  const alone = defineStrategy({
    ...reporting,
    setup: (ctx) => ctx.candles('BTC', '1m').pipe(closes(), ownEma({ period: 2 }), map(buy)),
  });
  const labels = (strategy: typeof reporting) => {
    const run = runStrategy(strategy);
    run.bars(10, 20);
    return run.emissions.map(({ trigger }) => trigger['indicators']);
  };
  expect(labels(reporting)).toEqual([{ 'own ema(2)': 15, 'lines scripted(a)': 6 }]);
  expect(labels(alone)).toEqual([{ 'ema(2)': 15 }]);
});
