import { combineLatest, filter, ignoreElements, merge, tap, type Observable } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Subscription } from '../../src/env/index.ts';
import type { Intent } from '../../src/intents/index.ts';
import { defineStrategy, type StrategyContext } from '../../src/strategy/index.ts';
import { MINUTE, openOutageBot } from './openOutageBot.ts';

interface Seen {
  /** Symbol, interval and close of each bar, in minutes, with what becomes of decisions upon it. */
  bars: string[];
  pairs: number[];
}

/** Two symbols at one interval, of which one has longer bars beside. */
function joins(seen: Seen) {
  return defineStrategy({
    name: 'joins',
    contract: 1,
    description: 'Pairs the bars of two symbols.',
    scopes: [],
    params: z.object({}),
    warmup: () => 3,
    setup(given): Observable<Intent> {
      const ctx = given as StrategyContext;
      const bars = (symbol: string, interval: '1m' | '5m') =>
        ctx
          .candles(symbol, interval)
          .pipe(
            tap(({ time }) =>
              seen.bars.push(`${symbol} ${interval} ${(time / MINUTE) % 1_440} ${ctx.liveness()}`),
            ),
          );
      const pairs$ = combineLatest([bars('LTC', '1m'), bars('XMR', '1m')]).pipe(
        filter(([a, b]) => a.time === b.time),
        tap(([{ time }]) => seen.pairs.push((time / MINUTE) % 1_440)),
      );
      return merge(pairs$, bars('LTC', '5m')).pipe(ignoreElements());
    },
  });
}

async function openBot() {
  const seen: Seen = { bars: [], pairs: [] };
  const bot = await openOutageBot({ strategy: joins(seen), symbols: ['LTC', 'XMR'] });
  return { bot, seen };
}

const missed = [123, 124, 125, 126, 127, 128];

/** Of a strategy that was live all the time: shorter bars first, then in the order of the symbols. */
const inOrder = (minutes: readonly number[], live: string): string[] =>
  minutes.flatMap((minute) => [
    `LTC 1m ${minute} ${live}`,
    `XMR 1m ${minute} ${live}`,
    ...(minute % 5 === 4 ? [`LTC 5m ${minute - 4} ${live}`] : []),
  ]);

describe('bars of two symbols', () => {
  test('come in pairs at the start', async () => {
    const { bot, seen } = await openBot();
    await bot.run(1);
    expect(seen.bars).toEqual([
      'LTC 5m 105 warm_up',
      'LTC 5m 110 warm_up',
      ...inOrder([117, 118, 119], 'warm_up'),
      ...inOrder([120], 'live'),
    ]);
    expect(seen.pairs).toEqual([117, 118, 119, 120]);
    await bot.close();
  });

  test.each([
    ['in their order', (all: Subscription[]) => all],
    ['in the opposite order', (all: Subscription[]) => all.toReversed()],
  ])('come in pairs after an outage, with snapshots %s', async (_name, order) => {
    const { bot, seen } = await openBot();
    await bot.run(3);
    seen.bars = [];
    seen.pairs = [];
    bot.lose();
    await bot.run(missed.length);
    await bot.reopen(order);
    expect(seen.bars).toEqual(inOrder(missed, 'catch_up'));
    expect(seen.pairs).toEqual(missed);
    seen.bars = [];
    await bot.run(1);
    expect(seen.bars).toEqual(inOrder([129], 'live'));
    await bot.close();
  });
});
