import { map, NEVER, startWith, timer } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineStrategy, keepPair, type PairTarget } from '../../../src/index.ts';
import { testStrategy, type StrategyTest } from '../../../src/testing.ts';
import { BTC, ETH, heldOf, LEGS, nakedOf, orderOf, requests, start } from './pairFixture.ts';

/** Fills whatever was sent and is not answered, until nothing more is. */
function fillAll(bot: StrategyTest, from = 0): StrategyTest {
  for (let at = from; at < bot.intents.length; at++) bot.fill(bot.intents[at]!);
  return bot;
}

describe('a pair', () => {
  test('moves both legs at once, in steps of what may be naked, to sizes of one ratio', () => {
    const bot = start({ value: 3_000, hedge_ratio: 0.5 });
    expect(requests(bot)).toMatchObject([
      // A step of 1,000 of the hedge is one of 2,000 of the other leg.
      { symbol: 'ETH', side: 'buy', size: 1, order_type: 'market' },
      { symbol: 'BTC', side: 'sell', size: 0.02, order_type: 'market' },
    ]);
    fillAll(bot);
    expect([heldOf(bot, 'ETH'), heldOf(bot, 'BTC')]).toEqual([1.5, -0.03]);
    expect(bot.intents).toHaveLength(4);
  });

  test('turns through flat: what reduces is reduce-only, and the entry comes after it', () => {
    const bot = start((ctx) =>
      ctx.every('1m').pipe(
        map((_tick, minute) => ({ value: minute < 2 ? 1_000 : -1_000 })),
        startWith({ value: 1_000 }),
      ),
    );
    fillAll(bot).advance('5m');
    const before = bot.intents.length - 2;
    fillAll(bot, before);
    expect(requests(bot).slice(before)).toMatchObject([
      { symbol: 'ETH', side: 'sell', size: 0.5, reduce_only: true },
      { symbol: 'BTC', side: 'buy', size: 0.02, reduce_only: true },
      { symbol: 'ETH', side: 'sell', size: 0.5 },
      { symbol: 'BTC', side: 'buy', size: 0.02 },
    ]);
    expect(requests(bot)[before + 2]).not.toHaveProperty('reduce_only');
    expect(nakedOf(bot)).toBeCloseTo(0, 6);
  });

  test('stays while its legs are within the tolerance of a new target', () => {
    const values = [1_000, 1_015, 985, 1_050];
    const bot = start((ctx) =>
      ctx.every('1m').pipe(
        map((_tick, minute) => ({ value: values[Math.min(minute, values.length - 1)]! })),
        startWith({ value: 1_000 }),
      ),
    );
    fillAll(bot).advance('3m');
    expect(bot.intents).toHaveLength(2);
    bot.advance('1m');
    expect(requests(bot).slice(2)).toMatchObject([
      { symbol: 'ETH', side: 'buy', size: 0.025 },
      { symbol: 'BTC', side: 'sell', size: 0.001 },
    ]);
  });

  test('completes a leg that was filled in part by what is missing alone', () => {
    const bot = start({ value: 1_000 });
    bot.fill(bot.intents[0]!).fill(bot.intents[1]!, { size: 0.005 });
    expect(bot.advance('10m').intents).toHaveLength(2);
    bot.fill(bot.intents[1]!, { size: 0.015 });
    expect(bot.advance('10m').intents).toHaveLength(2);
    expect(nakedOf(bot)).toBeCloseTo(0, 6);
  });

  test('a leg that is denied again and again leaves the other one for no longer than stated', () => {
    const bot = start({ value: 1_000 }, { unwind_after_ms: 20_000, retry_ms: 5_000 });
    const deny = () => {
      for (const intent of bot.intents.slice(2)) {
        const { symbol, reduce_only } = orderOf({ intent });
        if (symbol !== 'BTC' || reduce_only === true) continue;
        if (!bot.outcomes.some((one) => one.decisionKey === intent.decisionKey))
          bot.outcome(intent, 'denied', 'max_position_notional');
      }
    };
    bot.fill(bot.intents[0]!).outcome(bot.intents[1]!, 'denied', 'max_position_notional');
    for (let second = 0; second < 19; second++) {
      bot.advance('1s');
      deny();
    }
    expect(nakedOf(bot)).toBeCloseTo(1_000, 6);
    // It was tried again each five seconds.
    expect(bot.intents).toHaveLength(5);
    bot.advance('2s');
    expect(requests(bot).at(-1)).toMatchObject({
      symbol: 'ETH',
      side: 'sell',
      size: 0.5,
      reduce_only: true,
    });
    bot.fill(bot.intents.at(-1)!);
    expect(nakedOf(bot)).toBe(0);
    // From now on the leg that was denied goes first, and alone.
    const count = bot.intents.length;
    bot.advance('1h');
    const later = requests(bot).slice(count);
    expect(later).toMatchObject([{ symbol: 'BTC', side: 'sell', size: 0.02 }]);
    bot.fill(bot.intents.at(-1)!);
    expect(requests(bot).slice(count + 1)).toMatchObject([{ symbol: 'ETH', side: 'buy' }]);
  });

  test('an unknown leg is neither doubled nor unwound before it is known', () => {
    const bot = start({ value: 1_000 });
    bot.fill(bot.intents[0]!).outcome(bot.intents[1]!, 'unknown');
    expect(bot.advance('1h').intents).toHaveLength(2);
    bot.outcome(bot.intents[1]!, 'absent').advance('10s');
    expect(requests(bot).slice(2)).toMatchObject([{ symbol: 'BTC', side: 'sell', size: 0.02 }]);
  });

  test('a leg that is lost is not left to the other one', () => {
    const bot = fillAll(start({ value: 3_000 }));
    expect(bot.advance('1m').intents).toHaveLength(6);
    bot.position('ETH', null);
    // It is completed up to what is missing, then step by step no more.
    expect(requests(bot).slice(6)).toMatchObject([{ symbol: 'ETH', side: 'buy', size: 1.5 }]);
    bot.outcome(bot.intents[6]!, 'rejected', 'insufficient_margin');
    for (let second = 0; second < 60 && heldOf(bot, 'BTC') !== 0; second++) {
      bot.advance('1s');
      const last = bot.intents.at(-1)!;
      const { reduce_only } = orderOf({ intent: last });
      const isNew = !bot.outcomes.some(({ decisionKey }) => decisionKey === last.decisionKey);
      if (isNew && reduce_only === true) bot.fill(last);
      else if (isNew) bot.outcome(last, 'rejected', 'insufficient_margin');
    }
    expect(heldOf(bot, 'BTC')).toBe(0);
  });

  test('goes on from its positions after a restart, with the order that was on its way', () => {
    const bot = start({ value: 2_000 });
    bot.outcome(bot.intents[1]!, 'sending').fill(bot.intents[0]!);
    bot.restart().price('ETH', ETH).price('BTC', BTC).advance('10m');
    // The BTC order has no answer yet: it may still fill.
    expect(bot.intents).toHaveLength(2);
    bot.fill(bot.intents[1]!);
    fillAll(bot, 2).advance('1m');
    expect([heldOf(bot, 'ETH'), heldOf(bot, 'BTC')]).toEqual([1, -0.04]);
    expect(bot.intents).toHaveLength(4);
  });

  test('proposes nothing upon the past', () => {
    const bot = start((ctx) => ctx.candles('ETH', '1m').pipe(map(() => ({ value: 1_000 }))));
    bot.bars('ETH', '1m', [ETH, ETH], { liveness: 'catch_up' });
    expect(bot.intents).toHaveLength(0);
    expect(bot.bars('ETH', '1m', [ETH]).intents).toHaveLength(2);
  });

  test('exits while entries are denied', () => {
    const bot = start((ctx) =>
      timer(60_000, ctx.scheduler).pipe(
        map(() => ({ value: 0 })),
        startWith({ value: 1_000 }),
      ),
    );
    fillAll(bot).advance('2m');
    expect(requests(bot).slice(2)).toMatchObject([
      { symbol: 'ETH', side: 'sell', size: 0.5, reduce_only: true },
      { symbol: 'BTC', side: 'buy', size: 0.02, reduce_only: true },
    ]);
  });
});

test.each<[string, object, object, PairTarget]>([
  ['both legs are ETH', { short: 'ETH' }, {}, { value: 1 }],
  ['BTC/USDC is spot', { short: 'BTC/USDC' }, {}, { value: 1 }],
  ['max_naked must be above 0, and it is 0', {}, { max_naked: 0 }, { value: 1 }],
  ['max_naked must be at least 22', {}, { max_naked: 15 }, { value: 1 }],
  ['tolerance must be from 0 to below 1', {}, { tolerance: 1 }, { value: 1 }],
  ['retry_ms must be above 0', {}, { retry_ms: Number.NaN }, { value: 1 }],
  ['name "a:b": use 1 to 40', {}, { name: 'a:b' }, { value: 1 }],
  ['name null: use 1 to 40', {}, { name: null }, { value: 1 }],
  ['value must be a number, and it is NaN', {}, {}, { value: Number.NaN }],
  ['hedge_ratio must be above 0, and it is -1', {}, {}, { value: 1, hedge_ratio: -1 }],
])('what makes no pair ends its strategy with a code: %s', (reason, legs, options, target) => {
  const strategy = defineStrategy({
    name: 'pair',
    contract: 1,
    description: 'For a test.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      NEVER.pipe(
        startWith(target),
        keepPair(ctx, { ...LEGS, ...legs }, { max_naked: 1_000, ...options }),
      ),
  });
  const { faults } = testStrategy(strategy, { symbols: ['ETH', 'BTC'], onFault: 'list' })
    .price('ETH', ETH)
    .price('BTC', BTC);
  expect(faults).toMatchObject([{ code: 'TRIMTAB_INDICATOR_PARAMETER' }]);
  expect(faults[0]!.reason).toContain(reason);
});

test('an option that is undefined has its default', () => {
  const options = {
    name: undefined,
    unwind_after_ms: undefined,
    tolerance: undefined,
    retry_ms: undefined,
    slippage_bps: undefined,
  };
  const bot = start({ value: 1_000 }, options as object);
  expect(bot.intents.map(({ ref }) => ref!.split(':')[0])).toEqual(['pair', 'pair']);
});
