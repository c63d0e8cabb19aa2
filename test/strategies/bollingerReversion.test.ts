import { describe, expect, test } from 'vitest';
import { testStrategy, type StrategyTestOptions } from '../../src/testing/index.ts';
import '../../src/testingVitest.ts';
import reversion from '../../strategies/bollingerReversion.ts';

const params = { interval: '1m', period: 4, max_bars: 3 };
/** Mid 100, bands at 100 ± 2 × 2. */
const swing = [98, 102, 98, 102];

function start(options: Partial<StrategyTestOptions> = {}, history: readonly number[] = swing) {
  return testStrategy(reversion, {
    symbols: ['BTC'],
    instruments: { BTC: { size_decimals: 3 } },
    ...options,
    params: { ...params, ...options.params },
  }).bars('BTC', '1m', history, { liveness: 'warm_up' });
}

describe('Bollinger reversion', () => {
  test('rests a tracked entry at the lower band, target at the middle, stop below', () => {
    expect(start().bars('BTC', '1m', [98])).toEmitIntents([
      {
        kind: 'place_order',
        request: {
          order_type: 'limit',
          side: 'buy',
          // Half of 10,000 at 98, on a grid of three decimals.
          size: 51.02,
          price_from: { indicator: 'bollinger', series: 'lower', interval: '1m', track: true },
          take_profit: { at: { indicator: 'bollinger', series: 'mid', interval: '1m' } },
          stop_loss: { offset: { indicator: 'atr', mult: 3, interval: '1m' } },
        },
      },
    ]);
  });

  test('sells the upper band if configured short', () => {
    const bot = start({ params: { side: 'short' } }, [...swing.slice(1), 98]);
    expect(bot.bars('BTC', '1m', [102])).toEmitIntents([
      { request: { side: 'sell', price_from: { series: 'upper' } } },
    ]);
  });

  test('waits while the price is beyond the middle or outside the band', () => {
    expect(start({ params: { std_dev: 1 } }).bars('BTC', '1m', [103, 60])).toEmitIntents([]);
  });

  test('one entry at a time, and none while a position is open', () => {
    const bot = start().bars('BTC', '1m', [98, 99]);
    expect(bot.intents).toHaveLength(1);
    // It fills at its band: its watch retires, and the position is there.
    const [entry] = bot.intents;
    bot.accept(entry!).leg('entry_retired', { ref: entry! }).fill(entry!, { price: 96 });
    expect(bot.bars('BTC', '1m', [98]).intents).toHaveLength(1);
  });

  test('cancels an entry that the price has left, and re-enters afterwards', () => {
    const bot = start().bars('BTC', '1m', [98, 103]);
    const { ref } = bot.intents[0]!;
    expect(bot).toEmitIntents([
      { kind: 'place_order' },
      { kind: 'cancel_order', order: { ref: ref! } },
    ]);
    bot.accept(ref!).accept(bot.intents[1]!).bars('BTC', '1m', [98]);
    expect(bot.intents.at(-1)?.kind).toBe('place_order');
  });

  test('cancels an entry after its bar limit', () => {
    const bot = start().bars('BTC', '1m', [98, 98, 98]);
    expect(bot.intents).toHaveLength(1);
    expect(bot.bars('BTC', '1m', [98]).intents.at(-1)?.kind).toBe('cancel_order');
  });

  test.each(['denied', 'rejected', 'expired', 'absent'] as const)(
    'forgets an entry that was %s and tries again',
    (state) => {
      const bot = start().bars('BTC', '1m', [98]);
      const entry = bot.intents[0]!;
      if (state === 'rejected') bot.outcome(entry, state, 'insufficient_margin');
      else if (state === 'absent') bot.outcome(entry, 'unknown').outcome(entry, state);
      else bot.outcome(entry, state);
      bot.bars('BTC', '1m', [98]);
      expect(bot.intents.map(({ kind }) => kind)).toEqual(['place_order', 'place_order']);
    },
  );

  /** What follows an entry whose cancel ended so: it is cancelled once more, or another one takes its place. */
  const afterCancel = (...[state, why]: [string, string?]): string => {
    const bot = start().bars('BTC', '1m', [98, 103]);
    const [entry, cancel] = bot.intents;
    bot.accept(entry!);
    if (state === 'accepted') bot.accept(cancel!);
    else bot.outcome(cancel!, state as 'denied', why);
    const before = bot.intents.length;
    bot.bars('BTC', '1m', [98, 103]);
    return bot.intents
      .slice(before)
      .map(({ kind }) => kind)
      .join();
  };

  test.each<[string, string?]>([
    ['accepted'],
    ['rejected', 'not_found'],
    ['rejected', 'invalid_transition'],
    ['denied', 'request'],
  ])('an entry is over once its cancel is %s %s', (...outcome) => {
    expect(afterCancel(...outcome)).toBe('place_order,cancel_order');
  });

  test.each<[string, string?]>([
    ['sending'],
    ['unknown'],
    ['expired'],
    ['denied', 'max_intents_per_minute'],
    ['rejected', 'unknown_key'],
    ['rejected', 'insufficient_scope'],
  ])('an entry still rests if its cancel is %s %s', (...outcome) => {
    expect(afterCancel(...outcome)).toBe('cancel_order');
  });

  test('the end of another’s entry is not the end of its own', () => {
    const bot = start().bars('BTC', '1m', [98]);
    bot.accept(bot.intents[0]!);
    bot.leg('entry_retired', { symbol: 'BTC', watch_kind: 'entry_track', watch_id: 'another' });
    expect(bot.bars('BTC', '1m', [98]).intents).toHaveLength(1);
    bot.leg('entry_retired', { ref: bot.intents[0]! });
    expect(bot.bars('BTC', '1m', [98]).intents).toHaveLength(2);
  });

  test('never forgets an entry of unknown outcome', () => {
    const bot = start().bars('BTC', '1m', [98]);
    expect(bot.outcome(bot.intents[0]!, 'unknown').bars('BTC', '1m', [98]).intents).toHaveLength(1);
  });

  test('knows its resting entry after a restart, and warm-up does not touch it', () => {
    const bot = start().bars('BTC', '1m', [98]);
    const { ref } = bot.intents[0]!;
    expect(bot.restart().state).toMatchObject({ ref });
    expect(bot.bars('BTC', '1m', [103]).intents.of('cancel_order')).toMatchObject([
      { order: { ref } },
    ]);
  });

  test('an entry decided on history is not mistaken for a resting one', () => {
    const bot = start({}, [...swing, 98]);
    expect(bot.suppressed.length).toBeGreaterThan(0);
    expect(bot.bars('BTC', '1m', [98])).toEmitIntents([{ kind: 'place_order' }]);
  });
});
