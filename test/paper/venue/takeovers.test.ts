/** Takeovers that only one course of events shows: what `marginDrawn.test.ts` draws too seldom. */
import { expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

const HOUR = 60 * MINUTE;
const FREE = { all: { maker_bps: 0, taker_bps: 0, service_bps: 0 }, symbols: {} };
const still = (price: number, bars: number): Row[] => flat(price, bars, 1e6);
/** From 100 to 90 within a minute. */
const FALL: Row = [100, 100, 90, 90, 1e6];

function open(rows: Readonly<Record<string, Row[]>>, rates: Readonly<Record<string, number>> = {}) {
  const symbols = Object.keys(rows);
  const bench = createBench(
    {
      feeds: symbols.map((symbol) => feedOf(rows[symbol]!, { symbol })),
      instruments: Object.fromEntries(
        symbols.map((symbol) => [symbol, { max_leverage: 20, price_decimals: 2 }]),
      ),
      fundingRates: Object.fromEntries(
        symbols.map((symbol) => [symbol, { constantRate: rates[symbol] ?? 0, intervalMs: HOUR }]),
      ),
      halfSpreadBps: 1e-6,
      impactBps: 0,
      fees: FREE,
    },
    { balance: 10_000 },
  );
  bench.run(5);
  const set = (symbol: string, leverage: number, mode: string) =>
    bench.call('leverage.set', { pathParams: { symbol }, body: { leverage, mode } });
  const buy = (symbol: string, size: number) =>
    bench.order({ symbol, side: 'buy', size, order_type: 'market' });
  const taken = () => bench.named('liquidation').map(({ data }) => data);
  return { ...bench, set, buy, taken };
}

test('an isolated position whose leverage was raised is taken over at its new price', () => {
  const { set, buy, run, taken, call } = open({ BTC: [...still(100, 6), FALL, ...still(90, 3)] });
  set('BTC', 2, 'isolated');
  buy('BTC', 100);
  set('BTC', 20, 'isolated');
  const [{ liquidation_price: price }] = call('positions.list').items;
  expect(price).toBeGreaterThan(96);
  run(2);
  // On the way down, and not only when the margin of before is lost.
  expect(taken()).toMatchObject([{ symbol: 'BTC', size: 100 }]);
});

test('what an isolated position takes as margin no longer backs the cross ones', () => {
  const { set, buy, run, taken, call } = open({
    BTC: [...still(100, 6), FALL, ...still(90, 3)],
    ETH: still(100, 10),
  });
  set('BTC', 20, 'cross');
  set('ETH', 20, 'isolated');
  buy('BTC', 900);
  buy('ETH', 100);
  set('ETH', 2, 'isolated');
  const [btc] = call('positions.list', { query: { symbol: 'BTC' } }).items;
  const backing = 10_000 - 5_000;
  expect(btc.liquidation_price).toBeCloseTo((90_000 - backing) / (900 * (1 - 1 / 40)), 1);
  run(2);
  expect(taken()).toMatchObject([{ symbol: 'BTC' }]);
});

test('an isolated and a cross position that are lost at once end every order', () => {
  const rows = Object.fromEntries(['BTC', 'ETH', 'SOL'].map((at) => [at, still(100, 70)]));
  const { set, buy, run, taken, order, call } = open(rows, { BTC: 0.4, ETH: 0.4 });
  set('BTC', 20, 'cross');
  set('ETH', 20, 'isolated');
  buy('BTC', 600);
  buy('ETH', 100);
  order({ symbol: 'SOL', side: 'buy', size: 1, order_type: 'limit', price: 50 });
  run(60);
  const symbols = taken().map((each) => (each as { symbol: string }).symbol);
  expect(symbols.toSorted()).toEqual(['BTC', 'ETH']);
  expect(taken()).toEqual(taken().map((each) => ({ ...(each as object), time: START + HOUR })));
  expect(call('orders.list').items).toEqual([]);
});

test('every wallet pays funding, and an isolated position lost to it leaves the others’ orders', () => {
  const rows = Object.fromEntries(['BTC', 'ETH'].map((at) => [at, still(100, 70)]));
  const { engine, set, buy, run, taken, order, call } = open(rows, { BTC: 0.01, ETH: 0.4 });
  engine.addAccount('other', 10_000);
  const wallet = 'other';
  set('ETH', 20, 'isolated');
  buy('ETH', 100);
  buy('BTC', 10);
  order({ symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 50 });
  const more = { symbol: 'BTC', side: 'sell', size: 10, order_type: 'market' };
  order(more, { wallet });
  run(60);
  expect(taken()).toMatchObject([{ symbol: 'ETH' }]);
  expect(call('orders.list').items).toHaveLength(1);
  expect(call('account.get').funding_paid).toBeCloseTo(0.4 * 10_000 + 10, 6);
  expect(call('account.get', { wallet }).funding_paid).toBeCloseTo(-10, 6);
});
