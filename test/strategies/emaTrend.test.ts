import { describe, expect, test } from 'vitest';
import { testStrategy, type StrategyTestOptions } from '../../src/testing/index.ts';
import '../../src/testingVitest.ts';
import emaTrend from '../../strategies/emaTrend.ts';

const params = { interval: '1m', fast: 2, slow: 4, atr_period: 2 };
/** As many as the averages need to converge: three times the slow one. */
const down = Array.from({ length: 12 }, (_none, bar) => 112 - 2 * bar);
const up = [100, 110, 120];

function start(options: Partial<StrategyTestOptions> = {}, history = down) {
  return testStrategy(emaTrend, {
    symbols: ['BTC'],
    ...options,
    params: { ...params, ...options.params },
  }).bars('BTC', '1m', history, { liveness: 'warm_up' });
}

describe('EMA trend', () => {
  test('enters long at the cross, worked by Pacemaker, with an ATR trailing stop', () => {
    const bot = start().bars('BTC', '1m', up);
    expect(bot.intents).toMatchObject([
      {
        kind: 'launch',
        request: {
          algo: 'pacemaker',
          symbol: 'BTC',
          side: 'buy',
          // Half of 10,000 at 100.
          total_size: 50,
          params: { duration_seconds: 60 },
          stop_loss: {
            trail: { indicator: 'atr', params: { period: 2 }, mult: 3, interval: '1m' },
          },
        },
        not_after: bot.intents[0]!.time + 60_000,
      },
    ]);
  });

  test('one signal per cross, however long the trend', () => {
    const bot = start().bars('BTC', '1m', [...up, 130, 140, 150, 160]);
    expect(bot.intents).toHaveLength(1);
  });

  test('decides nothing on the cross of an old bar', () => {
    const bot = start({}, [...down, ...up]).bars('BTC', '1m', [130, 140]);
    expect(bot).toEmitIntents([]);
    expect(bot.suppressed).toMatchObject([{ kind: 'launch', liveness: 'warm_up' }]);
  });

  test('flips at the opposite cross: stops the working entry, closes, enters short', () => {
    const bot = start().bars('BTC', '1m', up);
    bot.fill(bot.intents[0]!, { size: 20 }).bars('BTC', '1m', [80, 60]);
    expect(bot).toEmitIntents([
      { kind: 'launch', request: { side: 'buy' } },
      { kind: 'control_execution', action: 'stop', execution: { execution_id: 'exe_1' } },
      { kind: 'close_position', symbol: 'BTC' },
      { kind: 'launch', request: { algo: 'pacemaker', side: 'sell' } },
    ]);
  });

  test('leaves a completed execution alone', () => {
    const bot = start().bars('BTC', '1m', up);
    bot.fill(bot.intents[0]!).bars('BTC', '1m', [80, 60]);
    expect(bot.intents.map(({ kind }) => kind)).toEqual(['launch', 'close_position', 'launch']);
  });

  test('after a restart it stops an entry that was working before', () => {
    const bot = start().bars('BTC', '1m', up);
    bot.fill(bot.intents[0]!, { size: 20 }).restart().bars('BTC', '1m', [80, 60]);
    expect(bot.intents.map(({ kind }) => kind)).toEqual([
      'launch',
      'control_execution',
      'close_position',
      'launch',
    ]);
  });

  test('leaves alone an entry that ended during an outage', () => {
    const bot = start().bars('BTC', '1m', up);
    const [entry] = bot.intents;
    bot.fill(entry!, { size: 20 }).execution(entry!, 'gone').bars('BTC', '1m', [80, 60]);
    expect(bot.intents.map(({ kind }) => kind)).toEqual(['launch', 'close_position', 'launch']);
  });

  test('stops a working entry also after another execution has ended', () => {
    const bot = start().bars('BTC', '1m', up);
    bot.fill(bot.intents[0]!, { size: 20 });
    const other = { symbol: 'BTC', side: 'buy', total_size: 1 } as const;
    bot.execution('exe_old', 'ended', other).bars('BTC', '1m', [80, 60]);
    expect(bot.intents.map(({ kind }) => kind)).toEqual([
      'launch',
      'control_execution',
      'close_position',
      'launch',
    ]);
  });

  test('closes and stays flat if shorts are disabled', () => {
    const bot = start({ params: { shorts: false } }).bars('BTC', '1m', up);
    bot.fill(bot.intents[0]!).bars('BTC', '1m', [80, 60]);
    expect(bot.intents.map(({ kind }) => kind)).toEqual(['launch', 'close_position']);
  });

  test('proposes nothing below the minimum order value', () => {
    expect(start({ capital: 10 }).bars('BTC', '1m', up)).toEmitIntents([]);
  });

  test('requests enough history for its averages to converge', () => {
    expect(start({}, down.slice(1)).notices).toMatchObject([{ asked: 12, bars: 11 }]);
    expect(start().notices).toEqual([]);
  });
});
