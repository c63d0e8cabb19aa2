/** When a stream of bars is warm, whatever other subscriptions of the same bars come and go. */
import { concat, first, ignoreElements, map, merge, switchMap, take } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { placeOrder } from '../../src/intents/index.ts';
import type { StrategyContext } from '../../src/strategy/index.ts';
import { runStrategy } from '../strategies/runStrategy.ts';
import { planted } from '../testing/planted.ts';

type Context = StrategyContext<Record<string, unknown>, never>;

const buy = () => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });

/** Whether the context calls its bars warm, after each of these bars. */
function warmAfter(setup: (ctx: Context) => unknown, closes: readonly number[]): boolean[] {
  let context: Context | undefined;
  const strategy = planted(
    (ctx) => {
      context = ctx;
      return setup(ctx);
    },
    { warmup: 3 },
  );
  const run = runStrategy(strategy, { ownWarmup: true });
  return closes.map((close) => {
    run.bars(close);
    return context!.isWarm('BTC', '1m');
  });
}

describe('a stream of bars is warm', () => {
  const WARM_AT_THREE = [false, false, true, true];

  test.each<[string, (ctx: Context) => unknown]>([
    ['alone', (ctx) => ctx.candles('BTC', '1m')],
    [
      'between two that end at once',
      (ctx) => {
        const bars$ = ctx.candles('BTC', '1m');
        return merge(bars$.pipe(take(1)), bars$, bars$.pipe(first()));
      },
    ],
    [
      'beside younger ones that live on',
      (ctx) => {
        const bars$ = ctx.candles('BTC', '1m');
        return merge(bars$, bars$.pipe(switchMap(() => bars$)));
      },
    ],
    [
      'with its bars in progress',
      (ctx) => merge(ctx.candlesWithForming('BTC', '1m'), ctx.candles('BTC', '1m').pipe(take(1))),
    ],
  ])('%s', (_what, streams) => {
    const silent = (ctx: Context) => merge(streams(ctx) as never).pipe(ignoreElements());
    expect(warmAfter(silent, [1, 2, 3, 4])).toEqual(WARM_AT_THREE);
  });

  test('and stays so when the subscription that warmed up has ended', () => {
    const setup = (ctx: Context) => {
      const bars$ = ctx.candles('BTC', '1m');
      return concat(bars$.pipe(take(3)), bars$.pipe(take(1)), bars$).pipe(ignoreElements());
    };
    expect(warmAfter(setup, [1, 2, 3, 4, 5])).toEqual([false, false, true, true, true]);
  });
});

test('a bar in progress decides nothing before the warm-up is over', () => {
  const strategy = planted((ctx) => ctx.candlesWithForming('BTC', '1m').pipe(map(buy)), {
    warmup: 2,
  });
  const run = runStrategy(strategy, { ownWarmup: true });
  run.bars(1);
  run.forming(1);
  expect(run.emissions).toEqual([]);
  run.bars(2);
  expect(run.emissions).toEqual([]);
  run.forming(3);
  expect(run.emissions).toHaveLength(1);
});
