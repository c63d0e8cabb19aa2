import type {
  CandleRecord,
  ExecutionRecord,
  FillRecord,
  OrderRecord,
  PositionRecord,
} from '../../src/contract/records.ts';

export const MINUTE = 60_000;

export const bar = (index: number, closed = true): CandleRecord => ({
  time: index * MINUTE,
  open: 100,
  high: 101,
  low: 99,
  close: 100 + index / 100,
  volume: 1,
  closed,
});
export const bars = (from: number, until: number): CandleRecord[] =>
  Array.from({ length: until - from }, (_, index) => bar(from + index));

export const position = (size: number, symbol = 'BTC'): PositionRecord => ({
  symbol,
  side: 'long',
  size,
  entry_price: 100,
  mark_price: 100,
  notional: 100 * size,
  unrealized_pnl: 0,
  realized_pnl: 0,
  opened_time: 1,
  updated_time: 1,
});

export const fill = (id: string): FillRecord => ({
  fill_id: id,
  order_id: 'ord_1',
  symbol: 'BTC',
  side: 'buy',
  price: 100,
  size: 1,
  notional: 100,
  fee: 0.01,
  liquidity: 'taker',
  reduce_only: false,
  time: 1,
});

export const order = (id: string, status = 'open'): OrderRecord => ({
  order_id: id,
  symbol: 'BTC',
  side: 'buy',
  size: 1,
  filled_size: 0,
  price: 100,
  order_type: 'limit',
  reduce_only: false,
  status,
  created_time: 1,
  updated_time: 1,
  request: {},
});

export const execution = (id: string, status = 'running'): ExecutionRecord => ({
  execution_id: id,
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 1,
  filled_size: 0,
  remaining_size: 1,
  status,
  phase: 'working',
  progress: 0,
  fees: 0,
  reduce_only: false,
  wallet: 'main',
  created_time: 1,
  updated_time: 1,
  request: {},
});

export const account = {
  wallet: 'main',
  equity: 1_000,
  available_margin: 1_000,
  used_margin: 0,
  unrealized_pnl: 0,
  realized_pnl: 0,
  fees_paid: 0,
  funding_paid: 0,
  time: 1,
};

export const accountSnapshot = (changes: object = {}) => ({
  positions: [],
  balances: [{ asset: 'USDC', total: 1_000, available: 1_000, held: 0 }],
  open_orders: [],
  account,
  ...changes,
});
