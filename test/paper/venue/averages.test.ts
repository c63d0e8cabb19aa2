import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE, type Row } from '../engine/bench.ts';

/** 98.3 × 0.7 ÷ 0.7 is 98.29999999999998 in doubles. */
const PRICE = 98.3;
const SIZE = 0.7;
const entry = { side: 'buy', size: SIZE, order_type: 'limit', price: PRICE };
const position = { pathParams: { symbol: 'BTC' } };

/** Falls through the price a minute in, with a volume of which a tenth fills each bar. */
function fallen(volume: number, feed: Partial<{ symbol: string }> = {}) {
  const rows: Row[] = [
    ...flat(100, 2, volume),
    [100, 100, 98, 98, volume],
    ...flat(98, 12, volume),
  ];
  const bench = createBench({
    feeds: [feedOf(rows, feed)],
    instruments: { 'BTC/USDC': { price_decimals: 2 } },
  });
  bench.engine.advanceTo(bench.engine.now + MINUTE);
  return bench;
}

describe('what was filled at one price alone has that price as its average', () => {
  test('an order, its position, and the anchor of its legs', () => {
    expect((PRICE * SIZE) / SIZE).not.toBe(PRICE);
    const bench = fallen(1_000);
    const { order_id: id } = bench.order({ ...entry, stop_loss: { price: 90 } });
    bench.run(5);
    const { average_price: average, stop_loss: leg } = bench.call('orders.get', {
      pathParams: { id },
    });
    expect(average).toBe(PRICE);
    expect(leg.resolution.anchor_price).toBe(PRICE);
    expect(bench.call('positions.get', position).entry_price).toBe(PRICE);
  });

  test('in several fills', () => {
    const bench = fallen(1);
    const { order_id: id } = bench.order(entry);
    bench.run(10);
    expect(bench.call('orders.fills').items.length).toBeGreaterThan(5);
    const order = bench.call('orders.get', { pathParams: { id } });
    expect(order).toMatchObject({ status: 'filled', average_price: PRICE });
    expect(bench.call('positions.get', position).entry_price).toBe(PRICE);
  });

  test('an execution, and what its legs are anchored to (EXE-3)', () => {
    const bench = fallen(1_000);
    const { execution_id: id } = bench.call('executions.launch', {
      body: {
        algo: 'glidemaker',
        symbol: 'BTC',
        side: 'buy',
        total_size: SIZE,
        params: { strategy: 'passive', limit_price: PRICE },
        stop_loss: { price: 90 },
      },
    });
    bench.run(5);
    const execution = bench.call('executions.get', { pathParams: { id } });
    expect(execution).toMatchObject({ status: 'completed', average_price: PRICE });
    expect(execution.stop_loss.resolution.anchor_price).toBe(PRICE);
  });

  test('a holding of spot: its open profit is that of the price', () => {
    const bench = fallen(1_000, { symbol: 'BTC/USDC' });
    bench.order({ ...entry, symbol: 'BTC/USDC' });
    bench.run(5);
    expect(bench.call('account.get').unrealized_pnl).toBe(SIZE * (98 - PRICE));
  });

  test('a position that reversed', () => {
    const bench = fallen(1_000);
    bench.order({ side: 'sell', size: 0.3, order_type: 'limit', price: 99 });
    bench.order({ ...entry, size: 1 });
    bench.run(5);
    const { size, entry_price: price } = bench.call('positions.get', position);
    expect([size, price]).toEqual([SIZE, PRICE]);
  });
});

test('fills at several prices have the average of what was paid', () => {
  const bench = fallen(1_000);
  bench.order({ ...entry, size: 1 });
  bench.order({ ...entry, size: 3, price: 98.7 });
  bench.run(5);
  expect(bench.call('positions.get', position).entry_price).toBeCloseTo(98.6, 10);
});
