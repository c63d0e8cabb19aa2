import {
  BehaviorSubject,
  ignoreElements,
  Observable,
  Subject,
  take,
  type OperatorFunction,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  adx,
  atr,
  bollinger,
  cci,
  closes,
  cooldown,
  crossesOver,
  crossesUnder,
  defineIndicator,
  distinctBar,
  ema,
  highest,
  highs,
  ichimoku,
  keltner,
  lowest,
  lows,
  macd,
  opens,
  psar,
  resample,
  rsi,
  shareRows,
  sma,
  stochastic,
  volumes,
  vwap,
  whenFlat,
  whenOpen,
  withIndicators,
  withPosition,
  withPrevious,
  wma,
} from '../../../src/strategy/operators/index.ts';
import * as operators from '../../../src/strategy/operators/index.ts';
import type { ClosedBar } from '../../../src/strategy/Bar.ts';
import { walk } from './bars.ts';
import { marbles } from './marbles.ts';

type BarOperator = OperatorFunction<ClosedBar, unknown>;

const flat$ = () => new BehaviorSubject<{ size: number } | null>(null);
const open$ = () => new BehaviorSubject<{ size: number } | null>({ size: 1 });
const byClose = [(x: ClosedBar) => x.close, (x: ClosedBar) => x.open] as const;

/** Every operator of the folder, in the shape in which it takes closed bars. */
const OPERATORS: Readonly<Record<string, () => BarOperator>> = {
  adx: () => adx(3),
  atr: () => atr(3),
  bollinger: () => bollinger({ period: 3 }),
  cci: () => cci(3),
  closes,
  cooldown: () => cooldown(2),
  crossesOver: () => crossesOver(...byClose),
  crossesUnder: () => crossesUnder(...byClose),
  defineIndicator: () =>
    defineIndicator({
      name: 'spread',
      params: z.object({}),
      series: ['value'],
      warmup: () => 3,
      create: () => ({ next: ({ high, low }) => high - low }),
    })(),
  distinctBar,
  ema: () => ema(3),
  highest: () => highest(3),
  highs,
  ichimoku: () => ichimoku({ span_period: 5, base_period: 4, displacement: 2 }),
  keltner: () => keltner({ period: 3, atr_period: 3 }),
  lowest: () => lowest(3),
  lows,
  opens,
  macd: () => macd({ fast_period: 2, slow_period: 3, signal_period: 2 }),
  psar,
  resample: () => resample('3m'),
  rsi: () => rsi(3),
  shareRows,
  sma: () => sma(3),
  stochastic: () => stochastic({ k_period: 3, d_period: 2 }),
  volumes,
  vwap,
  whenFlat: () => whenFlat(flat$()),
  whenOpen: () => whenOpen(open$()),
  withIndicators: () =>
    withIndicators({ fast: ema(2), slow: sma(3), bands: bollinger({ period: 2 }) }),
  withPosition: () => withPosition(flat$()),
  withPrevious,
  wma: () => wma(3),
};

test('the required cases cover every exported operator', () => {
  expect(Object.keys(OPERATORS).sort()).toEqual(Object.keys(operators).sort());
});

describe.for(Object.entries(OPERATORS))('%s', ([, create]) => {
  test('never emits, ends or fails when its source never does', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<ClosedBar>('-');
      expectObservable(source.pipe(create())).toBe('-');
      expectSubscriptions(source.subscriptions).toBe('^');
    });
  });

  test('ends at once when its source is empty', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<ClosedBar>('|');
      expectObservable(source.pipe(create())).toBe('|');
      expectSubscriptions(source.subscriptions).toBe('(^!)');
    });
  });

  test('forwards its source’s error, and unsubscribes from the source', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<ClosedBar>('--#');
      expectObservable(source.pipe(create())).toBe('--#');
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });

  test('unsubscribes from its source on an early unsubscribe', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('a---b---|', { a: walk(1)[0]!, b: walk(2)[1]! });
      expectObservable(source.pipe(create(), ignoreElements()), '^-!').toBe('-');
      expectSubscriptions(source.subscriptions).toBe('^-!');
    });
  });

  test('stops a synchronous source as soon as its subscriber completes', () => {
    let pulled = 0;
    const endless = new Observable<ClosedBar>((out) => {
      for (const bar of walk(500)) {
        if (out.closed) return;
        pulled += 1;
        out.next(bar);
      }
    });
    const seen: unknown[] = [];
    const subscription = endless.pipe(create(), take(1)).subscribe((value) => seen.push(value));
    expect(seen).toHaveLength(1);
    expect(subscription.closed).toBe(true);
    expect(pulled).toBeLessThan(100);
  });

  test('gives two subscribers the same, each from its own state', () => {
    const source = new Subject<ClosedBar>();
    const result = source.pipe(create());
    const emitted = () => {
      const seen: unknown[] = [];
      result.subscribe((value) => seen.push(value));
      return seen;
    };
    const early = emitted();
    for (const bar of walk(90)) source.next(bar);
    const firstRun = [...early];
    expect(firstRun.length).toBeGreaterThan(0);
    const late = emitted();
    for (const bar of walk(90)) source.next(bar);
    // With the first run's state it would be warm from its first bar on, and drop bars as old ones.
    expect(late).toEqual(firstRun);
  });
});
