import { expect, test } from 'vitest';

interface Column {
  label: string;
  text(row: object): string;
  sort?(row: object): number | string | null;
  tone?(row: object): string;
}
type Columns = (
  data: object,
  priceOf?: (symbol: string) => (value: number | null) => string,
) => Column[];
/** The page's code is checked with the browser's types, apart from the tests. */
const TABLES = '../../src/operate/report/page/tables.ts';
const tables = (await import(TABLES)) as Record<string, Columns>;

const priceOf = (symbol: string) => (value: number | null) =>
  value === null ? '–' : `${symbol} ${value}`;
const columnsOf = (name: string): Column[] => tables[name]!({ strategies: [] }, priceOf);
const shown = (name: string, row: object): Record<string, string> =>
  Object.fromEntries(columnsOf(name).map(({ label, text }) => [label, text(row)]));
/** What each column is sorted by; its text, if nothing else is said. */
const sorted = (name: string, row: object): Record<string, unknown> =>
  Object.fromEntries(
    columnsOf(name).flatMap(({ label, sort }) => (sort === undefined ? [] : [[label, sort(row)]])),
  );

const trade = {
  strategy: 'ema',
  symbol: 'BTC',
  side: 'short',
  size: 2,
  entry_time: 0,
  exit_time: 5_400_000,
  entry_price: 10,
  exit_price: 9,
  fills: 3,
  mae: -0.012_34,
  mfe: 0.1,
  fees: 0.5,
  pnl: -1.5,
  entry_tag: 'cross',
  exit_reason: 'stop',
};

test('each figure of a trade is in the column that has its name, and sorts it', () => {
  expect(shown('tradeColumns', trade)).toEqual({
    'entry (UTC)': '1970-01-01 00:00',
    'exit (UTC)': '1970-01-01 01:30',
    strategy: 'ema',
    symbol: 'BTC',
    side: 'short',
    size: '2',
    'entry price': 'BTC 10',
    'exit price': 'BTC 9',
    held: '1 h 30 min',
    fills: '3',
    MAE: '−1.23 %',
    MFE: '10.00 %',
    fees: '0.50',
    'P&L': '−1.50',
    'entry tag': 'cross',
    'exit reason': 'stop',
  });
  expect(sorted('tradeColumns', trade)).toEqual({
    'entry (UTC)': 0,
    'exit (UTC)': 5_400_000,
    size: 2,
    'entry price': 10,
    'exit price': 9,
    held: 5_400_000,
    fills: 3,
    MAE: -0.012_34,
    MFE: 0.1,
    fees: 0.5,
    'P&L': -1.5,
  });
  const open = { ...trade, exit_time: null, exit_price: null, entry_tag: null, exit_reason: null };
  expect(shown('tradeColumns', open)).toMatchObject({
    'exit (UTC)': '–',
    'exit price': '–',
    held: '–',
    'entry tag': '–',
    'exit reason': '–',
  });
  expect(sorted('tradeColumns', open)).toMatchObject({ held: null });
});

const fill = {
  strategy: 'ema',
  symbol: 'BTC',
  side: 'buy',
  role: 'entry',
  time: 1_000,
  size: 2,
  price: 10,
  fee_rate: 0.000_45,
  liquidity: 'taker',
  cause: 'stop',
  tag: 'cross',
  execution_id: 'exe',
  order_id: 'ord',
};

test('a fill has its notional, its fee, and what made it', () => {
  expect(shown('fillColumns', fill)).toEqual({
    'time (UTC)': '1970-01-01 00:00:01',
    strategy: 'ema',
    symbol: 'BTC',
    side: 'buy',
    role: 'entry',
    size: '2',
    price: 'BTC 10',
    notional: '20.00',
    liquidity: 'taker',
    fee: '0.0090',
    'made by': 'stop: cross',
    'execution or order': 'exe',
  });
  const plain = { ...fill, execution_id: null, cause: null, tag: null };
  expect(shown('fillColumns', plain)).toMatchObject({
    'made by': '–',
    'execution or order': 'ord',
  });
  expect(shown('fillColumns', { ...plain, order_id: null, tag: 'x' })).toMatchObject({
    'made by': 'x',
    'execution or order': '–',
  });
});

test('an execution has what it filled, what that cost, and how it ended', () => {
  const execution = {
    strategy: 'ema',
    symbol: 'BTC',
    side: 'sell',
    algo: 'twap',
    start_time: 0,
    end_time: 90_000,
    filled_size: 1,
    total_size: 4,
    average_price: 9.9,
    arrival_price: 10,
    status: 'cancelled',
    reason: 'kill',
    fees: 0.25,
  };
  expect(shown('executionColumns', execution)).toEqual({
    'start (UTC)': '1970-01-01 00:00',
    strategy: 'ema',
    symbol: 'BTC',
    algorithm: 'twap',
    side: 'sell',
    filled: '1 / 4',
    average: 'BTC 9.9',
    'slippage bps': '100.00',
    lasted: '2 min',
    status: 'cancelled (kill)',
    fees: '0.25',
  });
  const slippage = columnsOf('executionColumns').find(({ label }) => label === 'slippage bps')!;
  expect([execution, { ...execution, side: 'buy' }].map((row) => slippage.tone!(row))).toEqual([
    'loss',
    'gain',
  ]);
  for (const more of [{ average_price: null }, { arrival_price: null }, { arrival_price: 0 }])
    expect(slippage.text({ ...execution, ...more })).toBe('–');
  expect(shown('executionColumns', { ...execution, end_time: null, reason: null })).toMatchObject({
    lasted: '–',
    status: 'cancelled',
  });
});

test('what was not accepted, what ended and the reasons of it are told in full', () => {
  const refused = {
    strategy: 'ema',
    symbol: 'BTC',
    time: 1_000,
    kind: 'launch',
    outcome: 'denied',
  };
  expect(shown('refusedColumns', { ...refused, reason: 'too large' })).toEqual({
    'time (UTC)': '1970-01-01 00:00:01',
    strategy: 'ema',
    symbol: 'BTC',
    intent: 'launch',
    outcome: 'denied',
    why: 'too large',
  });
  expect(shown('refusedColumns', { ...refused, reason: null })['why']).toBe('–');
  const life = { strategy: 'ema', time: 1_000, state: 'quarantined', reason: 'it threw' };
  expect(Object.values(shown('lifeColumns', life))).toEqual([
    '1970-01-01 00:00:01',
    'ema',
    'quarantined',
    'it threw',
  ]);
  const reason = {
    cause: 'spread',
    outcome: 'denied',
    count: 1_200,
    strategies: [
      { name: 'a', count: 1_000 },
      { name: 'b', count: 200 },
    ],
    last_time: 60_000,
    example: null,
  };
  expect(Object.values(shown('reasonColumns', reason)).slice(1)).toEqual([
    'denied',
    '1,200',
    'a 1,000, b 200',
    '1970-01-01 00:01',
    '–',
  ]);
});

const result = {
  name: 'ema',
  symbols: ['BTC', 'ETH'],
  wallet: 'main',
  gross: 10,
  fees: 2,
  funding: -1,
  pnl: 9,
  max_drawdown: 4,
  turnover: 12_345,
  fee_bps: 1.5,
  maker_share: 0.25,
  intents: { emitted: 6, accepted: 5, denied: 4, rejected: 3, unknown: 2, expired: 1 },
  fills: 7,
  trades: 8,
  open_trades: 9,
  win_rate: 0.5,
  profit_factor: 1.25,
};

test('a strategy’s result adds up, costs below zero, and its activity is apart by outcome', () => {
  expect(shown('resultColumns', result)).toEqual({
    strategy: 'ema',
    market: 'BTC, ETH on main',
    gross: '+10.00',
    '+ fees': '−2.00',
    '+ funding': '+1.00',
    '= net P&L': '+9.00',
    'max drawdown': '4.00',
    turnover: '12,345',
    'fee bps': '1.50',
    maker: '25.0 %',
  });
  expect(shown('resultColumns', { ...result, fees: 0, funding: undefined })).toMatchObject({
    '+ fees': '0.00',
    '+ funding': '–',
  });
  expect(shown('activityColumns', result)).toEqual({
    strategy: 'ema',
    market: 'BTC, ETH on main',
    emitted: '6',
    accepted: '5',
    denied: '4',
    rejected: '3',
    unknown: '2',
    expired: '1',
    fills: '7',
    'trades closed': '8',
    open: '9',
    won: '50.0 %',
    'profit factor': '1.25',
  });
  expect(shown('activityColumns', { ...result, name: 'total', isTotal: true })['market']).toBe('');
});
