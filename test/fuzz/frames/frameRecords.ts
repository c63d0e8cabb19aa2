import type { ExecutionRecord, MonitorRecord, WatchRow } from '../../../src/contract/index.ts';

export const watch = (id: string, status: string, price: number): WatchRow => ({
  watch_kind: 'leg',
  leg_id: id,
  kind: 'trailing_stop',
  symbol: 'BTC',
  trigger_price: price,
  status,
});

export const execution = (id: string, status: string, filled: number): ExecutionRecord => ({
  execution_id: id,
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 1_000,
  filled_size: filled,
  remaining_size: 1_000 - filled,
  average_price: null,
  status,
  phase: 'working',
  progress: filled / 1_000,
  fees: 0,
  reduce_only: false,
  wallet: 'main',
  created_time: 1,
  updated_time: 1,
  request: {},
});

export const monitor = (id: string, status: string, fired: number): MonitorRecord => ({
  monitor_id: id,
  trigger: { type: 'price' },
  action: { type: 'webhook' },
  status,
  rearm: true,
  fired_count: fired,
  created_time: 1,
  request: {},
});
