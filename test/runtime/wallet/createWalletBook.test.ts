import { expect, test } from 'vitest';
import type { BalanceRecord, PositionRecord } from '../../../src/contract/index.ts';
import { createWalletBook } from '../../../src/runtime/wallet/createWalletBook.ts';
import type { DayStart } from '../../../src/runtime/wallet/createDayLoss.ts';
import type { AccountModel } from '../../../src/streams/index.ts';

const DAY = 86_400_000;

const account = {
  wallet: 'main',
  equity: 0,
  available_margin: 0,
  used_margin: 0,
  unrealized_pnl: 0,
  realized_pnl: 0,
  fees_paid: 0,
  funding_paid: 0,
  time: 0,
};
const balance = (asset: string, total: number): BalanceRecord => ({
  asset,
  total,
  available: total,
  held: 0,
});
const long = (size: number, entry_price: number): PositionRecord => ({
  symbol: 'BTC',
  side: 'long',
  size,
  entry_price,
  mark_price: entry_price,
  notional: size * entry_price,
  unrealized_pnl: 0,
  realized_pnl: 0,
  leverage: 10,
  opened_time: 0,
  updated_time: 0,
});
const modelOf = (balances: BalanceRecord[], positions: PositionRecord[] = []): AccountModel => ({
  wallet: 'main',
  version: 1,
  time: 0,
  complete: true,
  account,
  positions: new Map(positions.map((position) => [position.symbol, position])),
  balances: new Map(balances.map((item) => [item.asset, item])),
  openOrders: new Map(),
});

function setUp(dayStart?: DayStart) {
  let time = 10 * DAY;
  const prices = new Map<string, number>();
  const awaited = new Set<string>();
  const starts: DayStart[] = [];
  const book = createWalletBook({
    now: () => time,
    priceOf: (symbol) => prices.get(symbol),
    isFollowed: (symbol) => symbol === 'HYPE/USDC',
    isAwaited: (symbol) => awaited.has(symbol),
    dayStart,
    onDayStart: (start) => starts.push(start),
  });
  return { book, prices, awaited, starts, setTime: (next: number) => (time = next) };
}

test('equity is cash, holdings at their price and open profit', () => {
  const { book, prices } = setUp();
  prices.set('BTC', 110).set('HYPE/USDC', 20);
  book.model(modelOf([balance('USDC', 1_000), balance('HYPE', 3)], [long(2, 100)]));
  expect(book.account()).toMatchObject({
    equity: 1_000 + 60 + 20,
    unrealized_pnl: 20,
    used_margin: 22,
  });
});

test('initial equity is the service’s, also for assets without a price', () => {
  const { book } = setUp();
  const first = modelOf([balance('USDC', 1_000), balance('HYPE', 3)]);
  book.model({ ...first, account: { ...account, equity: 1_060 } });
  book.model({ ...first, account: { ...account, equity: 900 } });
  expect(book.startEquity()).toBe(1_060);
});

test('the day’s loss counts from the previous day’s closing equity', () => {
  const { book, starts, setTime } = setUp();
  book.model(modelOf([balance('USDC', 1_000)]));
  book.sample();
  expect(starts).toEqual([{ day: 10, equity: 1_000 }]);
  book.model(modelOf([balance('USDC', 940)]));
  book.sample();
  expect(book.dayLoss()).toBe(60);
  setTime(11 * DAY);
  book.model(modelOf([balance('USDC', 930)]));
  book.sample();
  expect(starts.at(-1)).toEqual({ day: 11, equity: 940 });
  expect(book.dayLoss()).toBe(10);
});

test('a restart within the day keeps the day’s loss', () => {
  const { book } = setUp({ day: 10, equity: 1_000 });
  book.model(modelOf([balance('USDC', 940)]));
  book.sample();
  expect(book.dayLoss()).toBe(60);
});

test('nothing is sampled between the two balances of one trade', () => {
  const { book, prices } = setUp();
  prices.set('HYPE/USDC', 20);
  book.model(modelOf([balance('USDC', 1_000)]));
  book.sample();
  book.model(modelOf([balance('USDC', 400)]));
  expect(book.dayLoss()).toBe(0);
  book.model(modelOf([balance('USDC', 400), balance('HYPE', 30)]));
  book.sample();
  expect(book.dayLoss()).toBe(0);
});

test('a day does not begin before all holdings have a price', () => {
  const { book, prices, starts } = setUp();
  book.model(modelOf([balance('USDC', 1_000), balance('HYPE', 30), balance('OTHER', 5)]));
  book.sample();
  expect(starts).toEqual([]);
  prices.set('HYPE/USDC', 20);
  book.sample();
  // A symbol without a subscriber never has a price.
  expect(starts).toEqual([{ day: 10, equity: 1_600 }]);
  prices.set('HYPE/USDC', 10);
  book.sample();
  expect(book.dayLoss()).toBe(300);
});

test('an instant with a missing bar is not sampled, one without it is', () => {
  const { book, prices, awaited } = setUp();
  prices.set('BTC', 100).set('HYPE/USDC', 20);
  book.model(modelOf([balance('USDC', 1_000), balance('HYPE', 10)], [long(2, 100)]));
  book.sample();
  prices.set('BTC', 90);
  for (const symbol of ['HYPE/USDC', 'BTC']) {
    awaited.add(symbol);
    book.sample();
    expect(book.dayLoss()).toBe(0);
    awaited.clear();
  }
  prices.set('HYPE/USDC', 22);
  book.sample();
  expect(book.dayLoss()).toBe(0);
  prices.set('BTC', 80);
  book.sample();
  expect(book.dayLoss()).toBe(20);
});

test('a spot holding counts as a position for limits', () => {
  const { book } = setUp();
  book.model(modelOf([balance('USDC', 400), balance('HYPE', 30)], [long(1, 100)]));
  expect(book.position('HYPE/USDC')).toBe(30);
  expect(book.position('SOL/USDC')).toBe(0);
  expect(book.exposedSymbols().toSorted()).toEqual(['BTC', 'HYPE/USDC']);
});
