import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE, type Row } from '../engine/bench.ts';

interface Balance {
  asset: string;
  total: number;
  available: number;
  held: number;
}

type Bench = ReturnType<typeof createBench>;

const listed = ({ call }: Bench): Balance[] => call('account.balances').items;

const published = ({ named }: Bench): Balance[] =>
  named('balance').map(({ data }) => data as Balance);

/** By asset, as a subscriber knows it: the last row that was published. */
const known = (bench: Bench): Record<string, Balance> =>
  Object.fromEntries(published(bench).map((row) => [row.asset, row]));

/** What comes while something is done. */
function during(bench: Bench, act: () => void): string[] {
  const from = bench.events.length;
  act();
  return bench.events.slice(from).map(({ event }) => event);
}

describe('ACC-1: two spot symbols with one base are one asset', () => {
  const open = () => {
    const feeds = ['BTC/USDC', 'BTC/USDT'].map((symbol) => feedOf(flat(100, 60), { symbol }));
    const bench = createBench({ feeds });
    bench.run(5);
    const trade = (side: string, symbol: string, size: number) =>
      bench.order({ side, symbol, size, order_type: 'market' });
    return { ...bench, trade };
  };

  test('their holdings are one row, with the sum', () => {
    const bench = open();
    bench.trade('buy', 'BTC/USDC', 2);
    bench.trade('buy', 'BTC/USDT', 3);
    const rest = { order_type: 'limit', side: 'sell', price: 120 };
    bench.order({ ...rest, symbol: 'BTC/USDC', size: 1 });
    bench.order({ ...rest, symbol: 'BTC/USDT', size: 0.5 });
    const rows = listed(bench);
    expect(rows.map(({ asset }) => asset)).toEqual(['USDC', 'BTC']);
    expect(rows[1]).toEqual({ asset: 'BTC', total: 5, available: 3.5, held: 1.5 });
    expect(known(bench)['BTC']).toEqual(rows[1]);
  });

  test('STR-2: what is left after one of them was sold is published, and zero after both', () => {
    const bench = open();
    bench.trade('buy', 'BTC/USDC', 2);
    bench.trade('buy', 'BTC/USDT', 3);
    bench.trade('sell', 'BTC/USDC', 2);
    const left = { asset: 'BTC', total: 3, available: 3, held: 0 };
    expect(listed(bench)[1]).toEqual(left);
    expect(known(bench)['BTC']).toEqual(left);
    bench.trade('sell', 'BTC/USDT', 3);
    expect(listed(bench)).toHaveLength(1);
    expect(known(bench)['BTC']).toEqual({ asset: 'BTC', total: 0, available: 0, held: 0 });
  });

  test('a base that is the cash joins its row', () => {
    const bench = createBench({ feeds: [feedOf(flat(1, 60), { symbol: 'USDC/USDT' })] });
    bench.run(5);
    bench.order({ side: 'buy', symbol: 'USDC/USDT', size: 50, order_type: 'market' });
    expect(listed(bench)).toHaveLength(1);
    bench.call('positions.close', { pathParams: { symbol: 'USDC/USDT' }, body: {} });
    expect(known(bench)).toEqual({ USDC: listed(bench)[0] });
  });
});

describe('STR-2: what orders hold is published when it changes', () => {
  const rows: Row[] = flat(100, 60);
  const open = () => {
    const feeds = [feedOf(rows), feedOf(rows, { symbol: 'ETH/USDC' })];
    const bench = createBench({ feeds });
    bench.run(5);
    return bench;
  };
  const perp = { side: 'buy', size: 10, order_type: 'limit', price: 90 } as const;
  const spot = { ...perp, symbol: 'ETH/USDC' } as const;

  test.each([
    ['margin', perp],
    ['cash', spot],
  ])('placed, moved, resized and cancelled: %s', (_what, body) => {
    const bench = open();
    const isCurrent = (): void => expect(known(bench)['USDC']).toEqual(listed(bench)[0]);
    let id = '';
    expect(during(bench, () => (id = bench.order(body).order_id))).toEqual(['order', 'balance']);
    isCurrent();
    expect(listed(bench)[0]!.held).toBeGreaterThan(0);
    const pathParams = { id };
    const modify = (change: object) => () =>
      bench.call('orders.modify', { pathParams, body: change });
    for (const change of [{ price: 91 }, { size: 12 }, { price: 92, size: 8 }]) {
      expect(during(bench, modify(change))).toEqual(['order', 'balance']);
      isCurrent();
    }
    expect(during(bench, modify({ price: 92 }))).toEqual(['order']);
    const cancel = () => bench.call('orders.cancel', { pathParams });
    expect(during(bench, cancel)).toEqual(['order', 'balance']);
    isCurrent();
    expect(listed(bench)[0]!.held).toBe(0);
  });

  test('a spot sell holds its base', () => {
    const bench = open();
    bench.order({ side: 'buy', symbol: 'ETH/USDC', size: 10, order_type: 'market' });
    const rest = { side: 'sell', symbol: 'ETH/USDC', size: 4, order_type: 'limit', price: 110 };
    bench.order(rest);
    expect(known(bench)['ETH']).toMatchObject({ total: 10, held: 4, available: 6 });
    bench.call('orders.bulkCancel');
    expect(known(bench)['ETH']).toMatchObject({ total: 10, held: 0, available: 10 });
  });

  test('an order that holds nothing is an order frame only', () => {
    const bench = open();
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    // The mark moves what the position holds; that is no order's doing.
    bench.run(1);
    const exit = { side: 'sell', size: 4, order_type: 'limit', price: 110 };
    expect(during(bench, () => bench.order({ ...exit, reduce_only: true }))).toEqual(['order']);
    expect(during(bench, () => bench.order(exit))).toEqual(['order']);
    expect(during(bench, () => bench.call('orders.bulkCancel'))).toEqual(['order', 'order']);
  });

  test('a fill publishes for the order that it fills, and a cancelled rest again', () => {
    const bench = open();
    const taken = ['fill', 'position', 'balance', 'order'];
    const take = { side: 'buy', size: 10, order_type: 'limit', price: 101 };
    expect(during(bench, () => bench.order(take))).toEqual(taken);
    const missed = { side: 'buy', size: 1, order_type: 'limit', price: 90, time_in_force: 'ioc' };
    expect(during(bench, () => bench.order(missed))).toEqual(['order']);
    // A tenth of the bar's 1,000 can be taken.
    const partly = { ...take, size: 200, time_in_force: 'ioc' };
    expect(during(bench, () => bench.order(partly))).toEqual([...taken, 'balance']);
    expect(known(bench)['USDC']).toEqual(listed(bench)[0]);
  });

  test('leverage changes the margin of orders without a position', () => {
    const bench = open();
    bench.order(perp);
    const set = (leverage: number) => () =>
      bench.call('leverage.set', { pathParams: { symbol: 'BTC' }, body: { leverage } });
    const setDefault = () =>
      bench.call('account.updateSettings', { body: { default_leverage: 20 } });
    expect(during(bench, setDefault)).toEqual(['balance']);
    expect(known(bench)['USDC']!.held).toBe(45);
    expect(during(bench, set(5))).toEqual(['balance']);
    expect(known(bench)['USDC']!.held).toBe(180);
    expect(during(bench, setDefault)).toEqual([]);
    bench.call('orders.bulkCancel');
    expect(during(bench, set(10))).toEqual([]);
  });

  test('of a tracked entry, every move', () => {
    const ramp = Array.from({ length: 60 }, (_row, at): Row => {
      const price = 100 + at;
      return [price, price, price, price, 1_000];
    });
    const bench = createBench({ feeds: [feedOf(ramp)] });
    bench.run(5);
    const from = { indicator: 'sma', params: { period: 3 }, interval: '1m', track: true };
    bench.order({ side: 'buy', size: 1, order_type: 'limit', price_from: from });
    for (let bar = 0; bar < 3; bar++) {
      bench.engine.advanceTo(bench.engine.now + MINUTE);
      expect(known(bench)['USDC']).toEqual(listed(bench)[0]);
    }
    expect(published(bench)).toHaveLength(4);
  });
});

test('STR-2: what a market exit of spot holds while it waits for volume is published when it ends', () => {
  const symbol = 'ETH/USDC';
  const thin = (price: number, bars: number): Row[] => flat(price, bars, 10);
  const fall: Row = [100, 100, 94, 94, 10];
  const rows: Row[] = [...flat(100, 5, 1e6), ...thin(100, 1), fall, ...thin(94, 20)];
  const bench = createBench({ feeds: [feedOf(rows, { symbol })], volumeShare: 0.1 });
  bench.run(5);
  const stop_loss = { price: 95 };
  bench.order({ side: 'buy', symbol, size: 50, order_type: 'market', stop_loss });
  bench.run(4);
  const [{ order_id: id }] = bench.call('orders.list').items;
  const [, waiting] = listed(bench);
  expect(waiting!.held).toBeGreaterThan(40);
  expect(known(bench)['ETH']).toEqual(waiting);
  bench.call('orders.cancel', { pathParams: { id } });
  const [, left] = listed(bench);
  expect(left).toEqual({ ...waiting, available: waiting!.total, held: 0 });
  expect(known(bench)['ETH']).toEqual(left);
});

test('cash that was lost while an open profit backs the wallet holds nothing, and is available as a debt', () => {
  const rising: Row[] = [...flat(100, 6, 1e6), [100, 200, 100, 200, 1e6], ...flat(200, 9, 1e6)];
  const falling: Row[] = [...flat(100, 6, 1e6), [100, 100, 50, 50, 1e6], ...flat(50, 9, 1e6)];
  const feeds = [feedOf(rising), feedOf(falling, { symbol: 'ETH' })];
  const bench = createBench({ feeds }, { balance: 1_000 });
  bench.run(5);
  bench.order({ side: 'buy', size: 40, order_type: 'market' });
  bench.order({ symbol: 'ETH', side: 'buy', size: 30, order_type: 'market' });
  bench.run(3);
  bench.order({ symbol: 'ETH', side: 'sell', size: 30, order_type: 'market' });
  const [cash] = listed(bench);
  expect(cash!.total).toBeLessThan(-400);
  expect(cash).toEqual({ asset: 'USDC', total: cash!.total, available: cash!.total, held: 0 });
  expect(known(bench)['USDC']).toEqual(cash);
  expect(bench.call('account.get').available_margin).toBeGreaterThan(1_000);
});

test('a transfer publishes the cross positions, whose liquidation prices it moves, and then the balance', () => {
  const feeds = ['BTC', 'ETH', 'SOL'].map((symbol) => feedOf(flat(100, 60), { symbol }));
  const bench = createBench({ feeds }, { balance: 5_000 });
  bench.run(5);
  const isolated = { leverage: 2, mode: 'isolated' };
  bench.call('leverage.set', { pathParams: { symbol: 'SOL' }, body: isolated });
  for (const symbol of ['BTC', 'SOL', 'ETH'])
    bench.order({ side: 'buy', symbol, size: symbol === 'SOL' ? 20 : 100, order_type: 'market' });
  const positions = (): Array<{ symbol: string; liquidation_price: number | null }> =>
    bench.call('positions.list').items;
  const before = positions();
  expect(during(bench, () => bench.engine.transfer('main', -500))).toEqual([
    'position',
    'position',
    'balance',
  ]);
  const shown = bench.named('position').slice(-2);
  expect(shown.map(({ data }) => data)).toEqual(
    positions().filter(({ symbol }) => symbol !== 'SOL'),
  );
  for (const { data } of shown) expect(before).not.toContainEqual(data);
});
