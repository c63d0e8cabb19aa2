import { describe, expect, test } from 'vitest';
import { INTERVAL_MS } from '../../src/contract/index.ts';
import { testStrategy, type StrategyTestOptions } from '../../src/testing/index.ts';
import '../../src/testingVitest.ts';
import accumulator from '../../strategies/accumulator.ts';

const params = { interval: '4h', trend: 2, floor: 4, slice: 0.1, most: 0.25 };
const rising = [96, 97, 98, 99];

function start(options: Partial<StrategyTestOptions> = {}) {
  return testStrategy(accumulator, {
    symbols: ['BTC'],
    ...options,
    params: { ...params, ...options.params },
  }).bars('BTC', '4h', rising, { liveness: 'warm_up' });
}

describe('accumulator', () => {
  test('works a slice within a share of the volume, and is done before the next bar', () => {
    const bot = start().bars('BTC', '4h', [100]);
    expect(bot).toEmitIntents([
      {
        kind: 'launch',
        request: {
          algo: 'flowscale',
          side: 'buy',
          // A tenth of 10,000 at 100.
          total_size: 10,
          params: { participation: 0.05, max_duration_seconds: 7_200 },
        },
      },
    ]);
  });

  test('arms one monitor at the service with the first purchase', () => {
    const bot = start().bars('BTC', '4h', [100]);
    bot.fill(bot.intents[0]!);
    const [monitor] = bot.intents.of('create_monitor');
    expect(monitor!.request).toMatchObject({
      trigger: { type: 'indicator_level', direction: 'below', indicator: 'sma', interval: '4h' },
      action: { type: 'order', request: { side: 'sell', size: 50, reduce_only: true } },
    });
    bot.accept(monitor!).bars('BTC', '4h', [101]);
    bot.fill(bot.intents.at(-1)!);
    expect(bot.intents.of('create_monitor')).toHaveLength(1);
  });

  test('buys no more than its share, the last slice smaller, and nothing below an average', () => {
    const bot = start();
    for (const price of [100, 100.1, 100.2, 100.3]) {
      bot.bars('BTC', '4h', [price]);
      const last = bot.intents.of('launch').at(-1)!;
      const isKnown = bot.outcomes.some(({ decisionKey }) => decisionKey === last.decisionKey);
      if (!isKnown) bot.fill(last);
    }
    const sizes = bot.intents.of('launch').map(({ request }) => request.total_size);
    expect(sizes).toHaveLength(3);
    expect(sizes[2]).toBeLessThan(sizes[1]!);
    expect(start().bars('BTC', '4h', [90]).intents).toHaveLength(0);
  });

  test('stops the monitor when nothing is held any more, and arms another the next time', () => {
    const bot = start().bars('BTC', '4h', [100]);
    bot.fill(bot.intents[0]!).accept('floor');
    bot.position('BTC', null);
    expect(bot.intents.of('stop_monitor')).toMatchObject([{ monitor: { ref: 'floor' } }]);
    bot.monitor('floor', 'stopped').bars('BTC', '4h', [101]);
    bot.fill(bot.intents.at(-1)!);
    expect(bot.intents.of('create_monitor')).toHaveLength(2);
  });

  test('leaves a monitor that fired alone', () => {
    const bot = start().bars('BTC', '4h', [100]);
    bot.fill(bot.intents[0]!).accept('floor').monitor('floor', 'fired');
    bot.position('BTC', null);
    expect(bot.intents.of('stop_monitor')).toHaveLength(0);
    bot.bars('BTC', '4h', [90]);
    expect(bot.intents.of('place_order')).toHaveLength(0);
  });

  test('arms it again with the next bar, once it is known to have been refused', () => {
    const bot = start().bars('BTC', '4h', [100]);
    bot.fill(bot.intents[0]!);
    // Not yet answered, it may be there.
    bot.bars('BTC', '4h', [101]);
    expect(bot.intents.of('create_monitor')).toHaveLength(1);
    bot.outcome('floor', 'rejected', 'rate_limited').bars('BTC', '4h', [102]);
    expect(bot.intents.of('create_monitor')).toHaveLength(2);
    bot.accept('floor').bars('BTC', '4h', [103]);
    expect(bot.intents.of('create_monitor')).toHaveLength(2);
  });

  test('arms one for a position that is there when it starts', () => {
    const bot = start().bars('BTC', '4h', [100]);
    bot.fill(bot.intents[0]!).outcome('floor', 'denied');
    bot.restart();
    bot.bars('BTC', '4h', [101]);
    expect(bot.intents.of('create_monitor')).toHaveLength(2);
    bot.accept('floor').bars('BTC', '4h', [102]);
    expect(bot.intents.of('create_monitor')).toHaveLength(2);
  });

  test('leaves the sale to a monitor that fires at the close itself, and sells the rest at the next', () => {
    const bot = start().bars('BTC', '4h', [100]);
    const close = bot.now + INTERVAL_MS['4h'];
    bot.fill(bot.intents[0]!).accept('floor');
    bot.monitor('floor', 'fired', { last_fired_time: close }).bars('BTC', '4h', [90]);
    expect(bot.now).toBe(close);
    expect(bot.intents.of('place_order')).toHaveLength(0);
    bot.bars('BTC', '4h', [89]);
    expect(bot.intents.of('place_order')).toMatchObject([{ request: { side: 'sell', size: 10 } }]);
  });

  test('sells at the market, below the average, what its monitor left', () => {
    const bot = start().bars('BTC', '4h', [100]);
    bot.fill(bot.intents[0]!).accept('floor').monitor('floor', 'fired');
    bot.bars('BTC', '4h', [90]);
    expect(bot.intents.of('place_order')).toMatchObject([
      { request: { order_type: 'market', side: 'sell', size: 10, reduce_only: true } },
    ]);
    // Above it, the rest gets a monitor of its own.
    bot.bars('BTC', '4h', [120]);
    expect(bot.intents.of('create_monitor')).toHaveLength(2);
  });
});
