import { describe, expect, test } from 'vitest';
import type { ExecutionRecord } from '../../src/contract/index.ts';
import emaTrend from '../../strategies/emaTrend.ts';
import { runStrategy, type RunOptions, type StrategyRun } from './runStrategy.ts';

const params = { interval: '1m', fast: 2, slow: 4, atr_period: 2 };
const down = [100, 98, 96, 94, 92, 90];
const up = [100, 110, 120];

const start = (options: RunOptions = {}): StrategyRun =>
  runStrategy(emaTrend, { history: down, ...options, params: { ...params, ...options.params } });

function execution(run: StrategyRun, id: string, phase: string, side = 'buy'): void {
  const record = { execution_id: id, symbol: 'BTC', side, phase, updated_time: run.market.now() };
  run.sources.executions$.next({ event: 'progress', execution: record as ExecutionRecord });
}

describe('EMA trend', () => {
  test('enters long at the cross, worked by Pacemaker, with an ATR trailing stop', () => {
    const run = start();
    run.bars(...up);
    expect(run.intents()).toEqual([
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
        not_after: run.emissions[0]!.marketTime + 60_000,
      },
    ]);
  });

  test('one signal a cross, however long the trend', () => {
    const run = start();
    run.bars(...up, 130, 140, 150, 160);
    expect(run.emissions).toHaveLength(1);
  });

  test('decides nothing upon the cross of an old bar', () => {
    const run = start({ history: [...down, ...up] });
    run.bars(130, 140);
    expect(run.emissions).toEqual([]);
    expect(run.host.suppressed).toBe(1);
  });

  test('flips at the opposite cross: stops the entry that works, closes, enters short', () => {
    const run = start();
    run.bars(...up);
    execution(run, 'exe_1', 'working');
    run.position('long', 20);
    run.bars(80, 60);
    expect(run.intents().slice(1)).toMatchObject([
      { kind: 'control_execution', action: 'stop', execution: { execution_id: 'exe_1' } },
      { kind: 'close_position', symbol: 'BTC' },
      { kind: 'launch', request: { algo: 'pacemaker', side: 'sell' } },
    ]);
  });

  test('leaves an execution alone that is done', () => {
    const run = start();
    run.bars(...up);
    execution(run, 'exe_1', 'working');
    execution(run, 'exe_1', 'done');
    run.position('long', 50);
    run.bars(80, 60);
    expect(run.intents().map(({ kind }) => kind)).toEqual(['launch', 'close_position', 'launch']);
  });

  test('closes and stays flat where shorts are not wanted', () => {
    const run = start({ params: { shorts: false } });
    run.bars(...up);
    run.position('long', 50);
    run.bars(80, 60);
    expect(run.intents().map(({ kind }) => kind)).toEqual(['launch', 'close_position']);
  });

  test('proposes nothing below the minimum order value', () => {
    const run = start({ equity: 10 });
    run.bars(...up);
    expect(run.emissions).toEqual([]);
  });

  test('asks for enough history to have its averages settled', () => {
    expect(start({ ownWarmup: true }).requestedHistory).toEqual([12]);
  });
});
