import { describe, expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat, type Row } from '../engine/bench.ts';

const still = (bars = 12, volume = 1_000) => [feedOf(flat(100, bars, volume))];
const limit = (side: string, size: number, price: number, more = {}) => ({
  symbol: 'BTC',
  side,
  size,
  order_type: 'limit',
  price,
  ...more,
});
/** A bench one minute in, at a mark of 100 between 99.99 and 100.01, with ten times leverage. */
function opened(balance = 100_000, feeds = still()) {
  const bench = createBench({ feeds }, { balance });
  bench.run(1);
  const refusalOf = (body: Record<string, unknown>) => bench.refusal('orders.place', { body }).code;
  const modify = (id: string, body: Record<string, unknown>) =>
    bench.call('orders.modify', { pathParams: { id }, body });
  const refusedChange = (id: string, body: Record<string, unknown>) =>
    bench.refusal('orders.modify', { pathParams: { id }, body });
  const order = (id: string) => bench.call('orders.get', { pathParams: { id } });
  return { ...bench, refusalOf, modify, refusedChange, shown: order };
}

describe('an order at its limits', () => {
  test('its value may be the minimum, and not less; one that only reduces has none', () => {
    const { order, refusalOf } = opened();
    expect(order(limit('buy', 0.1, 100)).status).toBe('open');
    expect(refusalOf(limit('buy', 0.09999, 100))).toBe('below_order_minimum');
    order({ side: 'buy', size: 1, order_type: 'market' });
    expect(order(limit('sell', 0.01, 101, { reduce_only: true })).status).toBe('open');
  });

  test('its value is the minimum where the doubles of a product say a little less', () => {
    const instruments = { BTC: { price_decimals: 2, min_order_value: 57 } };
    const bench = createBench({ feeds: still(), instruments });
    bench.run(1);
    expect(1.14 * 50).toBeLessThan(57);
    const { order_id: id } = bench.order(limit('buy', 1.14, 50));
    const changed = { pathParams: { id }, body: { size: 1.141 } };
    expect(bench.call('orders.modify', changed).size).toBe(1.141);
    const back = { pathParams: { id }, body: { size: 1.14 } };
    expect(bench.call('orders.modify', back).size).toBe(1.14);
    const below = { body: limit('buy', 1.13, 50) };
    expect(bench.refusal('orders.place', below).code).toBe('below_order_minimum');
  });

  test('its margin may be all that is there, and not more', () => {
    const { order, refusalOf } = opened(1_000);
    expect(refusalOf(limit('buy', 100.01, 100))).toBe('insufficient_margin');
    expect(order(limit('buy', 100, 100)).status).toBe('open');
    // One beside another of its symbol counts once, with and without a position.
    for (const size of [0, 20]) {
      const beside = opened(1_100);
      if (size > 0) beside.order({ side: 'buy', size, order_type: 'market' });
      beside.order(limit('buy', 50, 90));
      const room = Math.floor((beside.call('account.get').available_margin * 10) / 90);
      expect(beside.refusalOf(limit('buy', room + 1, 90))).toBe('insufficient_margin');
      expect(beside.order(limit('buy', room, 90)).status).toBe('open');
    }
    // 10.3 × 90 ÷ 10 is 92.7, and 92.70000000000002 in doubles.
    expect(opened(92.7).order(limit('buy', 10.3, 90)).status).toBe('open');
  });

  test('a market order needs the margin of the price that it takes', () => {
    // At the bid it would fit: 100 × 99.99 ÷ 10.
    const market = { symbol: 'BTC', side: 'buy', size: 100, order_type: 'market' };
    const { refusal } = opened(1_000);
    const { code, details } = refusal('orders.place', { body: market });
    expect([code, details?.['required']]).toEqual([
      'insufficient_margin',
      expect.closeTo(1_000.1, 6),
    ]);
  });

  test('a sale below the bid needs the margin of the bid, at which it takes', () => {
    // At its limit it would fit: 300 × 30 ÷ 10.
    const { order, refusal, modify, refusedChange } = opened(1_000);
    const low = limit('sell', 300, 30);
    const { code, details } = refusal('orders.place', { body: low });
    expect([code, details?.['required']]).toEqual([
      'insufficient_margin',
      expect.closeTo(2_999.7, 6),
    ]);
    expect(refusal('orders.place', { body: { ...low, time_in_force: 'ioc' } }).code).toBe(code);
    // The margin of the orders that rest is that of their price.
    const { order_id: id } = order(limit('sell', 90, 110));
    expect(refusedChange(id, { price: 30, size: 101 }).code).toBe(code);
    expect(modify(id, { price: 30, size: 100 }).filled_size).toBe(100);
  });

  test('a reduce-only order needs no margin, and the orders beside it none for it', () => {
    const { order, call } = opened(1_000);
    order({ side: 'buy', size: 50, order_type: 'market' });
    const used = call('account.get').used_margin;
    order(limit('sell', 50, 110, { reduce_only: true }));
    order(limit('sell', 40, 111));
    expect(call('account.get').used_margin).toBeCloseTo(used, 8);
  });
});

describe('a changed order', () => {
  test('counts once: it may use all the margin that it used before, and not more', () => {
    const { order, modify, refusedChange, shown } = opened(1_000);
    const { order_id: id } = order(limit('buy', 100, 99));
    expect(modify(id, { size: 101 }).size).toBe(101);
    expect(refusedChange(id, { size: 102 }).code).toBe('insufficient_margin');
    expect(refusedChange(id, { price: 99.5 }).code).toBe('insufficient_margin');
    expect(shown(id)).toMatchObject({ size: 101, price: 99, status: 'open' });
  });

  test('needs no margin for what it has filled, and cannot become smaller than that', () => {
    const { order, run, modify, refusedChange, shown } = opened(1_020, [
      feedOf([...flat(101, 1, 100), ...flat(99, 8, 100)]),
    ]);
    const { order_id: id } = order(limit('buy', 99, 100));
    run(1);
    expect(shown(id).filled_size).toBe(10);
    expect(modify(id, { price: 100.5 }).status).not.toBe('rejected');
    const { filled_size: filled } = shown(id);
    expect(refusedChange(id, { size: filled }).details).toMatchObject({
      fields: [{ path: 'size', code: 'below_filled' }],
    });
  });

  test('keeps its place in the list', () => {
    const { order, modify, call } = opened();
    const ids = [97, 98, 99].map((price) => order(limit('buy', 1, price)).order_id);
    const listed = () => call('orders.list').items.map((one: { order_id: string }) => one.order_id);
    const before = listed();
    modify(ids[0], { price: 96 });
    modify(ids[2], { size: 2 });
    expect(listed()).toEqual(before);
  });

  test('is not below the minimum value; one that only reduces may be', () => {
    const { order, modify, refusedChange } = opened();
    const { order_id: id } = order(limit('buy', 1, 99));
    expect(refusedChange(id, { size: 0.1 }).code).toBe('below_order_minimum');
    order({ side: 'buy', size: 1, order_type: 'market' });
    const exit = order(limit('sell', 1, 110, { reduce_only: true })).order_id;
    expect(modify(exit, { size: 0.01 }).size).toBe(0.01);
  });

  test('does not take if it is post-only, whatever is changed', () => {
    const { order, refusedChange, modify } = opened();
    const { order_id: id } = order(limit('buy', 1, 99, { time_in_force: 'post_only' }));
    expect(refusedChange(id, { price: 100.01 }).code).toBe('would_cross');
    expect(modify(id, { price: 100 }).status).toBe('open');
  });

  test('takes at once what its new price reaches', () => {
    const { order, modify } = opened();
    const { order_id: id } = order(limit('buy', 1, 99));
    expect(modify(id, { price: 101 })).toMatchObject({ status: 'filled', filled_size: 1 });
  });

  test('is refused once it is over', () => {
    const { order, call, refusedChange } = opened();
    const { order_id: id } = order(limit('buy', 1, 99));
    call('orders.cancel', { pathParams: { id } });
    expect(refusedChange(id, { size: 2 }).code).toBe('invalid_transition');
  });
});

describe('an exit that waits for volume', () => {
  /** A stop below 40 that were bought; a bar lets 10 of them out. */
  function waiting(after: Row[]) {
    const rows: Row[] = [...flat(100, 5, 100), ...after];
    const bench = opened(100_000, [feedOf(rows)]);
    for (let minute = 0; minute < 4; minute++) {
      bench.order({ side: 'buy', size: 10, order_type: 'market' });
      bench.run(minute < 3 ? 1 : 0);
    }
    const body = { stop_loss: { price: 99 } };
    bench.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    bench.run(1.5);
    const [{ order_id: id }] = bench.call('orders.list').items;
    return { ...bench, id };
  }

  test('goes on with each bar until nothing is left, and cannot be changed', () => {
    const { id, shown, run, refusedChange } = waiting(flat(98, 8, 100));
    const sizes: number[] = [];
    expect(refusedChange(id, { size: 1 }).code).toBe('invalid_transition');
    for (let minute = 0; minute < 4; minute++) {
      sizes.push(shown(id).filled_size);
      run(1);
    }
    expect(sizes).toEqual([10, 20, 30, 40]);
    expect(shown(id).status).toBe('filled');
  });

  test('ends with a reason if its position was closed otherwise', () => {
    const busy: Row = [98, 99, 98, 98, 1_000];
    const { id, shown, order, run, call } = waiting([
      ...flat(98, 1, 100),
      busy,
      ...flat(98, 4, 100),
    ]);
    run(0.5);
    order(limit('sell', 20, 98.5, { reduce_only: true }));
    run(3);
    expect(call('positions.list').items).toEqual([]);
    expect(shown(id)).toMatchObject({ status: 'cancelled', reject_reason: 'nothing_to_reduce' });
  });
});

describe('what a bar traded', () => {
  test('is shared by the orders that rest and those that take', () => {
    const rows: Row[] = [...flat(100, 1, 100), ...flat(95, 3, 100)];
    const { order, run, call } = opened(100_000, [feedOf(rows)]);
    for (const price of [99, 98, 97]) order(limit('buy', 8, price));
    run(1);
    const fills = call('orders.fills').items as FillRecord[];
    expect(fills.reduce((sum, one) => sum + one.size, 0)).toBe(10);
    run(1);
    const more = call('orders.fills').items as FillRecord[];
    expect(more.reduce((sum, one) => sum + one.size, 0)).toBe(20);
    expect(more.every((one) => one.liquidity === 'maker')).toBe(true);
  });

  test('is nobody’s once an order has left the market', () => {
    const rows: Row[] = [...flat(100, 1), ...flat(95, 3)];
    const { order, run, call } = opened(100_000, [feedOf(rows)]);
    const { order_id: id } = order(limit('buy', 8, 99));
    const used = call('account.get').used_margin;
    expect(used).toBeGreaterThan(0);
    call('orders.cancel', { pathParams: { id } });
    expect(call('account.get').used_margin).toBe(0);
    run(2);
    expect(call('orders.fills').items).toEqual([]);
    expect(call('orders.list').items).toEqual([]);
  });
});

describe('a liquidation', () => {
  const start: Row[] = flat(100, 2, 10_000);
  function crash(low: number) {
    const bench = createBench(
      { feeds: [feedOf([...start, [100, 100, low, 100, 10_000], ...flat(100, 2, 10_000)])] },
      { balance: 1_000 },
    );
    bench.run(2);
    bench.order({ side: 'buy', size: 80, order_type: 'market' });
    return bench;
  }

  test('happens at the price that the position shows, and not just above it', () => {
    const [{ liquidation_price: price }] = crash(99).call('positions.list').items;
    const [at, above] = [crash(price), crash(price + 0.01)];
    at.run(1);
    above.run(1);
    expect(at.named('liquidation')).toHaveLength(1);
    expect(above.named('liquidation')).toHaveLength(0);
  });
});

test('a symbol’s greatest leverage bounds the wallet’s default', () => {
  const instruments = { BTC: { price_decimals: 2, max_leverage: 3 } };
  const bench = createBench({ feeds: still(), instruments });
  bench.run(1);
  bench.order(limit('buy', 9, 99));
  expect(bench.call('account.get').used_margin).toBeCloseTo((9 * 99) / 3, 8);
});

/** 10.3 × 90 ÷ 10 is 92.7, and 92.70000000000002 in doubles. */
test.each([
  ['a round amount', 1_000, limit('buy', 100, 100)],
  ['an amount that the doubles of a product miss', 92.7, limit('buy', 10.3, 90)],
])('a leverage may use all the margin that is there, and not more: %s', (_name, balance, body) => {
  const symbol = { pathParams: { symbol: 'BTC' } };
  const bench = opened(balance);
  bench.order(body);
  const set = (leverage: number) => ({ ...symbol, body: { leverage } });
  const wallet = (leverage: number) => ({ body: { default_leverage: leverage } });
  expect(bench.refusal('account.updateSettings', wallet(9)).code).toBe('insufficient_margin');
  for (const leverage of [20, 10])
    expect(bench.call('account.updateSettings', wallet(leverage))).toMatchObject({
      default_leverage: leverage,
    });
  expect(bench.refusal('leverage.set', set(9)).code).toBe('insufficient_margin');
  for (const leverage of [20, 10])
    expect(bench.call('leverage.set', set(leverage))).toMatchObject({ leverage });
  expect(bench.refusal('leverage.set', set(9)).code).toBe('insufficient_margin');
  expect(bench.call('leverage.get', symbol).leverage).toBe(10);
});

test('POS-1: spot has no leverage, and none of its answers says otherwise', () => {
  const symbol = 'HYPE/USDC';
  const spot = { pathParams: { symbol } };
  const bench = createBench({ feeds: [feedOf(flat(100, 3), { symbol })] });
  bench.run(1);
  const none = { symbol, leverage: 1, mode: 'cross', max_leverage: 1 };
  expect(bench.call('leverage.get', spot)).toEqual(none);
  for (const body of [{ leverage: 5 }, { leverage: 1, mode: 'isolated' }]) {
    const { leverage } = body;
    expect(bench.refusal('leverage.set', { ...spot, body })).toMatchObject({
      code: 'leverage_out_of_range',
      details: { leverage, max_leverage: 1 },
    });
  }
  expect(bench.call('leverage.get', spot)).toEqual(none);
});

test('a leverage that leaves an isolated position nothing to lose is refused', () => {
  const rows: Row[] = [...flat(100, 2, 10_000), ...flat(94.5, 4, 10_000)];
  const bench = createBench({ feeds: [feedOf(rows)] });
  const symbol = { pathParams: { symbol: 'BTC' } };
  bench.run(2);
  bench.call('leverage.set', { ...symbol, body: { leverage: 10, mode: 'isolated' } });
  bench.order({ side: 'buy', size: 10, order_type: 'market' });
  bench.run(1);
  // Of a tenth, 55 of 100 are lost; of a twentieth, more than there would be.
  const refused = bench.refusal('leverage.set', { ...symbol, body: { leverage: 20 } });
  expect(refused.code).toBe('insufficient_margin');
  expect(bench.call('leverage.get', symbol).leverage).toBe(10);
  expect(bench.call('leverage.set', { ...symbol, body: { leverage: 11 } }).leverage).toBe(11);
});

describe('ORD-4: a wallet that has less than it needs may still need less', () => {
  const SPOT = 'HYPE/USDC';

  /** The loss of a position leaves less than its initial margin, as each bar at `to` shows. */
  function short(of: 'long' | 'short') {
    const [into, to] = of === 'long' ? ['buy', 97] : ['sell', 103];
    const rows: Row[] = [...flat(100, 3, 1e6), ...flat(to as number, 5, 1e6)];
    const bench = createBench(
      {
        feeds: [feedOf(rows), feedOf(flat(100, 8, 1e6), { symbol: SPOT })],
        instruments: { [SPOT]: { price_decimals: 2 } },
        impactBps: 0,
      },
      { balance: 1_000 },
    );
    bench.run(2);
    const side = into as string;
    bench.order({ side, size: 80, order_type: 'market' });
    const far = of === 'long' ? 90 : 110;
    const rest = (more: object): string =>
      bench.order({ side, order_type: 'limit', ...more }).order_id;
    const ids = {
      perp: rest({ size: 5, price: far }),
      spot: rest({ symbol: SPOT, side: 'buy', size: 0.5, price: 80 }),
    };
    bench.run(2);
    expect(bench.call('account.get').available_margin).toBeLessThan(0);
    const modify = (id: string, body: object) => ({ pathParams: { id }, body });
    return {
      ...bench,
      ids,
      further: of === 'long' ? 89 : 109,
      nearer: of === 'long' ? 91 : 111,
      change: (id: string, body: object) => bench.call('orders.modify', modify(id, body)),
      refused: (id: string, body: object) => bench.refusal('orders.modify', modify(id, body)),
    };
  }

  test.each(['long', 'short'] as const)('of margin, for an order beside a %s', (of) => {
    const { ids, change, refused, further, nearer, call } = short(of);
    const used = call('account.get').used_margin;
    expect(change(ids.perp, { size: 4 })).toMatchObject({ size: 4 });
    expect(change(ids.perp, { price: further })).toMatchObject({ price: further });
    expect(call('account.get').used_margin).toBeLessThan(used);
    for (const body of [{ size: 4.1 }, { price: nearer }, { size: 4.1, price: further }]) {
      const { code, details } = refused(ids.perp, body);
      expect(code).toBe('insufficient_margin');
      expect(details?.['required']).toBeGreaterThan(details?.['available'] as number);
    }
    // Nearer, and yet less.
    expect(change(ids.perp, { size: 2, price: nearer })).toMatchObject({ size: 2 });
  });

  test('of cash, for a purchase of spot', () => {
    const { ids, change, refused } = short('long');
    expect(change(ids.spot, { size: 0.4 })).toMatchObject({ size: 0.4 });
    expect(change(ids.spot, { price: 70 })).toMatchObject({ price: 70 });
    for (const body of [{ size: 0.5 }, { price: 71 }])
      expect(refused(ids.spot, body).code).toBe('insufficient_balance');
  });

  test('of a holding, for a sale of what was sold meanwhile', () => {
    const feeds = [feedOf(flat(100, 8, 1e6), { symbol: SPOT })];
    const bench = createBench({ feeds, instruments: { [SPOT]: { price_decimals: 2 } } });
    bench.run(2);
    const order = (side: string, size: number, more: object) =>
      bench.order({ symbol: SPOT, side, size, ...more });
    order('buy', 5, { order_type: 'market' });
    const { order_id: id } = order('sell', 5, { order_type: 'limit', price: 150 });
    order('sell', 3, { order_type: 'market', reduce_only: true });
    const change = (body: object) => ({ pathParams: { id }, body });
    expect(bench.call('orders.modify', change({ price: 140 }))).toMatchObject({ price: 140 });
    expect(bench.call('orders.modify', change({ size: 4 }))).toMatchObject({ size: 4 });
    expect(bench.refusal('orders.modify', change({ size: 4.1 })).code).toBe('insufficient_balance');
  });
});

test('an order that rests is found and can be changed, however many ended after it', () => {
  const bench = createBench({ feeds: still(), retention: 2 });
  bench.run(1);
  const { order_id: id } = bench.order(limit('buy', 1, 90));
  for (let count = 0; count < 12; count++) {
    const { order_id: ended } = bench.order(limit('buy', 1, 80));
    bench.call('orders.cancel', { pathParams: { id: ended } });
  }
  expect(bench.call('orders.get', { pathParams: { id } }).status).toBe('open');
  expect(bench.call('orders.modify', { pathParams: { id }, body: { size: 2 } }).size).toBe(2);
  bench.call('orders.cancel', { pathParams: { id } });
  expect(bench.call('orders.list').items).toEqual([]);
});
