import { expect, test } from 'vitest';

interface Column {
  label: string;
  text(row: unknown, at: object): string;
}
/** The module itself runs in a browser. */
const COLUMNS = '../../../src/operate/serve/page/tableColumns.ts';
const { ORDERS, POSITIONS, WALLETS } = (await import(COLUMNS)) as Record<string, Column[]>;

/** What a table's columns show of a row, by their labels. */
const shown = (columns: readonly Column[] = [], row: unknown): Record<string, string> =>
  Object.fromEntries(columns.map(({ label, text }) => [label, text(row, { market: 0, wall: 0 })]));

test('each figure of a wallet is in the column that has its name', () => {
  const wallet = {
    wallet: 'main',
    equity: 1_000,
    day_pnl: -2,
    day_loss_limit: 30,
    day_loss_reached: null,
    leverage: 4,
    used_margin: 500,
    available_margin: 450,
    unrealized_pnl: 6,
    realized_pnl: 7,
    fees: 8,
    funding: 9,
  };
  expect(shown(WALLETS, wallet)).toEqual({
    wallet: 'main',
    equity: '1,000.00',
    'day’s P&L': '−2.00',
    'its limit': '−30.00',
    leverage: '4.00 ×',
    'margin used': '500.00',
    'margin free': '450.00',
    unrealised: '+6.00',
    realised: '+7.00',
    fees: '8.00',
    'funding paid': '9.00',
  });
});

test('sizes and prices are not rounded to what would hide the rest of an order', () => {
  const order = { side: 'buy', order_type: 'limit', filled_size: 9_999_996, size: 10_000_000 };
  expect(shown(ORDERS, { ...order, price: 104_523.45 })).toMatchObject({
    filled: '9,999,996 / 10,000,000',
    price: '104,523.45',
  });
  const position = { size: 12.345_67, stop_price: 0.000_000_412, uncovered_since: null };
  expect(
    shown(POSITIONS, { ...position, symbol: 'BTC', entry_price: 60_123.456_789_01 }),
  ).toMatchObject({
    size: '12.34567',
    stop: '0.000000412',
    entry: '60,123.45679',
  });
});
