import { describe, expect, test } from 'vitest';
import { testStrategy } from '../../src/testing/index.ts';
import '../../src/testingVitest.ts';
import marketMaker from '../../strategies/marketMaker.ts';

describe('market maker', () => {
  test('waits for its capital, and fixes its bound then', () => {
    const bot = testStrategy(marketMaker, { symbols: ['BTC'], capital: 0 }).price('BTC', 50_000);
    expect(bot.intents).toHaveLength(0);
    bot.account({ equity: 10_000 }).price('BTC', 50_000);
    // 5 % of the capital on each side.
    expect(bot).toEmitIntents([
      { kind: 'place_order', request: { side: 'buy', size: 0.01 } },
      { kind: 'place_order', request: { side: 'sell', size: 0.01 } },
    ]);
  });
});
