/**
 * The exit of a triggered leg fills as far as the volume goes and waits with the rest. It ends with its position (conventions,
 * Legs; POS-2): a position that is opened before the next bar closes is none of its business.
 */
import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE, type Row } from '../engine/bench.ts';

type Held = 'long' | 'short';

/** The stop is reached in the tenth bar; a bar offers 1 of its volume from the fourth on. */
function triggered(held: Held, symbol = 'BTC') {
  const [from, to] = held === 'long' ? [100, 94] : [100, 106];
  const at = (price: number, volume: number): Row => [price, price, price, price, volume];
  const wide = Array.from({ length: 3 }, () => at(from, 1e6));
  const fall: Row = [from, Math.max(from, to), Math.min(from, to), to, 10];
  const rows = [...wide, ...Array.from({ length: 6 }, () => at(from, 10)), fall];
  rows.push(...Array.from({ length: 10 }, () => at(to, 10)));
  const other = Array.from({ length: 20 }, () => at(from, 1e6));
  const options = {
    feeds: [feedOf(rows, { symbol }), feedOf(other, { symbol: 'ETH' })],
    instruments: { [symbol]: { price_decimals: 2 } },
  };
  const bench = createBench(options, { balance: 10_000 });
  bench.run(3);
  const [into, out] = held === 'long' ? ['buy', 'sell'] : ['sell', 'buy'];
  const stop_loss = { price: held === 'long' ? 95 : 105 };
  bench.order({ symbol, side: into, size: 5, order_type: 'market', stop_loss });
  bench.engine.advanceTo(bench.engine.now + 6 * MINUTE + MINUTE * 0.95);
  const exit = () =>
    [
      ...bench.call('orders.list').items,
      ...bench.call('orders.history', { query: { symbol } }).items,
    ].find(({ reduce_only, execution_id }) => reduce_only && execution_id === null);
  expect(exit()).toMatchObject({ status: 'open', size: 5, filled_size: 1 });
  /** Trades at once, without the limit of the volume. */
  const trade = (side: string | undefined, size: number, more = {}) => {
    const launch = { algo: 'pacemaker', symbol, side, total_size: size, ...more };
    const body = { ...launch, params: { duration_seconds: 3_600, slices: 60 } };
    const { execution_id: id } = bench.call('executions.launch', { body });
    return bench.call('executions.completeAtMarket', { pathParams: { id } });
  };
  const size = () => {
    const [perp] = bench.call('positions.list', { query: { symbol } }).items;
    const spot = bench
      .call('account.balances')
      .items.find(({ asset }: { asset: string }) => asset === symbol.split('/')[0]);
    return perp === undefined ? (spot?.total ?? 0) : perp.size * (perp.side === 'long' ? 1 : -1);
  };
  const signed = (amount: number) => (held === 'long' ? amount : -amount);
  return { ...bench, options, into, out, exit, trade, size, signed };
}

describe.each([
  ['long', 'BTC'],
  ['short', 'BTC'],
  ['long', 'HYPE/USDC'],
] as const)('the rest of the exit of a %s of %s', (held, symbol) => {
  test('ORD-4: goes on after a bulk cancel, and ends with a cancel by its id', () => {
    const { into, exit, run, call, order } = triggered(held, symbol);
    const price = held === 'long' ? 50 : 150;
    const resting = order({ symbol, side: into, size: 1, order_type: 'limit', price });
    const filled = exit().filled_size;
    expect(call('orders.bulkCancel', { query: { symbol } }).results).toEqual([
      { id: resting.order_id, ok: true },
    ]);
    expect(call('orders.bulkCancel').results).toEqual([]);
    run(1);
    expect(exit()).toMatchObject({ status: 'open' });
    expect(exit().filled_size).toBeGreaterThan(filled);
    call('orders.cancel', { pathParams: { id: exit().order_id } });
    expect(exit().status).toBe('cancelled');
  });

  test('is cancelled when its position is closed, and spares the next one', () => {
    const { into, out, exit, trade, size, run, signed } = triggered(held, symbol);
    trade(out, 4, { reduce_only: true });
    expect(exit()).toMatchObject({ status: 'cancelled', reject_reason: 'nothing_to_reduce' });
    expect(size()).toBe(0);
    trade(into, 3);
    run(5);
    expect(size()).toBe(signed(3));
    expect(exit().filled_size).toBe(1);
  });

  test('goes on while a part of its position is left, and ends with the last of it', () => {
    const { into, out, exit, trade, size, run, signed } = triggered(held, symbol);
    trade(out, 3.5, { reduce_only: true });
    expect(exit().status).toBe('open');
    run(0.05);
    expect(exit()).toMatchObject({ status: 'cancelled', filled_size: 1.5 });
    trade(into, 3);
    run(5);
    expect(size()).toBe(signed(3));
  });
});

test.each(['long', 'short'] as const)('it is cancelled when a %s is reversed', (held) => {
  const { into, out, exit, trade, size, run, signed } = triggered(held);
  trade(out, 9);
  expect(exit()).toMatchObject({ status: 'cancelled', reject_reason: 'nothing_to_reduce' });
  expect(size()).toBe(signed(-5));
  trade(into, 8);
  run(5);
  expect(size()).toBe(signed(3));
});

test('it is the only order that ends so, and only for its own symbol', () => {
  const { order, call, trade, exit } = triggered('long');
  order({ symbol: 'ETH', side: 'buy', size: 2, order_type: 'market' });
  const mine = order({ side: 'sell', size: 1, order_type: 'limit', price: 99, reduce_only: true });
  const close = { pathParams: { symbol: 'ETH' } };
  call('positions.close', close);
  expect(call('orders.list').items).toHaveLength(2);
  trade('sell', 4, { reduce_only: true });
  expect(call('orders.list').items).toMatchObject([{ order_id: mine.order_id }]);
  expect(exit()).toBeDefined();
});

test('it ends so after a restart from the state, too', () => {
  const { engine, options } = triggered('long');
  const saved = JSON.parse(JSON.stringify(engine.save())) as ReturnType<typeof engine.save>;
  const bench = createBench({ ...options, saved } as Parameters<typeof createBench>[0]);
  bench.call('positions.close', { pathParams: { symbol: 'BTC' } });
  const [exit] = bench.call('orders.list').items;
  expect(exit).toMatchObject({ reduce_only: true, filled_size: 1 });
  const params = { duration_seconds: 3_600 };
  const body = { algo: 'pacemaker', symbol: 'BTC', side: 'sell', total_size: 4, params };
  const { execution_id: id } = bench.call('executions.launch', { body });
  bench.call('executions.completeAtMarket', { pathParams: { id } });
  expect(bench.call('orders.list').items).toEqual([]);
});

test.each(['buy', 'sell'] as const)(
  'a close by an algorithm never opens the other side, whatever else reduces what a %s opened',
  (side) => {
    const bench = createBench({ feeds: [feedOf(flat(100, 40))] });
    bench.run(2);
    bench.order({ side, size: 8, order_type: 'market' });
    const body = { algo: 'pacemaker', params: { duration_seconds: 600, slices: 10 } };
    const made = bench.call('positions.close', { pathParams: { symbol: 'BTC' }, body });
    expect(made).toMatchObject({ reduce_only: true, total_size: 8 });
    bench.run(2);
    bench.order({ side: side === 'buy' ? 'sell' : 'buy', size: 5, order_type: 'market' });
    bench.run(20);
    expect(bench.call('positions.list').items).toEqual([]);
  },
);

test('a position that was closed leaves nothing behind that a restart from the state cannot read', () => {
  const options = { feeds: [feedOf(flat(100, 40))] };
  const bench = createBench(options);
  bench.run(2);
  bench.order({ side: 'buy', size: 8, order_type: 'market' });
  bench.run(1);
  bench.call('positions.close', { pathParams: { symbol: 'BTC' } });
  const saved = JSON.parse(JSON.stringify(bench.engine.save())) as ReturnType<
    typeof bench.engine.save
  >;
  const next = createBench({ ...options, saved });
  next.run(1);
  expect(next.call('positions.list').items).toEqual([]);
});
