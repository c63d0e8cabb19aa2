/** What an operator computed is recorded as it is emitted, under a name that has all of its parameters, and faults have their place. */
import { map, Observable, Subject, type OperatorFunction } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ClosedBar } from '../../../src/strategy/Bar.ts';
import { enterReadings, type Reading } from '../../../src/strategy/createReadings.ts';
import {
  bollinger,
  closes,
  defineIndicator,
  ema,
  highest,
  lowest,
  macd,
  resample,
  shareRows,
  sma,
  withIndicators,
} from '../../../src/strategy/operators/index.ts';
import { bar, bars, walk } from './bars.ts';

const spread = defineIndicator({
  name: 'spread',
  params: z.object({
    factor: z.number().default(2),
    of: z.object({ line: z.string().default('low') }).prefault({}),
  }),
  series: ['wide', 'narrow'],
  warmup: () => 2,
  create: ({ factor }) => ({
    next: ({ high, low }) => ({ wide: factor * (high - low), narrow: high - low }),
  }),
});
const twice = defineIndicator({
  name: 'twice',
  params: z.object({ plus: z.number().default(1), minus: z.number().default(0) }),
  series: ['value'],
  input: 'close',
  warmup: () => 1,
  create: ({ plus, minus }) => ({ next: (close) => 2 * close + plus - minus }),
});

type AnyOperator = OperatorFunction<ClosedBar, unknown>;
const one = <T>(name: string, value: (emitted: T) => unknown) => ({ [name]: value as never });

/** Operators, and what each records of what it emits. */
const RECORDING: ReadonlyArray<
  readonly [AnyOperator, Readonly<Record<string, (emitted: never) => unknown>>]
> = [
  [ema(3), one('ema(3)', (value) => value)],
  [sma(4), one('sma(4)', (value) => value)],
  [(source) => source.pipe(closes(), sma(4)), one('sma(4)', (value) => value)],
  [bollinger({ period: 3 }), one('bollinger(3, 2)', (value) => value)],
  [
    macd({ fast_period: 2, slow_period: 4, signal_period: 3 }),
    one('macd(2, 4, 3)', (value) => value),
  ],
  [highest(3), one('highest(3)', (value) => value)],
  [(source) => source.pipe(closes(), lowest(2)), one('lowest(2)', (value) => value)],
  [spread({ factor: 3 }), one('spread(3, {"line":"low"})', (value) => value)],
  [twice({ plus: 4 }), one('twice(4, 0)', (value) => value)],
  [(source) => source.pipe(closes(), twice()), one('twice(1, 0)', (value) => value)],
  [
    withIndicators({ a: ema(2), b: bollinger({ period: 2 }), c: spread() }),
    {
      'a ema(2)': ({ a }: { a: number }) => a,
      'b bollinger(2, 2)': ({ b }: { b: object }) => b,
      'c spread(2, {"line":"low"})': ({ c }: { c: object }) => c,
    },
  ],
];

test.each(
  RECORDING.map(
    ([operator, values], at) => [Object.keys(values).join(), operator, values, at] as const,
  ),
)('%s is recorded with its bar when it is emitted', (_names, operator, values) => {
  const readings: Reading[] = [];
  let present: ClosedBar | undefined;
  const keep = (reading: Reading) => {
    readings.push(reading);
    return () => {};
  };
  const outer = enterReadings({ keep, bar: () => present });
  try {
    const source = new Subject<ClosedBar>();
    let count = 0;
    source.pipe(operator).subscribe((emitted) => {
      count++;
      const expected = Object.entries(values).map(([name, read]) => [name, read(emitted as never)]);
      expect(readings.flatMap((reading) => Object.entries(reading.values()))).toEqual(expected);
      for (const reading of readings) expect([reading.of, reading.isNew]).toEqual([present, true]);
    });
    for (const each of walk(12)) {
      present = each;
      source.next(each);
    }
    expect(count).toBeGreaterThan(6);
  } finally {
    enterReadings(outer);
  }
});

test('shareRows has one source for all of its subscribers, as long as there is one', () => {
  let [opened, closed] = [0, 0];
  const source = new Observable<number>(() => {
    opened++;
    return () => closed++;
  });
  const shared$ = source.pipe(shareRows());
  const all = [0, 1, 2].map(() => shared$.subscribe());
  expect([opened, closed]).toEqual([1, 0]);
  all[0]!.unsubscribe();
  all[1]!.unsubscribe();
  expect([opened, closed]).toEqual([1, 0]);
  all[2]!.unsubscribe();
  expect([opened, closed]).toEqual([1, 1]);
});

test('resample takes one interval, also where both add up', () => {
  const errors: unknown[] = [];
  const source = new Subject<ClosedBar>();
  source.pipe(resample('15m')).subscribe({ error: (error: unknown) => errors.push(error) });
  source.next(bar(1, { interval: '1m' }));
  source.next(bar(1, { interval: '5m', time: 300_000 }));
  expect(errors).toEqual([expect.any(RangeError)]);
});

describe('a fault', () => {
  /** What a stream ends with. */
  function faultOf(operator: AnyOperator): Error {
    const errors: Error[] = [];
    const source = new Subject<ClosedBar>();
    source.pipe(operator).subscribe({ error: (error: Error) => errors.push(error) });
    for (const each of bars([1, 2, 3])) source.next(each);
    expect(errors).toHaveLength(1);
    return errors[0]!;
  }
  const broken = (fail: () => unknown) =>
    defineIndicator({
      name: 'broken',
      params: z.object({}),
      series: ['value'],
      warmup: () => 1,
      create: () => ({ next: () => fail() as number }),
    });

  test('of a kernel has its cause, its own line, and that of the operator', () => {
    const thrown = new Error('out of range');
    function failInKernel(): never {
      Error.captureStackTrace(thrown);
      throw thrown;
    }
    const make = broken(failInKernel);
    const makeInPlugin = () => make();
    const fault = faultOf(makeInPlugin());
    expect(fault.cause).toBe(thrown);
    expect(fault.message).toContain('out of range');
    expect(fault.stack).toContain('failInKernel');
    expect(fault.stack).toContain('makeInPlugin');
    const silent = broken(() => NaN);
    const makeSilent = () => silent();
    expect(faultOf(makeSilent()).stack).toContain('makeSilent');
  });

  function refused(call: () => unknown): string {
    try {
      call();
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      return (error as Error).message;
    }
    throw new Error('It was not refused.');
  }

  test('of parameters names each of them, and the values within', () => {
    const message = refused(() => spread({ factor: 'x' as never, of: { line: 3 as never } }));
    expect(message).toMatch(/factor: [^;]+ \(it is "x"\)/);
    expect(message).toMatch(/of\.line: [^;]+ \(it is 3\)/);
    expect(spread({ factor: 3 }).params).toEqual({ factor: 3, of: { line: 'low' } });
  });

  test.each(['1a', 'a b', 'a!', '-a', 'ä'])('of a name: %j', (name) => {
    const make = () =>
      defineIndicator({
        name,
        params: z.object({}),
        series: ['value'],
        warmup: () => 1,
        create: () => ({ next: () => 1 }),
      });
    expect(refused(make)).toContain('its name must be');
  });

  test('of an indicator that was not called, or of what is none', () => {
    const source = new Subject<ClosedBar>();
    expect(refused(() => source.pipe(spread as never))).toContain('Call it: pipe(spread(');
    expect(refused(() => withIndicators({ fast: ema as never }))).toContain('write fast: ema(…)');
    expect(refused(() => withIndicators({ fast: 3 as never }))).toContain('fast is 3, which is no');
    expect(refused(() => withIndicators(null as never))).toContain('give an object of indicators');
    expect(refused(() => withIndicators({ fast: map((x) => x) as never }))).toContain('fast is');
  });
});
