import { expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

const still = (bars = 10) => [feedOf(flat(100, bars))];

test('a market order fills at the best price plus its impact on the last closed bar', () => {
  const bench = createBench({ feeds: still() });
  bench.run(1);
  const order = bench.order({ side: 'buy', size: 50, order_type: 'market' });
  // Half spread 1 bp, impact 10 bps × 50/1000.
  expect(order).toMatchObject({ status: 'filled', filled_size: 50, queued: false });
  expect(order.average_price).toBeCloseTo(100.01 * (1 + 0.001 * 0.05), 12);
  const [fill] = bench.call('orders.fills').items;
  expect(fill).toMatchObject({ liquidity: 'taker', size: 50, time: START + MINUTE });
  expect(fill.fee).toBeCloseTo((fill.notional * (4.5 + 0.8)) / 10_000, 12);
});

test('no fill uses more than its share of the bar; the rest of a market order is cancelled', () => {
  const bench = createBench({ feeds: still() });
  bench.run(1);
  const order = bench.order({ side: 'buy', size: 150, order_type: 'market' });
  expect(order).toMatchObject({ status: 'cancelled', filled_size: 100, reject_reason: 'volume' });
});

test.each([
  ['sell', 50],
  ['buy', 150],
])('for any impact setting, a %s moves the price by half at most', (side, price) => {
  const bench = createBench({ feeds: [feedOf(flat(100, 10, 1))], impactBps: 200 });
  bench.run(1);
  const params = { duration_seconds: 600 };
  const body = { algo: 'pacemaker', symbol: 'BTC', side, total_size: 80, params };
  const { execution_id: id } = bench.call('executions.launch', { body });
  bench.call('executions.completeAtMarket', { pathParams: { id } });
  const [fill] = bench.call('orders.fills').items;
  expect(fill.price).toBeCloseTo(price, 1);
});

test.each([
  ['sell', -1],
  ['buy', 1],
] as const)('the impact of a %s stops growing at a hundred bars of volume', (side, sign) => {
  const bench = createBench({ feeds: [feedOf(flat(100, 10, 1))] });
  bench.run(1);
  const slices = [50, 100, 101, 400].map((total_size) => {
    const params = { duration_seconds: 600 };
    const body = { algo: 'pacemaker', symbol: 'BTC', side, total_size, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    bench.call('executions.completeAtMarket', { pathParams: { id } });
    return (bench.call('orders.fills').items[0] as FillRecord).price / (100 + sign * 0.01) - 1;
  });
  // 10 bps a bar.
  for (const [at, impact] of [0.05, 0.1, 0.1, 0.1].entries())
    expect(slices[at]).toBeCloseTo(sign * impact, 3);
});

test('a market order pays no more than its bound, measured from the mark', () => {
  const bench = createBench({ feeds: still() });
  bench.run(1);
  const order = bench.order({ side: 'buy', size: 90, order_type: 'market', slippage_bps: 1.5 });
  expect(order.status).toBe('cancelled');
  expect(order.reject_reason).toBe('price_bound');
  // The bound is 100.015, the best price 100.01: the slack of about 0.5 bp pays for 5 % of the volume.
  expect(order.filled_size).toBeGreaterThan(49);
  expect(order.filled_size).toBeLessThan(50);
  expect(order.average_price).toBeLessThanOrEqual(100.015);
});

test('a resting order fills when the path trades through its price, at its price, as maker', () => {
  const feeds = [feedOf([...flat(100, 1), [100, 100, 98, 99], ...flat(99, 2)])];
  const bench = createBench({ feeds });
  bench.run(1);
  const order = bench.order({ side: 'buy', size: 1, order_type: 'limit', price: 99 });
  expect(order).toMatchObject({ status: 'open', filled_size: 0 });
  bench.run(1);
  const [fill] = bench.call('orders.fills').items;
  expect(fill).toMatchObject({ price: 99, liquidity: 'maker', order_id: order.order_id });
  // The high is the open, so the low is at two thirds; 99 is half way.
  expect(fill.time).toBe(START + MINUTE + 30_001);
  expect(fill.fee).toBeCloseTo((99 * 2.3) / 10_000, 12);
});

test('a touch alone does not fill, unless configured', () => {
  const rows = [...flat(100, 1), [100, 100, 99, 100] as const, ...flat(100, 2)];
  for (const touchFills of [false, true]) {
    const bench = createBench({ feeds: [feedOf(rows)], touchFills });
    bench.run(1);
    const { order_id: id } = bench.order({ side: 'buy', size: 1, order_type: 'limit', price: 99 });
    bench.run(2);
    const { status } = bench.call('orders.get', { pathParams: { id } });
    expect(status).toBe(touchFills ? 'filled' : 'open');
  }
});

test('an order that was gapped through fills at its own price with the next bar', () => {
  const bench = createBench({ feeds: [feedOf([...flat(100, 1), ...flat(90, 2)])] });
  bench.run(1);
  bench.order({ side: 'buy', size: 1, order_type: 'limit', price: 95 });
  bench.run(1);
  const [fill] = bench.call('orders.fills').items;
  expect(fill).toMatchObject({ price: 95, time: START + MINUTE + 1 });
});

test("size beyond a bar's volume fills with the next bar", () => {
  const bench = createBench({ feeds: [feedOf([...flat(100, 1, 100), ...flat(90, 3, 100)])] });
  bench.run(1);
  const { order_id: id } = bench.order({ side: 'buy', size: 25, order_type: 'limit', price: 95 });
  const filled = (): number => bench.call('orders.get', { pathParams: { id } }).filled_size;
  bench.run(1);
  expect(filled()).toBe(10);
  bench.run(1);
  expect(filled()).toBe(20);
  bench.run(1);
  expect(filled()).toBe(25);
});

test('ORD-1: a limit order that crosses takes at once, inside its price; ioc leaves nothing resting', () => {
  const bench = createBench({ feeds: still() });
  bench.run(1);
  const body = { side: 'buy', size: 120, order_type: 'limit', price: 101 };
  const ioc = bench.order({ ...body, time_in_force: 'ioc' });
  expect(ioc).toMatchObject({ status: 'cancelled', filled_size: 100 });
  const gtc = bench.order(body);
  expect(gtc).toMatchObject({ status: 'open', filled_size: 0 });
});

test('the rest of a crossing limit order takes with the next trade, as taker', () => {
  const rows: Row[] = [...flat(100, 2), ...flat(101, 1), [101, 101, 99, 101], ...flat(101, 1)];
  const bench = createBench({ feeds: [feedOf(rows)] });
  bench.run(1);
  const buy = { side: 'buy', order_type: 'limit' };
  // The bound leaves no room for impact; more volume is available with the next bar.
  bench.order({ ...buy, size: 10, price: 100.01 });
  bench.order({ ...buy, size: 120, price: 100.03 });
  // Inside the spread there is nothing to take.
  bench.order({ ...buy, size: 1, price: 100 });
  bench.run(0.5);
  const fills = () =>
    bench
      .call('orders.fills')
      .items.map((fill: FillRecord) => [fill.time - START, fill.price, fill.size, fill.liquidity])
      .slice(0, -1)
      .toReversed();
  const first = [
    [MINUTE + 1, 100.03, 20, 'taker'],
    [MINUTE + 1, 100.01, 10, 'taker'],
  ];
  expect(fills()).toEqual(first);
  // The market moves away from this one first: it rests, and fills as maker.
  bench.run(0.5);
  bench.order({ ...buy, size: 1, price: 100.01 });
  bench.run(2);
  expect(fills().slice(2)).toEqual([
    [expect.any(Number), 100.01, 1, 'maker'],
    [expect.any(Number), 100, 1, 'maker'],
  ]);
});

test('a modified order that crosses takes with the next trade, too', () => {
  const bench = createBench({ feeds: still() });
  bench.run(1);
  const { order_id: id } = bench.order({ side: 'buy', size: 1, order_type: 'limit', price: 99 });
  bench.call('orders.modify', { pathParams: { id }, body: { price: 100.01 } });
  bench.run(1);
  expect(bench.call('orders.fills').items).toMatchObject([{ price: 100.01, liquidity: 'taker' }]);
});

test('post_only that would cross is refused without a record', () => {
  const bench = createBench({ feeds: still() });
  bench.run(1);
  const body = {
    symbol: 'BTC',
    side: 'buy',
    size: 1,
    order_type: 'limit',
    price: 100.01,
    time_in_force: 'post_only',
  };
  expect(bench.refusal('orders.place', { body }).code).toBe('would_cross');
  expect(bench.call('orders.history').items).toEqual([]);
  expect(bench.call('orders.list').items).toEqual([]);
  expect(bench.order({ ...body, price: 99.99 }).status).toBe('open');
});

test('sizes and prices off the grid are refused, never rounded (RULE-1)', () => {
  const bench = createBench({ feeds: still() });
  const body = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 99.123 };
  expect(bench.refusal('orders.place', { body }).details).toMatchObject({
    fields: [{ path: 'price', code: 'price_grid' }],
  });
  expect(
    bench.refusal('orders.place', { body: { ...body, price: 99, size: 0.000001 } }).details,
  ).toMatchObject({ fields: [{ path: 'size', code: 'size_grid' }] });
});

test('a number on the grid that is too large to be counted is called so', () => {
  const bench = createBench({ feeds: still() });
  const body = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 99 };
  const faultOf = (change: object) => {
    const { details } = bench.refusal('orders.place', { body: { ...body, ...change } });
    return (details as { fields: object[] }).fields[0];
  };
  expect(faultOf({ size: 1e15 })).toMatchObject({
    path: 'size',
    code: 'too_big',
    message: '1000000000000000 is too large: the most that is exact here is 90071992547.40991.',
  });
  expect(faultOf({ price: 1e22 })).toMatchObject({ path: 'price', code: 'too_big' });
});

test('a grid refusal quotes the value, its rule and the remedy', () => {
  const bench = createBench({ feeds: still() });
  const order = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 99 };
  const messageOf = (over: object) =>
    bench.refusal('orders.place', { body: { ...order, ...over } }).message;
  expect(messageOf({ size: 1.0000001 })).toMatch(
    /^size: 1\.0000001 .*at most \d decimals.*roundSize: 1\.$/,
  );
  expect(messageOf({ size: 1e-7 })).toMatch(/^size: 0\.0000001 .*above zero.*roundSize/);
  expect(messageOf({ price: 99.1234567 })).toMatch(
    /^price: 99\.1234567 .*significant figures.*decimals.*roundPrice: 99\.12\d*\.$/,
  );
  const coarse = createBench({ feeds: still(), instruments: { BTC: { price_decimals: 1 } } });
  const body = { ...order, price: 99.25 };
  expect(coarse.refusal('orders.place', { body }).message).toContain('figures and 1 decimal.');
});

test('a client_order_id is permanently unique and identifies its order', () => {
  const bench = createBench({ feeds: still() });
  bench.run(1);
  const body = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 99 };
  const first = bench.order({ ...body, client_order_id: 'a-1' });
  const cancelled = bench.call('orders.cancel', { pathParams: { id: 'client:a-1' } });
  expect(cancelled).toMatchObject({ order_id: first.order_id, status: 'cancelled' });
  const again = bench.refusal('orders.place', { body: { ...body, client_order_id: 'a-1' } });
  expect(again.code).toBe('duplicate_client_order_id');
  const late = bench.refusal('orders.cancel', { pathParams: { id: first.order_id } });
  expect(late.code).toBe('invalid_transition');
});

test('ORD-4: modify changes price and size, bulk cancel cancels all of a symbol, history is newest first', () => {
  const bench = createBench({ feeds: still() });
  bench.run(1);
  const body = { side: 'buy', size: 1, order_type: 'limit' };
  const ids = [98, 97, 96].map((price) => bench.order({ ...body, price }).order_id);
  const changed = bench.call('orders.modify', {
    pathParams: { id: ids[0] },
    body: { price: 99, size: 2 },
  });
  expect(changed).toMatchObject({ price: 99, size: 2, status: 'open' });
  const { results } = bench.call('orders.bulkCancel', { query: { symbol: 'BTC' } });
  expect(results.map(({ id }: { id: string }) => id)).toEqual(ids);
  const page = bench.call('orders.history', { query: { limit: 2 } });
  expect(page.items.map((each: { order_id: string }) => each.order_id)).toEqual([ids[2], ids[1]]);
  const rest = bench.call('orders.history', { query: { limit: 2, cursor: page.next_cursor } });
  expect(rest).toMatchObject({ items: [{ order_id: ids[0] }], next_cursor: null });
});

test('reduce_only needs a position and never opens one (RULE-4)', () => {
  const bench = createBench({ feeds: still(20) });
  bench.run(1);
  const sell = { symbol: 'BTC', side: 'sell', size: 5, order_type: 'market', reduce_only: true };
  const refused = bench.refusal('orders.place', { body: sell });
  expect([refused.code, refused.status]).toEqual(['no_position', 422]);
  bench.order({ side: 'buy', size: 2, order_type: 'market' });
  const order = bench.order(sell);
  expect(order).toMatchObject({ filled_size: 2, status: 'cancelled' });
  expect(order.reject_reason).toBe('nothing_to_reduce');
  expect(bench.call('positions.list').items).toEqual([]);
});

test('an order beyond the margin is refused with the required margin', () => {
  const bench = createBench({ feeds: still() }, { balance: 1_000 });
  bench.run(1);
  const body = { symbol: 'BTC', side: 'buy', size: 101, order_type: 'limit', price: 99 };
  const refused = bench.refusal('orders.place', { body: { ...body, size: 102 } });
  expect(refused.code).toBe('insufficient_margin');
  expect(bench.order(body).status).toBe('open');
  // The opposite order would only be as large a position: the larger side counts, not the sum.
  expect(bench.order({ ...body, side: 'sell', price: 101, size: 99 }).status).toBe('open');
});

test('a request below the minimum order value is refused', () => {
  const bench = createBench({ feeds: still() });
  const body = { symbol: 'BTC', side: 'buy', size: 0.05, order_type: 'limit', price: 99 };
  expect(bench.refusal('orders.place', { body }).details).toMatchObject({ minimum: 10 });
});

test('ORD-1: an order is dated by what happened to it last: a change, a fill, its end', () => {
  const rows = [...flat(100, 8), [100, 100, 98, 98, 20], ...flat(98, 20)] as const;
  const bench = createBench({ feeds: [feedOf(rows)] });
  bench.run(2);
  const limit = { side: 'buy', size: 3_000, order_type: 'limit', price: 97 };
  const placed = bench.order(limit);
  const created = bench.engine.now;
  const pathParams = { id: placed.order_id };
  const dates = (): unknown[] => {
    const { status, created_time, updated_time } = bench.call('orders.get', { pathParams });
    const shown = bench.named('order').at(-1)!.data;
    expect(shown).toMatchObject({ status, created_time, updated_time });
    return [status, created_time, updated_time];
  };
  expect(dates()).toEqual(['open', created, created]);
  bench.run(2);
  bench.call('orders.modify', { pathParams, body: { price: 99 } });
  expect(dates()).toEqual(['open', created, bench.engine.now]);
  bench.run(10);
  const [fill] = bench.call('orders.fills').items;
  expect(fill.time).toBeGreaterThan(created);
  expect(dates()).toEqual(['open', created, fill.time]);
  bench.call('orders.cancel', { pathParams });
  expect(dates()).toEqual(['cancelled', created, bench.engine.now]);
  // What ends as it is placed is dated then.
  bench.run(1);
  const ioc = { ...limit, price: 90, time_in_force: 'ioc' };
  const { now } = bench.engine;
  expect(bench.order(ioc)).toMatchObject({
    status: 'cancelled',
    created_time: now,
    updated_time: now,
  });
});
