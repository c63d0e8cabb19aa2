import {
  concatWith,
  ignoreElements,
  interval,
  map,
  merge,
  NEVER,
  take,
  type Observable,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { expect, test } from 'vitest';
import { placeOrder } from '../../src/intents/index.ts';
import type { StrategyContext } from '../../src/strategy/index.ts';
import { marbles, testStrategy } from '../../src/testing/index.ts';
import { planted } from './planted.ts';

type Ctx = StrategyContext<Record<string, unknown>, never>;

/** What a strategy sees of some of its sources, in the order in which it does. */
function watch(see: (ctx: Ctx, seen: unknown[]) => ReadonlyArray<Observable<unknown>>) {
  const seen: unknown[] = [];
  const strategy = planted((ctx) =>
    merge(
      ...see(ctx, seen).map((source$) => source$.pipe(map((value) => void seen.push(value)))),
    ).pipe(ignoreElements()),
  );
  const run = testStrategy(strategy, { symbols: ['BTC', 'ETH', 'ETH/USDC'] });
  seen.splice(0);
  return { run, seen };
}

test('a fill has its value, and what an own sale of spot has not bought is refused', () => {
  const sale = placeOrder.market({ symbol: 'ETH/USDC', side: 'sell', size: 3 }, { ref: 's' });
  const fills: unknown[] = [];
  const strategy = planted((ctx) => {
    ctx.fills$.subscribe(({ price, size, notional }) => void fills.push([price, size, notional]));
    return ctx.price('ETH/USDC').pipe(
      take(1),
      map(() => sale),
      concatWith(NEVER),
    );
  });
  const run = testStrategy(strategy, { symbols: ['ETH/USDC'] }).price('ETH/USDC', 1_000);
  expect(() => run.fill('s')).toThrow('a sell of 3 ETH/USDC is more than is held: 0');
  run.position('ETH/USDC', { side: 'long', size: 2, entry_price: 900 });
  expect(() => run.fill('s')).toThrow('a sell of 3 ETH/USDC is more than is held: 2');
  run.fill('s', { size: 2, price: 1_100 });
  expect(fills).toEqual([[1_100, 2, 2_200]]);
});

test('a position that is set was opened then, and the account is shown with it', () => {
  const { run, seen } = watch((ctx) => [
    ctx.account$.pipe(map(({ unrealized_pnl }) => `account ${unrealized_pnl}`)),
  ]);
  run.price('BTC', 120).advance('1h');
  run.position('BTC', { side: 'long', size: 2, entry_price: 100 });
  expect(seen).toEqual(['account 40']);
  const { opened_time, updated_time } = run.positionOf('BTC')!;
  expect([opened_time, updated_time]).toEqual([run.now, run.now]);
});

test('a position that stays as it was is not shown again', () => {
  const { run, seen } = watch((ctx) => [ctx.position('BTC')]);
  run.position('BTC', null).position('BTC', null);
  expect(seen).toEqual([]);
  run.position('BTC', { side: 'long', size: 2, entry_price: 100 }).position('BTC', null);
  expect(seen).toEqual([expect.objectContaining({ size: 2 }), null]);
});

test('what happens before a bar closes does not know its price, and bars of a whole have the last one', () => {
  const seen: number[] = [];
  const profit = (): number => run.positionOf('BTC')!.unrealized_pnl;
  const strategy = planted((ctx) =>
    merge(
      ctx.candles('BTC', '1h'),
      interval(30 * 60_000, ctx.scheduler).pipe(map(() => void seen.push(profit()))),
    ).pipe(ignoreElements()),
  );
  const run = testStrategy(strategy, { symbols: ['BTC'] });
  run.position('BTC', { side: 'long', size: 1, entry_price: 100 });
  run.bars('BTC', '1h', [110, 130]);
  expect(seen.slice(0, 3)).toEqual([0, 0, 10]);
  expect(profit()).toBe(30);
  run.bars('BTC', '1h', [120, 90, 105], { liveness: 'catch_up' });
  expect(profit()).toBe(5);
  run.feeds([{ symbol: 'BTC', interval: '1h', bars: [101, 102] }], { liveness: 'catch_up' });
  expect(profit()).toBe(2);
});

test('a book has ten levels, or as many as are asked for', () => {
  const { run, seen } = watch((ctx) => [
    ctx.book('BTC').pipe(map(({ bids, asks }) => [bids.length, asks.length])),
    ctx.book('BTC', 3).pipe(map(({ bids, asks }) => [bids.length, asks.length])),
  ]);
  const side = (sign: number): Array<[number, number]> =>
    Array.from({ length: 15 }, (_none, at) => [100 + sign * (at + 1), 1]);
  run.book('BTC', { bids: side(-1), asks: side(1) });
  expect(seen).toEqual([
    [10, 10],
    [3, 3],
  ]);
});

test.each([
  [
    'bids',
    [
      [98, 1],
      [99, 1],
    ],
    [[101, 1]],
  ],
  [
    'bids of one price',
    [
      [99, 1],
      [99, 1],
    ],
    [[101, 1]],
  ],
  [
    'asks',
    [[99, 1]],
    [
      [102, 1],
      [101, 1],
    ],
  ],
  [
    'asks of one price',
    [[99, 1]],
    [
      [101, 1],
      [101, 1],
    ],
  ],
] as const)('%s that are not best first are refused', (_name, bids, asks) => {
  const { run } = watch((ctx) => [ctx.book('BTC')]);
  expect(() => run.book('BTC', { bids: bids as never, asks: asks as never })).toThrow(
    'its levels are not best first',
  );
});

test('a diagram leaves RxJS’s frames as they were, also when it fails', () => {
  const before = TestScheduler.frameTimeFactor;
  marbles({ frame: '5m' }, ({ cold, expectObservable }) => {
    expectObservable(cold('-a|')).toBe('-a|');
  });
  expect(TestScheduler.frameTimeFactor).toBe(before);
  const wrong = (): void =>
    marbles({ frame: '1h' }, ({ cold, expectObservable }) => {
      expectObservable(cold('-a|')).toBe('--a|');
    });
  expect(wrong).toThrow('The streams differ');
  expect(TestScheduler.frameTimeFactor).toBe(before);
});
