import { describe, expect, test } from 'vitest';
import { TEST_START, testStrategy, type StrategyTest } from '../../src/testing/index.ts';
import '../../src/testingVitest.ts';
import fundingCarry from '../../strategies/fundingCarry.ts';

const params = { settlements: 3, enter_bps: 1, exit_bps: 0, max_naked: 10_000 };
const EIGHT_HOURS = 8 * 3_600_000;

const start = (): StrategyTest =>
  testStrategy(fundingCarry, { symbols: ['ETH', 'BTC'], params })
    .price('ETH', 2_500)
    .price('BTC', 50_000);

/** Settlements eight hours apart; rates in basis points. */
function settle(bot: StrategyTest, rates: ReadonlyArray<readonly [eth: number, btc: number]>) {
  for (const [eth, btc] of rates) {
    bot.advance('8h');
    const next_time =
      TEST_START + (Math.floor((bot.now - TEST_START) / EIGHT_HOURS) + 1) * EIGHT_HOURS;
    bot.funding('ETH', { rate: eth / 10_000, next_time });
    bot.funding('BTC', { rate: btc / 10_000, next_time });
  }
  return bot;
}

describe('funding carry', () => {
  test('is short what pays more and long the other, once the mean difference is large', () => {
    const bot = settle(start(), [
      [1, 2],
      [1, 2],
    ]);
    expect(bot.intents).toHaveLength(0);
    expect(settle(bot, [[1, 3]])).toEmitIntents([
      { kind: 'place_order', request: { symbol: 'ETH', side: 'buy', size: 2 } },
      { kind: 'place_order', request: { symbol: 'BTC', side: 'sell', size: 0.1 } },
    ]);
  });

  test('turned round where the first pays more', () => {
    const bot = settle(start(), [
      [3, 1],
      [3, 1],
      [3, 1],
    ]);
    const sides = bot.intents.of('place_order').map(({ request }) => request.side);
    expect(sides).toEqual(['sell', 'buy']);
  });

  test('leaves when the difference is gone, and not before', () => {
    const bot = settle(start(), [
      [1, 2],
      [1, 2],
      [1, 3],
    ]);
    for (const intent of bot.intents.slice()) bot.fill(intent);
    settle(bot, [[1, 1]]);
    expect(bot.intents).toHaveLength(2);
    settle(bot, [
      [1, 0],
      [1, 0],
    ]);
    expect(bot.intents.of('place_order').slice(2)).toMatchObject([
      { request: { symbol: 'ETH', side: 'sell', reduce_only: true } },
      { request: { symbol: 'BTC', side: 'buy', reduce_only: true } },
    ]);
  });

  test('counts a settlement once, whatever else is published', () => {
    const bot = settle(start(), [[1, 3]]);
    bot.funding('ETH', { paid: 1 }).funding('BTC', { paid: -1 }).funding('ETH', { paid: 1 });
    expect(bot.intents).toHaveLength(0);
  });

  test('enters at just the mean that it asks for', () => {
    const bot = settle(start(), [
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(bot.intents).toHaveLength(2);
  });

  test.each([1, -1])('leaves a pair of either side once it earns too little: %d', (side) => {
    const turn = (eth: number, btc: number): [number, number] =>
      side > 0 ? [eth, btc] : [btc, eth];
    const bot = settle(start(), [turn(1, 3), turn(1, 3), turn(1, 3)]);
    for (const intent of bot.intents.slice()) bot.fill(intent);
    // The mean is 1.3, 0.6, and 0.1 against it.
    settle(bot, [turn(1, 1), turn(1, 1)]);
    expect(bot.intents).toHaveLength(2);
    settle(bot, [turn(1.3, 1)]);
    expect(bot.intents.of('place_order').slice(2)).toMatchObject([
      { request: { reduce_only: true } },
      { request: { reduce_only: true } },
    ]);
  });
});

describe('after a restart', () => {
  const restart = (bot: StrategyTest): StrategyTest =>
    bot.restart().price('ETH', 2_500).price('BTC', 50_000);
  const held = (): StrategyTest => {
    const bot = settle(start(), [
      [1, 3],
      [1, 3],
      [1, 3],
    ]);
    for (const intent of bot.intents.slice()) bot.fill(intent);
    return bot;
  };

  test('it knows the settlements of before, and counts none of them twice', () => {
    const bot = settle(start(), [
      [1, 2],
      [1, 2],
    ]);
    const next_time = bot.now + EIGHT_HOURS;
    restart(bot)
      .funding('ETH', { rate: 1 / 10_000, next_time })
      .funding('BTC', { rate: 9 / 10_000, next_time });
    expect(bot.intents).toHaveLength(0);
    expect(settle(bot, [[1, 3]]).intents).toHaveLength(2);
  });

  test.each([
    ['the other way round', { pair: ['BTC', 'ETH'], gains: [-2, -2, -2], ahead: 0 }],
    ['another one', { pair: ['SOL', 'BTC'], gains: [2, 2, 2], ahead: 0 }],
    ['its own, with a time far ahead', { pair: ['ETH', 'BTC'], gains: [2, 2, 2], ahead: 9e12 }],
  ])('settlements of a pair that is %s do not count', (_what, { pair, gains, ahead }) => {
    const next_time = TEST_START + ahead;
    const state = { pair, gains, next_time };
    const bot = testStrategy(fundingCarry, { symbols: ['ETH', 'BTC'], params, state });
    bot.price('ETH', 2_500).price('BTC', 50_000);
    const one: [number, number] = [1, 3];
    expect(settle(bot, [one, one]).intents).toHaveLength(0);
    expect(settle(bot, [one]).intents).toHaveLength(2);
  });

  test('a pair that no longer earns is left at its first settlement', () => {
    const bot = held();
    settle(bot, [[1, 0]]);
    settle(restart(bot), [[1, -3]]);
    expect(bot.intents.of('place_order').slice(2)).toMatchObject([
      { request: { symbol: 'ETH', side: 'sell', reduce_only: true } },
      { request: { symbol: 'BTC', side: 'buy', reduce_only: true } },
    ]);
  });

  test('a leg without its counterpart is completed at once', () => {
    const bot = settle(start(), [
      [1, 3],
      [1, 3],
      [1, 3],
    ]);
    const [eth, btc] = bot.intents;
    bot.fill(eth!).outcome(btc!, 'denied', 'entry_gate');
    restart(bot);
    expect(bot.intents.of('place_order').slice(2)).toMatchObject([
      { request: { symbol: 'BTC', side: 'sell', size: 0.1 } },
    ]);
  });

  test('a leg without its counterpart waits for no settlement', () => {
    const bot = testStrategy(fundingCarry, { symbols: ['ETH', 'BTC'], params });
    restart(bot.position('ETH', { side: 'long', size: 2, entry_price: 2_500 }));
    expect(bot.intents.of('place_order')).toMatchObject([
      { request: { symbol: 'BTC', side: 'sell', size: 0.1 } },
    ]);
  });

  test('a pair is kept while there are not enough settlements', () => {
    const bot = held();
    bot.advance('3d');
    settle(restart(bot), [
      [1, 0],
      [1, 0],
    ]);
    expect(bot.intents).toHaveLength(2);
    expect(settle(bot, [[1, 0]]).intents).toHaveLength(4);
  });
});
