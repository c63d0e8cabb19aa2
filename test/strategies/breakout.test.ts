import { describe, expect, test } from 'vitest';
import breakout from '../../strategies/breakout.ts';
import { runStrategy, type RunOptions, type StrategyRun } from './runStrategy.ts';

const params = { interval: '1m', channel: 3, atr_period: 2 };
/** Bars from 99 to 101: the range is 2, and so is the ATR. */
const flat = Array.from({ length: 12 }, () => ({ open: 100, high: 101, low: 99, close: 100 }));
/** Opens 100 and closes on its high: its range, and with it the ATR, is known. */
const jump = { open: 100, high: 104, low: 100, close: 104 };
const fall = { open: 100, high: 100, low: 96, close: 96 };

const start = (options: RunOptions = {}): StrategyRun =>
  runStrategy(breakout, { history: flat, ...options, params: { ...params, ...options.params } });

describe('breakout', () => {
  test('buys a close above the channel, with stop and target in ATR distances', () => {
    const run = start();
    run.bars(jump);
    // ATR = (2 + 4) / 2 = 3, so the stop is 6 away and the target 12.
    expect(run.intents()).toMatchObject([
      {
        kind: 'place_order',
        request: {
          order_type: 'market',
          side: 'buy',
          stop_loss: { price: 98 },
          take_profit: { price: 116 },
        },
      },
    ]);
  });

  test('the size loses the risked share of the capital at the stop, rounded down', () => {
    const run = start({ equity: 10_000, params: { risk: 0.01 } });
    run.bars(jump);
    // 100 at risk over a distance of 6 is 16.6666…, on a grid of three decimals.
    expect(run.intents()).toMatchObject([{ request: { size: 16.666 } }]);
  });

  test('the size never exceeds the largest exposure', () => {
    const run = start({ params: { risk: 0.1, max_exposure: 0.5 } });
    run.bars(jump);
    // 5,000 at 104.
    expect(run.intents()).toMatchObject([{ request: { size: 48.076 } }]);
  });

  test('sells a close below the channel, unless shorts are not wanted', () => {
    const run = start();
    run.bars(fall);
    expect(run.intents()).toMatchObject([
      { request: { side: 'sell', stop_loss: { price: 102 }, take_profit: { price: 84 } } },
    ]);
    const longOnly = start({ params: { shorts: false } });
    longOnly.bars(fall);
    expect(longOnly.emissions).toEqual([]);
  });

  test('a high that is touched and not closed above is no break', () => {
    const run = start();
    run.bars({ open: 100, high: 110, low: 99, close: 101 });
    expect(run.emissions).toEqual([]);
  });

  test('the bar itself is not part of the channel that it breaks', () => {
    const run = start();
    run.bars({ open: 100, high: 120, low: 99, close: 102 });
    expect(run.emissions).toHaveLength(1);
  });

  test('lets breaks pass while a position is open, and takes them again when flat', () => {
    const run = start();
    run.position('long', 10);
    run.bars(jump);
    expect(run.emissions).toEqual([]);
    run.position('flat');
    run.bars({ open: 104, high: 108, low: 104, close: 108 });
    expect(run.emissions).toHaveLength(1);
  });

  test('a market without any range gives no size, and no intent', () => {
    const still = Array.from({ length: 8 }, () => ({ open: 1, high: 1, low: 1, close: 1 }));
    const run = start({ history: still, equity: 0 });
    run.bars({ open: 1, high: 2, low: 1, close: 2 });
    expect([run.emissions, run.faults]).toEqual([[], []]);
  });
});
