import {
  concat,
  concatMap,
  exhaustMap,
  filter,
  map,
  merge,
  NEVER,
  of,
  switchMap,
  take,
  withLatestFrom,
} from 'rxjs';
import { expect, test } from 'vitest';
import { placeOrder, type Intent } from '../../src/intents/index.ts';
import {
  atr,
  closes,
  ema,
  highest,
  highs,
  lows,
  resample,
  sma,
  withIndicators,
  type StrategyContext,
} from '../../src/strategy/index.ts';
import { runStrategy, START } from '../strategies/runStrategy.ts';
import { planted } from '../testing/planted.ts';

const MINUTE = 60_000;
interface Reported {
  indicators: object;
  seen: Array<{ indicators: object }>;
  left_out: number;
}
const buy = (): Intent => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });

/** Emits at every bar, whatever its indicators say, so that a warming one shows as absent. */
function runWith(
  watch: (ctx: StrategyContext<Record<string, unknown>>) => Array<{ subscribe: unknown }>,
) {
  const watching = planted((ctx) =>
    merge(
      ...(watch(ctx) as never[]).map((of$) => merge(of$).pipe(filter(() => false))),
      ctx.candles('BTC', '1m').pipe(map(buy)),
    ),
  );
  return runStrategy(watching);
}

test('values are beside the bar that caused the decision, from the first ready one on', () => {
  const run = runWith((ctx) => {
    const bars$ = ctx.candles('BTC', '1m');
    return [bars$.pipe(withIndicators({ mean: sma(2), range: atr(2) })), bars$.pipe(ema(3))];
  });
  run.bars(10, 12, 20);
  const reported = run.emissions.map(({ trigger }) => trigger['indicators']);
  expect(reported).toEqual([
    undefined,
    // The plugin has no row yet: its slowest indicator still warms up.
    undefined,
    { 'mean sma(2)': 16, 'range atr(2)': 6, 'ema(3)': 14 },
  ]);
  expect(run.emissions[2]!.trigger).toMatchObject({ bar: { close: 20, time: START + 2 * MINUTE } });
  expect(run.emissions[2]!.trigger).not.toHaveProperty('seen');
});

test('numbers belong to the bar of their turn, and equal names are distinguished', () => {
  const run = runWith((ctx) => {
    const bars$ = ctx.candles('BTC', '1m');
    return [
      bars$.pipe(highs(), sma(1)),
      bars$.pipe(lows(), sma(1)),
      bars$.pipe(closes(), highest(2)),
    ];
  });
  run.bars(10, 8);
  expect(run.emissions[1]!.trigger['indicators']).toEqual({
    'sma(1)': 9,
    'sma(1) #2': 7,
    'highest(2)': 10,
  });
});

test('values of another bar are recorded with that bar, whatever caused the decision', () => {
  const onFill = planted((ctx) => {
    const bars$ = ctx.candles('BTC', '1m');
    const long$ = bars$.pipe(resample('5m'), withIndicators({ trend: sma(1) }));
    const rows$ = bars$.pipe(withIndicators({ fast: sma(2) }));
    const marks$ = ctx.price('BTC').pipe(
      map(({ mark }) => mark ?? 0),
      sma(1),
    );
    return ctx.fills$.pipe(withLatestFrom(long$, rows$, marks$), map(buy));
  });
  const run = runStrategy(onFill);
  run.bars(10, 11, 12, 13, 14, 16);
  run.sources.price$.next({ mark: 15.5, time: START } as never);
  run.sources.fills$.next({ fill_id: 'fil_1', symbol: 'BTC', price: 9 } as never);
  const [{ trigger }] = run.emissions as [(typeof run.emissions)[0]];
  expect(trigger).toMatchObject({ fill: { fill_id: 'fil_1' } });
  expect(trigger).not.toHaveProperty('indicators');
  expect(trigger['seen']).toMatchObject([
    { bar: { interval: '5m', time: START, close: 14 }, indicators: { 'trend sma(1)': 14 } },
    { bar: { interval: '1m', time: START + 5 * MINUTE }, indicators: { 'fast sma(2)': 15 } },
    { indicators: { 'sma(1)': 15.5 } },
  ]);
  expect((trigger['seen'] as object[])[2]).not.toHaveProperty('bar');
});

test('an unsubscribed indicator is no longer reported, nor another instance’s', () => {
  const switching = planted((ctx) => {
    const bars$ = ctx.candles('BTC', '1m');
    const lasting$ = bars$.pipe(
      switchMap((bar) => (bar.close < 11 ? merge(of(bar), NEVER).pipe(sma(1)) : of(bar))),
      exhaustMap(() => of(buy())),
    );
    return merge(
      lasting$,
      bars$.pipe(
        ema(1),
        take(1),
        filter(() => false),
      ),
    );
  });
  const run = runStrategy(switching);
  const other = runWith((ctx) => [ctx.candles('BTC', '1m').pipe(ema(2))]);
  other.bars(10, 10);
  run.bars(10, 12);
  const [first, second] = run.emissions;
  expect(first!.trigger['indicators']).toEqual({ 'sma(1)': 10 });
  expect(Object.keys(second!.trigger)).toEqual(['bar']);
  expect(other.emissions[1]!.trigger['indicators']).toEqual({ 'ema(2)': 10 });
});

test('another instance’s work during a turn does not affect its indicators', () => {
  const other = runWith((ctx) => [ctx.candles('BTC', '1m').pipe(ema(2))]);
  const later = planted((ctx) => {
    const bars$ = ctx.candles('BTC', '1m');
    const watched$ = bars$.pipe(ema(1), map(buy));
    return bars$.pipe(
      take(1),
      concatMap(() => concat(of(buy()), watched$)),
    );
  });
  const run = runStrategy(later, {
    answer: () => {
      other.bars(10, 10);
      return undefined;
    },
  });
  run.bars(7, 8);
  expect(run.emissions.map(({ trigger }) => trigger['indicators'])).toEqual([
    undefined,
    { 'ema(1)': 8 },
  ]);
  expect(other.emissions.at(-1)!.trigger['indicators']).toEqual({ 'ema(2)': 10 });
});

test('a journal row stays small: the rest is counted', () => {
  const run = runWith((ctx) => {
    const long$ = ctx.candles('BTC', '1m').pipe(resample('5m'));
    const many = Array.from({ length: 80 }, () => long$.pipe(sma(1)));
    return [...many, ctx.candles('BTC', '1m').pipe(ema(1))];
  });
  run.bars(1, 2, 3, 4, 5);
  const { indicators, seen, left_out } = run.emissions[4]!.trigger as unknown as Reported;
  expect(indicators).toEqual({ 'ema(1)': 5 });
  expect(Object.keys(seen[0]!.indicators)).toHaveLength(63);
  expect(left_out).toBe(17);
});
