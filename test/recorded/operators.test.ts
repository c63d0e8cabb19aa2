import {
  concat,
  from,
  map,
  NEVER,
  of,
  Subject,
  throwError,
  type Observable,
  type OperatorFunction,
} from 'rxjs';
import * as trimtab from 'trimtab';
import { test } from 'vitest';
import { z } from 'zod';
import { INTERVALS } from '../../src/contract/index.ts';
import { createRandom } from '../../src/env/index.ts';
import type { ClosedBar } from '../../src/strategy/index.ts';
import { bar, bars, walk } from '../strategy/operators/bars.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

type Operator = OperatorFunction<unknown, unknown>;
type Maker = (...given: unknown[]) => Operator;

const spell = (value: unknown): string =>
  JSON.stringify(value, (_key, held: unknown) =>
    typeof held === 'number'
      ? Number.isFinite(held)
        ? Number(held.toPrecision(11))
        : String(held)
      : held,
  ) ?? 'undefined';

/** A walk with trends, steps and a flat stretch. */
function drawnBars(seed: string, count: number): ClosedBar[] {
  const random = createRandom(seed);
  let price = 100;
  const closes = Array.from({ length: count }, (_none, at) => {
    if (at % 30 < 25) price *= 1 + (random.next() - 0.48) / 40;
    return Number(price.toFixed(2));
  });
  return bars(closes).map((one, at) => ({ ...one, volume: at % 11 === 0 ? 0 : 1 + (at % 5) }));
}

/** Streams that an operator may meet. */
const STREAMS: Readonly<Record<string, () => Observable<ClosedBar>>> = {
  drawn: () => from(drawnBars('drawn', 130)),
  walk: () => from(walk(70)),
  none: () => of(),
  one: () => from(bars([100])),
  flat: () => from(bars(Array.from({ length: 60 }, () => 100))),
  failing: () =>
    concat(
      from(bars([1, 2, 3, 4, 5, 6])),
      throwError(() => new Error('the feed ended')),
    ),
  endless: () => concat(from(drawnBars('endless', 40)), NEVER),
  holes: () => from(drawnBars('holes', 80).filter((_bar, at) => at % 9 !== 3)),
  'not a number': () => from(bars([1, 2, Number.NaN, 3, 4, Infinity, 5, 6, 7, 8, 9, 10])),
  twice: () =>
    from([
      bar(1),
      bar(1),
      bar(2, { time: 60_000 }),
      bar(3, { time: 60_000, closed: false } as never),
      bar(4, { time: 0 }),
    ]),
  mixed: () =>
    from([
      bar(1),
      bar(2, { symbol: 'ETH', time: 60_000 }),
      bar(3, { interval: '5m', time: 120_000 }),
    ]),
};

const PERIODS = [1, 2, 5, 14, 0, -1, 1.5, Number.NaN, '3', undefined];
/** Parameters of those that take an object. */
const PARAMS: readonly unknown[] = [
  {},
  undefined,
  { period: 4 },
  { period: 0 },
  { period: 2, std_dev: 3 },
  { period: 3, atr_period: 2, mult: 1.5 },
  { fast_period: 3, slow_period: 5, signal_period: 2 },
  { fast_period: 5, slow_period: 3 },
  { k_period: 4, d_period: 2 },
  { step: 0.05, max: 0.1 },
  { none: 1 },
  7,
];
const named = trimtab as unknown as Readonly<Record<string, Maker>>;
const BY_PERIOD = [
  'sma',
  'ema',
  'wma',
  'rsi',
  'atr',
  'cci',
  'adx',
  'highest',
  'lowest',
  'cooldown',
];
const BY_PARAMS = ['bollinger', 'macd', 'stochastic', 'keltner', 'ichimoku', 'psar', 'vwap'];
const PLAIN = [
  'closes',
  'highs',
  'lows',
  'opens',
  'volumes',
  'distinctBar',
  'withPrevious',
  'shareRows',
];

/** What comes out of an operator on a stream, or why it can't be made. */
function runOn(stream: () => Observable<unknown>, make: () => Operator): string[] {
  const lines: string[] = [];
  try {
    const subscription = stream()
      .pipe(make())
      .subscribe({
        next: (value) => lines.push(spell(value)),
        error: (error: unknown) =>
          lines.push(`error ${(error as { code?: string }).code} ${String(error)}`),
        complete: () => lines.push('complete'),
      });
    subscription.unsubscribe();
  } catch (error) {
    lines.push(`refused ${(error as { code?: string }).code} ${String(error)}`);
  }
  return lines;
}

const positions: Readonly<Record<string, () => Observable<unknown>>> = {
  none: () => NEVER,
  flat: () => of(null),
  open: () => of({ size: 2, side: 'long' }),
  'of size zero': () => of({ size: 0 }),
  failing: () => throwError(() => new Error('no positions')),
};

/** Rows, crossings and whatever else is made of several parts. */
function combined(): ReadonlyArray<readonly [string, () => Operator]> {
  const {
    withIndicators,
    crossesOver,
    crossesUnder,
    resample,
    whenFlat,
    whenOpen,
    withPosition,
    shareRows,
    defineIndicator,
    sma,
    ema,
    bollinger,
    macd,
    atr,
    highest,
  } = trimtab;
  const own = (how: string) =>
    defineIndicator({
      name: `own_${how}`,
      params: z.object({}),
      series: how === 'two' ? ['a', 'b'] : ['value'],
      ...(how === 'close' ? { input: 'close' } : {}),
      warmup: () => 2,
      create: () => ({
        next: (value: unknown) => {
          if (how === 'throws') throw new Error('a kernel');
          if (how === 'nothing') return Number.NaN;
          return how === 'two' ? { a: 1, b: 2 } : typeof value === 'number' ? value : 7;
        },
      }),
    } as never);
  const rows =
    (spec: object): (() => Operator) =>
    () =>
      withIndicators(spec as never) as Operator;
  const then =
    (...all: unknown[]): Operator =>
    (source) =>
      all.reduce((sum: Observable<unknown>, one) => sum.pipe(one as Operator), source);
  type Row = Record<'fast' | 'slow', number> & { bar: ClosedBar };
  return [
    [
      'rows',
      rows({
        fast: sma(3),
        slow: ema(5),
        bands: bollinger({ period: 4 }),
        lines: macd({}),
        range: atr(3),
      }),
    ],
    ['no rows', rows({})],
    ['rows named bar', rows({ bar: sma(3) })],
    ['rows of what is none', rows({ a: 5 })],
    ['rows of a factory', rows({ a: sma })],
    ['rows of an extreme', rows({ a: highest(3) })],
    ...['plain', 'two', 'close', 'throws', 'nothing'].map(
      (how) =>
        [`own ${how}`, () => (own(how) as unknown as (params: object) => Operator)({})] as const,
    ),
    ...['plain', 'two', 'nothing'].map(
      (how) =>
        [
          `rows of own ${how}`,
          () =>
            withIndicators({
              it: (own(how) as unknown as (params: object) => never)({}),
            }) as Operator,
        ] as const,
    ),
    [
      'crosses over',
      () =>
        then(
          withIndicators({ fast: sma(2), slow: sma(5) }),
          crossesOver<Row>(
            (row: Row) => row.fast,
            (row: Row) => row.slow,
          ),
        ),
    ],
    [
      'crosses under',
      () =>
        then(
          withIndicators({ fast: sma(2), slow: sma(5) }),
          shareRows(),
          crossesUnder<Row>(
            (row: Row) => row.fast,
            (row: Row) => row.slow,
          ),
        ),
    ],
    [
      'crosses a level',
      () =>
        then(
          map((one: ClosedBar) => [one.close, 100] as const),
          crossesOver(),
        ),
    ],
    [
      'falls through a level',
      () =>
        then(
          map((one: ClosedBar) => [one.close, 100] as const),
          crossesUnder(),
        ),
    ],
    [
      'crosses by a throw',
      () =>
        then(
          crossesOver(
            () => {
              throw new Error('no line');
            },
            () => 1,
          ),
        ),
    ],
    ...INTERVALS.slice(0, 6).map(
      (interval) => [`resample ${interval}`, () => resample(interval) as Operator] as const,
    ),
    ['resample oddly', () => resample('7m' as never) as Operator],
    ...Object.entries(positions).flatMap(([name, position$]) => [
      [`when flat, ${name}`, () => whenFlat(position$() as never) as Operator] as const,
      [`when open, ${name}`, () => whenOpen(position$() as never) as Operator] as const,
      [`with position, ${name}`, () => withPosition(position$() as never) as Operator] as const,
    ]),
  ];
}

test('each operator makes of each stream what it made before', async () => {
  const outcomes = new Map<string, Outcome>();
  const record = (name: string, make: () => Operator): void => {
    const sections = new Map<string, string[]>([
      ['drawn', []],
      ['others', []],
    ]);
    for (const [stream, open] of Object.entries(STREAMS))
      sections.get(stream === 'drawn' ? 'drawn' : 'others')!.push(stream, ...runOn(open, make));
    // Of bare numbers, as of another operator.
    sections.get('others')!.push('numbers', ...runOn(() => from([1, 2, 4, 3, 5, 9, 2, 7]), make));
    outcomes.set(name, sections);
  };
  for (const name of PLAIN) record(name, () => named[name]!());
  for (const name of BY_PERIOD)
    for (const period of PERIODS) record(`${name} ${String(period)}`, () => named[name]!(period));
  for (const name of BY_PARAMS)
    for (const params of PARAMS) record(`${name} ${spell(params)}`, () => named[name]!(params));
  for (const [name, make] of combined()) record(name, make);
  outcomes.set('late subscribers', new Map([['rows', lateSubscribers()]]));
  await expectRecorded('operators', outcomes);
});

/** Subscribers that come and go while rows are shared. */
function lateSubscribers(): string[] {
  const { withIndicators, shareRows, sma, crossesOver } = trimtab;
  const lines: string[] = [];
  const source = new Subject<ClosedBar>();
  const rows$ = source.pipe(withIndicators({ fast: sma(2), slow: sma(4) }), shareRows());
  const crossed$ = rows$.pipe(
    crossesOver(
      ({ fast }) => fast,
      ({ slow }) => slow,
    ),
  );
  const follow = (name: string, stream$: Observable<unknown>) =>
    stream$.subscribe({
      next: (value) => lines.push(`${name} ${spell(value)}`),
      error: (error: unknown) => lines.push(`${name} ${String(error)}`),
      complete: () => lines.push(`${name} complete`),
    });
  const first = follow('first', rows$);
  const all = drawnBars('late', 40);
  for (const [at, one] of all.entries()) {
    if (at === 6) follow('second', crossed$);
    if (at === 12) first.unsubscribe();
    if (at === 20) follow('third', rows$);
    if (at === 30) source.error(new Error('it broke'));
    source.next(one);
  }
  follow('fourth', rows$);
  return lines;
}
