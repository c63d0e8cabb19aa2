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

/**
 * BTC is lost at its margin, which all cash backs. ETH has margin of its own and PURR is spot: the stop of each was reached
 * a minute before, and what is left of its exit waits for volume. SOL is as ETH and HYPE as PURR, at rest.
 */
function lostBesideOthers() {
  const thin = (price: number, bars: number): Row[] => flat(price, bars, 10);
  const stopped: Row[] = [
    ...still(100, 5),
    ...thin(100, 1),
    [100, 100, 94, 94, 10],
    ...thin(94, 10),
  ];
  const rows: Record<string, Row[]> = {
    BTC: [...still(100, 7), [100, 100, 85, 85, 1e6], ...still(85, 9)],
    ETH: stopped,
    'PURR/USDC': stopped,
    SOL: still(100, 17),
    'HYPE/USDC': still(100, 17),
  };
  const symbols = Object.keys(rows);
  const bench = createBench(
    {
      feeds: symbols.map((symbol) => feedOf(rows[symbol]!, { symbol })),
      instruments: Object.fromEntries(symbols.map((symbol) => [symbol, { price_decimals: 2 }])),
      fees: FREE,
    },
    { balance: 10_000 },
  );
  bench.run(5);
  for (const [symbol, mode] of [
    ['BTC', 'cross'],
    ['ETH', 'isolated'],
    ['SOL', 'isolated'],
  ] as const)
    bench.call('leverage.set', { pathParams: { symbol }, body: { leverage: 10, mode } });
  const buy = (symbol: string, size: number, more = {}) =>
    bench.order({ symbol, side: 'buy', size, order_type: 'market', ...more });
  const stop_loss = { price: 95 };
  buy('BTC', 800);
  for (const symbol of ['ETH', 'PURR/USDC']) buy(symbol, 5, { stop_loss });
  for (const symbol of ['SOL', 'HYPE/USDC']) buy(symbol, 5);
  const rest = (symbol: string, side: string, price: number, more = {}) =>
    bench.order({ symbol, side, size: 1, order_type: 'limit', price, ...more }).order_id;
  const launch = (symbol: string, side: string, more: object) => {
    const body = { symbol, side, total_size: 1, ...more };
    return bench.call('executions.launch', { body }).execution_id;
  };
  const exit = { algo: 'smartexit', reduce_only: true, params: { stop_price: 50 } };
  const passive = { algo: 'glidemaker', params: { strategy: 'passive', limit_price: 150 } };
  const low = { algo: 'glidemaker', params: { strategy: 'passive', limit_price: 50 } };
  const reduceOnly = { reduce_only: true };
  const ids = {
    kept: [
      rest('SOL', 'sell', 150, reduceOnly),
      rest('HYPE/USDC', 'sell', 150),
      launch('SOL', 'sell', exit),
      launch('HYPE/USDC', 'sell', exit),
      launch('HYPE/USDC', 'sell', passive),
    ],
    ended: [
      rest('SOL', 'buy', 50),
      rest('SOL', 'sell', 150),
      rest('HYPE/USDC', 'buy', 50),
      rest('BTC', 'sell', 150, reduceOnly),
      launch('SOL', 'buy', low),
      launch('HYPE/USDC', 'buy', low),
      launch('BTC', 'sell', exit),
    ],
  };
  const statusOf = (id: string) =>
    bench.call(id.startsWith('ord') ? 'orders.get' : 'executions.get', { pathParams: { id } });
  const exits = () =>
    bench
      .call('orders.list')
      .items.filter(({ order_type }: { order_type: string }) => order_type === 'market')
      .map(({ symbol }: { symbol: string }) => symbol)
      .toSorted();
  return { ...bench, ids, statusOf, exits };
}

test('a cross position that is lost leaves the stops of what is not taken over', () => {
  const { run, named, call, ids, statusOf, exits } = lostBesideOthers();
  run(2);
  expect(named('liquidation')).toEqual([]);
  expect(exits()).toEqual(['ETH', 'PURR/USDC']);
  run(1);
  expect(named('liquidation').map(({ data }) => data)).toMatchObject([{ symbol: 'BTC' }]);
  expect(exits()).toEqual(['ETH', 'PURR/USDC']);
  for (const id of ids.kept)
    expect(statusOf(id), id).toMatchObject({ status: expect.stringMatching(/open|running/) });
  for (const id of ids.ended)
    expect(statusOf(id), id).toMatchObject(
      id.startsWith('ord')
        ? { status: 'cancelled', reject_reason: 'liquidated' }
        : { status: 'stopped', reason: 'liquidated' },
    );
  // What waited for volume is done, and nothing of what it protected is left.
  run(6);
  expect(call('positions.list').items).toMatchObject([{ symbol: 'SOL', size: 5 }]);
  expect(call('account.balances').items).toMatchObject([
    { asset: 'USDC' },
    { asset: 'HYPE', total: 5 },
  ]);
});
