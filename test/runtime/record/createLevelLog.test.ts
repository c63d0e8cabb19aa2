import { expect, test } from 'vitest';
import type { WatchRow } from '../../../src/contract/index.ts';
import { createLevelLog } from '../../../src/runtime/record/createLevelLog.ts';

const leg = (more: Partial<WatchRow>): WatchRow => ({
  watch_kind: 'leg',
  kind: 'stop_loss',
  symbol: 'BTC',
  leg_id: 'leg_1',
  form: 'price',
  trigger_price: 90,
  ...more,
});

test('a trailing stop has a step for each move, and the time at which it fired', () => {
  const log = createLevelLog();
  log.take('trend', 'leg_armed', leg({ form: 'trail' }), 1);
  log.take('trend', 'trail_moved', leg({ form: 'trail', trigger_price: 92 }), 2);
  log.take('trend', 'trail_moved', leg({ form: 'trail', trigger_price: 92 }), 3);
  log.take('trend', 'leg_triggered', leg({ form: 'trail', trigger_price: 92 }), 4);
  expect(log.levels).toEqual([
    {
      instance: 'trend',
      symbol: 'BTC',
      kind: 'trailing stop',
      times: [1, 2],
      prices: [90, 92],
      end_time: 4,
      end: 'triggered',
    },
  ]);
});

test('stops, targets and tracked entries are told apart; one in force has no end', () => {
  const log = createLevelLog();
  log.take('trend', 'leg_armed', leg({}), 1);
  log.take('trend', 'leg_armed', leg({ leg_id: 'leg_2', kind: 'take_profit' }), 1);
  const entry = leg({ watch_kind: 'entry', watch_id: 'watch_1', kind: null, leg_id: null });
  log.take(undefined, 'entry_moved', entry, 2);
  log.take(undefined, 'entry_hold', { ...entry, level: 95 } as WatchRow, 3);
  log.take(undefined, 'entry_tracking_stopped', entry, 4);
  expect(log.levels.map(({ kind, end }) => [kind, end])).toEqual([
    ['stop', undefined],
    ['target', undefined],
    ['entry', 'stopped'],
  ]);
  expect(log.levels[2]).toMatchObject({ times: [2], prices: [90], end_time: 4 });
});

test('a leg that ends before it has a trigger is no level; one armed again is another', () => {
  const log = createLevelLog();
  log.take('trend', 'leg_armed', leg({ trigger_price: null }), 1);
  log.take('trend', 'leg_retired', leg({ trigger_price: null }), 2);
  expect(log.levels).toEqual([]);
  log.take('trend', 'leg_armed', leg({}), 3);
  log.take('trend', 'leg_retired', leg({}), 4);
  log.take('trend', 'leg_armed', leg({ trigger_price: 80 }), 5);
  expect(log.levels.map(({ times }) => times)).toEqual([[3], [5]]);
});
