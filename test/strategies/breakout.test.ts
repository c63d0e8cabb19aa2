import { describe, expect, test } from 'vitest';
import { testStrategy, type StrategyTestOptions } from '../../src/testing/index.ts';
import '../../src/testingVitest.ts';
import breakout from '../../strategies/breakout.ts';

const params = { interval: '1m', channel: 3, atr_period: 2 };
/** Bars from 99 to 101: the range is 2, and so is the ATR. */
const flat = Array.from({ length: 12 }, () => ({ open: 100, high: 101, low: 99, close: 100 }));
/** Opens 100 and closes on its high: its range, and with it the ATR, is known. */
const jump = { open: 100, high: 104, low: 100, close: 104 };
const fall = { open: 100, high: 100, low: 96, close: 96 };

function start(options: Partial<StrategyTestOptions> = {}, history = flat) {
  return testStrategy(breakout, {
    symbols: ['BTC'],
    instruments: { BTC: { size_decimals: 3 } },
    ...options,
    params: { ...params, ...options.params },
  }).bars('BTC', '1m', history, { liveness: 'warm_up' });
}

describe('breakout', () => {
  test('buys a close above the channel, with stop and target in ATR distances', () => {
    // ATR = (2 + 4) / 2 = 3, so the stop is 6 away and the target 12.
    const request = {
      order_type: 'market',
      side: 'buy',
      stop_loss: { price: 98 },
      take_profit: { price: 116 },
    } as const;
    expect(start().bars('BTC', '1m', [jump])).toEmitIntents([{ kind: 'place_order', request }]);
  });

  test('the size loses the risked share of the capital at the stop, rounded down', () => {
    const bot = start({ capital: 10_000, params: { risk: 0.01 } });
    // 100 at risk over a distance of 6 is 16.6666…, on a grid of three decimals.
    expect(bot.bars('BTC', '1m', [jump])).toEmitIntents([{ request: { size: 16.666 } }]);
  });

  test('the size never exceeds the largest exposure', () => {
    const bot = start({ params: { risk: 0.1, max_exposure: 0.5 } });
    // 5,000 at 104.
    expect(bot.bars('BTC', '1m', [jump])).toEmitIntents([{ request: { size: 48.076 } }]);
  });

  test('sells a close below the channel, unless shorts are disabled', () => {
    expect(start().bars('BTC', '1m', [fall])).toEmitIntents([
      { request: { side: 'sell', stop_loss: { price: 102 }, take_profit: { price: 84 } } },
    ]);
    expect(start({ params: { shorts: false } }).bars('BTC', '1m', [fall])).toEmitIntents([]);
  });

  test('a short whose target would lie below zero has a stop alone', () => {
    // The stop is 6 away, and the target would be at 96 - 20 * 6.
    const bot = start({ params: { reward: 20 } }).bars('BTC', '1m', [fall]);
    expect(bot).toEmitIntents([{ request: { side: 'sell', stop_loss: { price: 102 } } }]);
    const [intent] = bot.intents.of('place_order');
    expect(intent!.request).not.toHaveProperty('take_profit');
  });

  test('a price that rounds to zero is no target', () => {
    // 96 less 6 times 15.9999 is 0.0006, and a price has two decimals.
    const options = { params: { reward: 15.9999 }, instruments: { BTC: { price_decimals: 2 } } };
    const [intent] = start(options).bars('BTC', '1m', [fall]).intents.of('place_order');
    expect(intent!.request).not.toHaveProperty('take_profit');
  });

  test('buys nothing whose stop would lie below zero', () => {
    expect(start({ params: { stop_atr: 40 } }).bars('BTC', '1m', [jump])).toEmitIntents([]);
  });

  test('a close on the low of the channel, or on its high, is no break', () => {
    const onLow = { open: 100, high: 100, low: 99, close: 99 };
    const onHigh = { open: 100, high: 101, low: 100, close: 101 };
    expect(start().bars('BTC', '1m', [onLow])).toEmitIntents([]);
    expect(start().bars('BTC', '1m', [onHigh])).toEmitIntents([]);
  });

  test('a high that is touched but not closed above is not a break', () => {
    const touch = { open: 100, high: 110, low: 99, close: 101 };
    expect(start().bars('BTC', '1m', [touch])).toEmitIntents([]);
  });

  test('the bar itself is not part of the channel that it breaks', () => {
    const spike = { open: 100, high: 120, low: 99, close: 102 };
    expect(start().bars('BTC', '1m', [spike]).intents).toHaveLength(1);
  });

  test('ignores breaks while a position is open, and trades them again when flat', () => {
    const bot = start().bars('BTC', '1m', [jump]);
    bot.fill(bot.intents[0]!).bars('BTC', '1m', [{ open: 104, high: 110, low: 104, close: 110 }]);
    expect(bot.intents).toHaveLength(1);
    const { size } = bot.positionOf('BTC')!;
    bot.leg('leg_triggered', { kind: 'take_profit' });
    bot.foreignFill({ symbol: 'BTC', side: 'sell', size, price: 116, reduce_only: true });
    bot.bars('BTC', '1m', [{ open: 116, high: 120, low: 116, close: 120 }]);
    expect(bot.intents).toHaveLength(2);
  });

  test('a market without range gives no size and no intent', () => {
    const still = Array.from({ length: 12 }, () => ({ open: 1, high: 1, low: 1, close: 1 }));
    const bot = start({ capital: 0 }, still).bars('BTC', '1m', [
      { open: 1, high: 2, low: 1, close: 2 },
    ]);
    expect(bot).toEmitIntents([]);
    expect(bot.faults).toEqual([]);
  });
});
