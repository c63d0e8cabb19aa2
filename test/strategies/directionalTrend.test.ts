import { describe, expect, test } from 'vitest';
import { testStrategy, type StrategyTestOptions } from '../../src/testing/index.ts';
import '../../src/testingVitest.ts';
import directionalTrend from '../../strategies/directionalTrend.ts';

const params = { interval: '1h', period: 2, slow: 4, strength: 60 };
/** Nothing moves: there is no direction. */
const idle = Array.from({ length: 20 }, () => 100);

function start(options: Partial<StrategyTestOptions> = {}) {
  return testStrategy(directionalTrend, {
    symbols: ['BTC'],
    instruments: { BTC: { size_decimals: 3 } },
    ...options,
    params: { ...params, ...options.params },
  }).bars('BTC', '1h', idle, { liveness: 'warm_up' });
}

describe('directional trend', () => {
  test('buys when a direction becomes strong, with a trail and a target of the same ATR', () => {
    const bot = start().bars('BTC', '1h', [104, 108, 112, 116, 120]);
    const range = { indicator: 'atr', params: { period: 2 }, interval: '1h' };
    expect(bot.intents).toMatchObject([
      {
        kind: 'place_order',
        request: {
          side: 'buy',
          stop_loss: { trail: { ...range, mult: 3 } },
          take_profit: { offset: { ...range, mult: 8 } },
        },
      },
    ]);
    expect(bot.intents[0]!.not_after).toBe(bot.intents[0]!.time + 3_600_000);
  });

  test('sells a fall', () => {
    const bot = start().bars('BTC', '1h', [96, 92, 88, 84, 80]);
    expect(bot).toEmitIntents([{ request: { side: 'sell' } }]);
  });

  test('enters once where a direction becomes strong, and not again while it is', () => {
    const bot = start().bars('BTC', '1h', [104, 108, 112, 116, 120]);
    // It was stopped out, and the trend goes on.
    bot.outcome(bot.intents[0]!, 'expired').bars('BTC', '1h', [124, 128, 132]);
    expect(bot.intents).toHaveLength(1);
  });

  test('does nothing against the slow average, or while a position is open', () => {
    const slow = start({ params: { slow: 100 } }).bars('BTC', '1h', [60, 50, 40, 60, 70, 80]);
    expect(slow.intents.of('place_order').every(({ request }) => request.side === 'sell')).toBe(
      true,
    );
    const held = start().position('BTC', { side: 'long', size: 1, entry_price: 100 });
    expect(held.bars('BTC', '1h', [104, 108, 112, 116]).intents).toHaveLength(0);
  });

  test('proposes nothing below the minimum order value', () => {
    const bot = start({ capital: 10 }).bars('BTC', '1h', [104, 108, 112, 116]);
    expect(bot).toEmitIntents([]);
  });
});
