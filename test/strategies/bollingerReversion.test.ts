import { describe, expect, test } from 'vitest';
import type { Emission } from '../../src/strategy/index.ts';
import { createMemoryState } from '../../src/strategy/index.ts';
import reversion from '../../strategies/bollingerReversion.ts';
import { runStrategy, type RunOptions, type StrategyRun } from './runStrategy.ts';

const params = { interval: '1m', period: 4, max_bars: 3 };
/** Mid 100, bands at 100 ± 2 × 2. */
const swing = [98, 102, 98, 102, 98, 102];

const start = (options: RunOptions = {}): StrategyRun =>
  runStrategy(reversion, { history: swing, ...options, params: { ...params, ...options.params } });

function retire(run: StrategyRun): void {
  const row = { watch_kind: 'entry', watch_id: 'wat_1', symbol: 'BTC' };
  run.sources.watch$.next({ event: 'entry_retired', row });
}

const last = (run: StrategyRun): Emission => run.emissions.at(-1)!;

describe('Bollinger reversion', () => {
  test('rests a tracked entry at the lower band, target at the middle, stop below', () => {
    const run = start();
    run.bars(98);
    expect(run.intents()).toMatchObject([
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

  test('sells the upper band where it is short', () => {
    const run = start({ params: { side: 'short' }, history: [...swing, 98] });
    run.bars(102);
    expect(run.intents()).toMatchObject([
      { request: { side: 'sell', price_from: { series: 'upper' } } },
    ]);
  });

  test('waits while the price is beyond the middle or outside of the band', () => {
    const run = start({ params: { std_dev: 1 } });
    run.bars(103, 60);
    expect(run.emissions).toEqual([]);
  });

  test('one entry at a time, and none while a position is open', () => {
    const run = start();
    run.bars(98, 99);
    expect(run.emissions).toHaveLength(1);
    retire(run);
    run.position('long', 51);
    run.bars(98);
    expect(run.emissions).toHaveLength(1);
  });

  test('cancels an entry that the price has left, and enters again once that is done', () => {
    const run = start();
    run.bars(98, 103);
    expect(run.intents()).toMatchObject([
      { kind: 'place_order' },
      { kind: 'cancel_order', order: { ref: run.intents()[0]!.ref } },
    ]);
    run.outcome(last(run), 'accepted');
    run.bars(98);
    expect(last(run).intent.kind).toBe('place_order');
  });

  test('cancels an entry after so many bars', () => {
    const run = start();
    run.bars(98, 98, 98);
    expect(run.emissions).toHaveLength(1);
    run.bars(98);
    expect(last(run).intent.kind).toBe('cancel_order');
  });

  test.each(['denied', 'rejected', 'expired', 'absent'] as const)(
    'forgets an entry that was %s and tries again',
    (state) => {
      const run = start();
      run.bars(98);
      run.outcome(last(run), state);
      run.bars(98);
      expect(run.intents().map(({ kind }) => kind)).toEqual(['place_order', 'place_order']);
    },
  );

  test('never forgets an entry whose fate is unknown', () => {
    const run = start();
    run.bars(98);
    run.outcome(last(run), 'unknown');
    run.bars(98);
    expect(run.emissions).toHaveLength(1);
  });

  test('knows its resting entry after a restart, and warm-up does not touch it', () => {
    const state = createMemoryState();
    const before = start({ state });
    before.bars(98);
    const { ref } = before.intents()[0]!;
    const after = start({ state, history: [...swing, 98] });
    expect(state.read()).toMatchObject({ state: { ref } });
    after.bars(103);
    expect(after.intents()).toMatchObject([{ kind: 'cancel_order', order: { ref } }]);
  });

  test('an entry decided upon history is not taken for a resting one', () => {
    const run = start({ history: [...swing, 98] });
    expect(run.host.suppressed).toBeGreaterThan(0);
    run.bars(98);
    expect(run.intents().map(({ kind }) => kind)).toEqual(['place_order']);
  });
});
