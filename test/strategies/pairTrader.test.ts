import { describe, expect, test } from 'vitest';
import { testStrategy, type StrategyTestOptions } from '../../src/testing/index.ts';
import '../../src/testingVitest.ts';
import pairTrader from '../../strategies/pairTrader.ts';

const params = { interval: '1h', period: 4, enter: 1.4, exit: 0.5, max_naked: 10_000 };
const BTC = 50_000;
/** The ratio goes up and down by a percent. */
const usual = [1.01, 0.99, 1.01, 0.99];

const feedsOf = (ratios: readonly number[]) =>
  [
    { symbol: 'ETH', interval: '1h', bars: ratios.map((ratio) => 2_500 * ratio) },
    { symbol: 'BTC', interval: '1h', bars: ratios.map(() => BTC) },
  ] as const;

function start(options: Partial<StrategyTestOptions> = {}) {
  return testStrategy(pairTrader, {
    symbols: ['ETH', 'BTC'],
    ...options,
    params: { ...params, ...options.params },
  })
    .price('ETH', 2_500)
    .price('BTC', BTC)
    .feeds(feedsOf(usual));
}

describe('pair trader', () => {
  test('sells what has become dear, and buys as much of the other', () => {
    expect(start().feeds(feedsOf([1.1]))).toEmitIntents([
      // Half of 10,000 on each side.
      { kind: 'place_order', request: { symbol: 'ETH', side: 'sell', size: 2 } },
      { kind: 'place_order', request: { symbol: 'BTC', side: 'buy', size: 0.1 } },
    ]);
  });

  test('buys what has become cheap', () => {
    const bot = start().feeds(feedsOf([0.9]));
    const sides = bot.intents.of('place_order').map(({ request }) => request.side);
    expect(sides).toEqual(['buy', 'sell']);
  });

  test('keeps the pair until the ratio is near its mean, and closes both legs then', () => {
    const bot = start().feeds(feedsOf([1.1]));
    for (const intent of bot.intents.slice()) bot.fill(intent);
    bot.feeds(feedsOf([1.08]));
    expect(bot.intents).toHaveLength(2);
    bot.feeds(feedsOf([1.04]));
    expect(bot.intents.of('place_order').slice(2)).toMatchObject([
      { request: { symbol: 'ETH', side: 'buy', size: 2, reduce_only: true } },
      { request: { symbol: 'BTC', side: 'sell', size: 0.1, reduce_only: true } },
    ]);
  });

  test('knows after a restart which side it holds', () => {
    const bot = start().feeds(feedsOf([1.1]));
    for (const intent of bot.intents.slice()) bot.fill(intent);
    bot
      .restart()
      .price('ETH', 2_500)
      .price('BTC', BTC)
      .feeds(feedsOf([1.08]));
    expect(bot.intents).toHaveLength(2);
  });

  test('decides at the first hour after a start with enough history', () => {
    const ratios = [...usual, ...usual];
    const bot = testStrategy(pairTrader, { symbols: ['ETH', 'BTC'], params });
    for (const { symbol, bars } of feedsOf(ratios)) {
      bot.bars(symbol, '1h', bars, { liveness: 'warm_up' });
    }
    bot
      .price('ETH', 2_500)
      .price('BTC', BTC)
      .feeds(feedsOf([1.1]));
    expect(bot).toEmitIntents([
      { kind: 'place_order', request: { symbol: 'ETH', side: 'sell', size: 2 } },
      { kind: 'place_order', request: { symbol: 'BTC', side: 'buy', size: 0.1 } },
    ]);
  });

  test('decides at the first hour after a restart', () => {
    const bot = start()
      .restart()
      .price('ETH', 2_500)
      .price('BTC', BTC)
      .feeds(feedsOf([1.1]));
    expect(bot.intents).toHaveLength(2);
  });

  test.each([1, -1])('closes at its mean alone, of either side: %d', (side) => {
    const bot = start().feeds(feedsOf([1 + 0.1 * side]));
    for (const intent of bot.intents.slice()) bot.fill(intent);
    // Still half of its deviations on the side from which it entered, and then beyond it.
    bot.feeds(feedsOf([1 + 0.08 * side]));
    expect(bot.intents).toHaveLength(2);
    bot.feeds(feedsOf([1 + 0.04 * side]));
    expect(bot.intents.of('place_order').slice(2)).toMatchObject([
      { request: { symbol: 'ETH', reduce_only: true } },
      { request: { symbol: 'BTC', reduce_only: true } },
    ]);
  });

  test('a pair that is held is not closed because the capital is not known yet', () => {
    const bot = start().feeds(feedsOf([1.1]));
    for (const intent of bot.intents.slice()) bot.fill(intent);
    bot.account({ equity: 0 }).restart().price('ETH', 2_500).price('BTC', BTC);
    bot.feeds(feedsOf([1.08]));
    expect(bot.intents).toHaveLength(2);
  });

  test('decides nothing without both bars of an hour', () => {
    const bot = start().bars('ETH', '1h', [3_000]);
    expect(bot.intents).toHaveLength(0);
  });
});
