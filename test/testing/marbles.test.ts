import { debounceTime, filter, map, merge, pairwise, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { placeOrder } from '../../src/intents/index.ts';
import { marbles } from '../../src/testing/index.ts';
import emaTrend from '../../strategies/emaTrend.ts';
import { planted } from './planted.ts';

const START = Date.UTC(2026, 0, 5);
const symbols = ['BTC'];
const buy = (size: number) => placeOrder.market({ symbol: 'BTC', side: 'buy', size });
const onRise = planted((ctx) =>
  ctx.candles('BTC', '5m').pipe(
    pairwise(),
    filter(([before, bar]) => bar.close > before.close),
    map(([, bar]) => buy(bar.close)),
  ),
);

test('a bar closes at its frame, and intents are expected at theirs', () => {
  marbles({ frame: '5m' }, ({ hot, strategy, expectObservable }) => {
    const run = strategy(onRise, { symbols });
    const closes = { a: 100, b: 110, c: 90 };
    hot('-a b c b --', closes).subscribe((close) => run.bars('BTC', '5m', [close]));
    expectObservable(run.intents$).toBe('--x -x', {
      x: { kind: 'place_order', request: { size: 110 }, liveness: 'live' },
    });
    expectObservable(run.intents$.pipe(map(({ cause }) => cause))).toBe('--x-y', {
      x: `bar:BTC:5m:${START + 300_000}`,
      y: `bar:BTC:5m:${START + 900_000}`,
    });
  });
});

test('what differs is shown with its frame and its time', () => {
  const late = () =>
    marbles({ frame: '5m' }, ({ hot, strategy, expectObservable }) => {
      const run = strategy(onRise, { symbols });
      hot('-ab', { a: 1, b: 2 }).subscribe((close) => run.bars('BTC', '5m', [close]));
      expectObservable(run.intents$).toBe('---x', { x: { request: { size: 2 } } });
    });
  expect(late).toThrow(
    /differ at \[0\]\.frame\.\nexpected:\n {2}frame 3, 2026-01-05T00:15:00\.000Z/,
  );
  expect(late).toThrow(/received:\n {2}frame 2, 2026-01-05T00:10:00\.000Z: \{"kind":"place_order"/);
});

test('operators take market time from the scheduler', () => {
  marbles({ frame: '1m' }, ({ cold, scheduler, expectObservable }) => {
    const settled$ = cold('ab-c----').pipe(debounceTime(3 * 60_000, scheduler));
    expectObservable(settled$).toBe('------c', { c: 'c' });
    expectObservable(settled$.pipe(map(() => scheduler.now() - START))).toBe('------t', {
      t: 360_000,
    });
  });
});

test('timers and ticks of a strategy run at their time, before the bar that closes then', () => {
  const order: string[] = [];
  const strategyOf = planted((ctx) =>
    merge(
      ctx.every('1m').pipe(tap(({ time }) => order.push(`tick ${(time - START) / 60_000}`))),
      ctx.candles('BTC', '1m').pipe(
        tap(() => order.push(`bar ${(ctx.now() - START) / 60_000}`)),
        debounceTime(90_000, ctx.scheduler),
        tap(() => order.push(`quiet ${(ctx.now() - START) / 60_000}`)),
      ),
    ).pipe(filter((): boolean => false)),
  );
  marbles({ frame: '30s' }, ({ hot, strategy }) => {
    const run = strategy(strategyOf, { symbols });
    hot('--a-------', { a: 5 }).subscribe((close) => run.bars('BTC', '1m', [close]));
  });
  expect(order).toEqual(['tick 1', 'bar 1', 'tick 2', 'quiet 2.5', 'tick 3', 'tick 4', 'tick 5']);
});

test('a shipped strategy, fills and all', () => {
  const params = { interval: '1m', fast: 2, slow: 4, atr_period: 2 };
  marbles({ frame: '1m' }, ({ hot, strategy, expectObservable }) => {
    const run = strategy(emaTrend, { symbols, params, answers: 'accept' });
    const past = Array.from({ length: 12 }, (_none, at) => 130 - 2 * at);
    run.bars('BTC', '1m', past, { liveness: 'warm_up' });
    const closes = { a: 100, b: 110, c: 120, d: 80, e: 60 };
    hot('-abcde', closes).subscribe((close) => run.bars('BTC', '1m', [close]));
    run.intents$
      .pipe(filter(({ kind }) => kind === 'launch'))
      .subscribe((entry) => run.fill(entry));
    const kinds = { o: 'launch', s: 'launch', x: 'close_position' };
    expectObservable(run.intents$.pipe(map(({ kind }) => kind))).toBe('---o(xs)', kinds);
  });
});

test('what a call throws within a subscription fails the test, and not the process', () => {
  const failing = () =>
    marbles({ frame: '5m' }, ({ hot, strategy, expectObservable }) => {
      const run = strategy(onRise, { symbols });
      hot('-a').subscribe(() => run.bars('BTC', '5m', [-1]));
      expectObservable(run.intents$).toBe('-x');
    });
  expect(failing).toThrow('bars of BTC 5m: bar 0: its close is -1');
});

test('time is the diagram’s', () => {
  const call =
    (act: (run: ReturnType<Parameters<Parameters<typeof marbles>[1]>[0]['strategy']>) => unknown) =>
    () =>
      marbles({ frame: '5m' }, ({ strategy }) => void act(strategy(onRise, { symbols })));
  expect(call((run) => run.advance('1h'))).toThrow(
    /In a diagram it is 2026-01-05T00:00:00\.000Z, and this call is about 2026-01-05T01/,
  );
  expect(() => marbles({ frame: 0 }, () => {})).toThrow('a frame of no time');
});

test('a stream that ends with another error is not as expected', () => {
  const ends = (expected: unknown) => (): void =>
    marbles({ frame: '1m' }, ({ cold, expectObservable }) => {
      expectObservable(cold('--#', {}, new RangeError('too far'))).toBe('--#', {}, expected);
    });
  expect(ends(new RangeError('too far'))).not.toThrow();
  expect(ends(new Error('too far'))).toThrow(
    /differ at \[0\]\.error\.\nexpected:.*: Error: too far\nreceived:.*: RangeError: too far$/s,
  );
  expect(ends(new RangeError('too near'))).toThrow(/differ at/);
});
