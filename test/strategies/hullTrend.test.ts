import { describe, expect, test } from 'vitest';
import { testStrategy, type StrategyTestOptions } from '../../src/testing/index.ts';
import '../../src/testingVitest.ts';
import hullTrend from '../../strategies/hullTrend.ts';

const params = { interval: '1h', period: 4 };
const falling = Array.from({ length: 12 }, (_none, bar) => 120 - bar);

function start(options: Partial<StrategyTestOptions> = {}, history = falling) {
  return testStrategy(hullTrend, {
    symbols: ['BTC'],
    ...options,
    params: { ...params, ...options.params },
  }).bars('BTC', '1h', history, { liveness: 'warm_up' });
}

describe('hull trend', () => {
  test('buys at the turn, with a trailing stop, once', () => {
    const bot = start().bars('BTC', '1h', [115, 120, 125, 130]);
    expect(bot).toEmitIntents([
      {
        kind: 'place_order',
        request: { side: 'buy', stop_loss: { trail: { pct: 8, interval: '1h' } } },
      },
    ]);
  });

  test('sells at the next turn', () => {
    const bot = start().bars('BTC', '1h', [115, 120]);
    bot.fill(bot.intents[0]!).bars('BTC', '1h', [125, 110, 100]);
    expect(bot.intents.map(({ kind }) => kind)).toEqual(['place_order', 'close_position']);
  });

  test('buys nothing on top of what it holds', () => {
    const bot = start().position('BTC', { side: 'long', size: 1, entry_price: 110 });
    expect(bot.bars('BTC', '1h', [115, 120, 125])).toEmitIntents([]);
  });

  test('once stopped out it waits for the next turn', () => {
    const bot = start().bars('BTC', '1h', [115, 120]);
    bot.fill(bot.intents[0]!).position('BTC', null).bars('BTC', '1h', [125, 130, 135]);
    expect(bot.intents).toHaveLength(1);
  });

  test('turns where the published average does', () => {
    /** WMA(2 WMA(n / 2) − WMA(n), √n) of all closes up to one, computed anew for each. */
    const wma = (values: readonly number[], period: number): number =>
      values.slice(-period).reduce((sum, value, at) => sum + value * (at + 1), 0) /
      ((period * (period + 1)) / 2);
    const hullOf = (closes: readonly number[]): number => {
      const raw = [closes.slice(0, -1), closes].map((until) => 2 * wma(until, 2) - wma(until, 4));
      return wma(raw, 2);
    };
    const closes = Array.from(
      { length: 200 },
      (_none, bar) => 100 + 9 * Math.sin(bar / 5) + (bar % 7),
    );
    const turns = closes.flatMap((_close, at) => {
      const [a, b, c] = [2, 1, 0].map((back) => hullOf(closes.slice(0, at + 1 - back)));
      return at >= 40 && c! > b! && b! <= a! ? [at] : [];
    });
    const bot = start({}, closes.slice(0, 40));
    for (const close of closes.slice(40)) {
      bot.bars('BTC', '1h', [close]);
      for (const intent of bot.intents.slice(-1)) {
        const isNew = !bot.outcomes.some(({ decisionKey }) => decisionKey === intent.decisionKey);
        if (isNew) bot.fill(intent);
      }
    }
    const first = bot.now - 200 * 3_600_000;
    const bought = bot.intents.of('place_order').map(({ time }) => (time - first) / 3_600_000 - 1);
    expect(bought).toEqual(turns);
    expect(turns.length).toBeGreaterThan(5);
  });

  test('asks for the bars that its average needs, and one for its direction', () => {
    expect(start({}, falling.slice(0, 4)).notices).toMatchObject([{ asked: 6, bars: 4 }]);
  });
});
