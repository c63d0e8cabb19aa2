import { expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

const level = { indicator: 'sma', params: { period: 2 }, interval: '1m' };
const band = (series: 'upper' | 'lower') => ({ ...level, indicator: 'bollinger', series });
const closes = (...prices: number[]): Row[] =>
  prices.map((price, index) => {
    const open = prices[index - 1] ?? price;
    return [open, Math.max(open, price), Math.min(open, price), price, 1_000];
  });

function tracked(
  prices: number[],
  from: Record<string, unknown> = {},
  side = 'buy',
  legs: Record<string, unknown> = {},
) {
  const bench = createBench({ feeds: [feedOf([...flat(90, 2), ...closes(...prices)])] });
  bench.run(2 + 1);
  const placed = bench.order({
    side,
    size: 1,
    order_type: 'limit',
    client_order_id: 'mine',
    price_from: { ...level, track: true, ...from },
    ...legs,
  });
  const price = () => bench.call('orders.get', { pathParams: { id: 'client:mine' } }).price;
  return { ...bench, placed, price };
}

test('TRK-1, ORD-2: price_from takes the level at the last closed bar and names its watch', () => {
  const { placed } = tracked([100, 100, 100]);
  expect(placed).toMatchObject({
    price: 95,
    price_from_resolution: {
      indicator: 'sma',
      interval: '1m',
      series: 'value',
      indicator_value: 95,
      bar_time: START + 2 * MINUTE,
      price: 95,
    },
    entry_track: { watch_id: 'wat_1', min_move_bps: 5, max_drift_bps: 500 },
  });
});

test('TRK-2, ORD-3: a sell follows its level down, under the same identity', () => {
  const { run, price, placed, call } = tracked([80, 79, 76, 76], { max_drift_bps: 10_000 }, 'sell');
  expect(price()).toBe(85);
  run(1);
  expect(price()).toBe(79.5);
  run(1);
  expect(price()).toBe(77.5);
  const now = call('orders.get', { pathParams: { id: 'client:mine' } });
  const { order_id, request } = placed;
  expect(now).toMatchObject({ order_id, client_order_id: 'mine', request });
});

test('TRK-2: a level below the book moves the order', () => {
  const { run, price, named } = tracked([100, 101, 104, 103], { max_drift_bps: 10_000 });
  run(1);
  expect(price()).toBe(100.5);
  run(1);
  expect(price()).toBe(102.5);
  expect(named('entry_moved')).toMatchObject([
    { data: { watch_kind: 'entry', watch_id: 'wat_1', trigger_price: 100.5 } },
    { data: { trigger_price: 102.5 } },
  ]);
});

test('STR-2, LEG-7: what is published of an entry that moves has its legs at the new price', () => {
  const atr = { indicator: 'atr', params: { period: 2 }, interval: '1m' };
  const stop_loss = { offset: { ...atr, mult: 1 } };
  const take_profit = { offset: { ...atr, mult: 2 } };
  const legs = { stop_loss, take_profit };
  const { run, named, call } = tracked([100, 101, 104], { max_drift_bps: 10_000 }, 'buy', legs);
  const shown = (): number[] => {
    const now = call('orders.get', { pathParams: { id: 'client:mine' } });
    const { updated_time: _at, ...known } = named('order').at(-1)!.data as typeof now;
    expect(now).toMatchObject(known);
    const triggers = [now.price, now.stop_loss.resolution, now.take_profit.resolution];
    return triggers.map((of) => of.anchor_price ?? of);
  };
  expect(shown()).toEqual([95, 95, 95]);
  for (const price of [100.5, 102.5]) {
    run(1);
    expect(shown()).toEqual([price, price, price]);
  }
});

test('TRK-5: a level at or above the best ask holds a buy', () => {
  const { run, price, named } = tracked([100, 96, 96], { max_drift_bps: 10_000 });
  run(1);
  expect(price()).toBe(95);
  expect(named('entry_hold')).toMatchObject([{ data: { trigger_price: 95, level: 98 } }]);
});

test('TRK-4: beyond the drift the order stays and tracking stops; then it can be modified', () => {
  const { run, price, named, call } = tracked([100, 100, 100], { max_drift_bps: 526 });
  run(1);
  expect(price()).toBe(95);
  expect(named('entry_tracking_stopped')).toMatchObject([{ data: { status: 'stopped' } }]);
  const changed = call('orders.modify', { pathParams: { id: 'client:mine' }, body: { price: 94 } });
  expect(changed).toMatchObject({ price: 94, status: 'open' });
});

test('TRK-4: a drift is compared with its maximum to the last digit', () => {
  // From 95 to 100.5: 578.947368421… bps.
  const { run, price } = tracked([100, 101, 101], { max_drift_bps: 578.947369 });
  run(1);
  expect(price()).toBe(100.5);
  const stricter = tracked([100, 101, 101], { max_drift_bps: 578.947368 });
  stricter.run(1);
  expect(stricter.price()).toBe(95);
});

test('TRK-3: a move below min_move_bps is not written', () => {
  const { run, price, named } = tracked([100, 100.4, 100.4], {
    max_drift_bps: 10_000,
    min_move_bps: 600,
  });
  run(1);
  expect(named('entry_moved')).toEqual([]);
  expect(price()).toBe(95);
});

test('TRK-3: a level that stays is not written again, however small the least move is', () => {
  const bench = createBench({ feeds: [feedOf(closes(100, 102, 100, 102, 100, 102))] });
  bench.run(3);
  const price_from = { ...band('lower'), track: true, min_move_bps: 0 };
  const { price } = bench.order({ side: 'buy', size: 1, order_type: 'limit', price_from });
  expect(price).toBe(99);
  bench.run(3);
  expect(bench.named('entry_moved')).toEqual([]);
});

test('TRK-7: modify of a tracked entry is 409; cancel retires the watch', () => {
  const { refusal, call, named } = tracked([100, 100]);
  const pathParams = { id: 'client:mine' };
  expect(refusal('orders.modify', { pathParams, body: { price: 94 } }).code).toBe(
    'tracked_entry_immutable',
  );
  call('orders.cancel', { pathParams });
  expect(named('entry_retired')).toHaveLength(1);
});

test('a tracked entry that would cross when it is placed is refused', () => {
  const bench = createBench({ feeds: [feedOf([...flat(100, 2), ...closes(100, 90, 90)])] });
  bench.run(4);
  const body = {
    symbol: 'BTC',
    side: 'buy',
    size: 1,
    order_type: 'limit',
    price_from: { ...level, track: true },
  };
  expect(bench.refusal('orders.place', { body }).code).toBe('would_cross');
});

test('TRK-6: the 21st maintained row of a wallet is refused', () => {
  const bench = createBench({ feeds: [feedOf([...flat(90, 2), ...closes(100, 100)])] });
  bench.run(3);
  const body = {
    symbol: 'BTC',
    side: 'buy',
    size: 1,
    order_type: 'limit',
    price_from: { ...level, track: true },
  };
  for (let row = 0; row < 20; row++) bench.order(body);
  expect(bench.refusal('orders.place', { body }).details).toEqual({ limit: 20, in_use: 20 });
});

test.each([
  ['buy', 'BTC', level, [100, 101], 95],
  ['buy', 'HYPE/USDC', level, [100, 101], 95],
  ['sell', 'BTC', band('upper'), [80, 84, 76], 86],
] as const)(
  'TRK-5: a %s of %s holds where its level needs more funds than there are',
  (side, symbol, from, prices, first) => {
    const rows = [...flat(90, 2), ...closes(...prices)];
    const leverage = symbol === 'BTC' ? 10 : 1;
    // All of it, but for the fees of spot.
    const size = Math.floor((9_980 * leverage) / first);
    for (const part of [1, 0.5]) {
      const bench = createBench({ feeds: [feedOf(rows, { symbol })] }, { balance: 10_000 });
      bench.run(rows.length - 1);
      const placed = bench.order({
        symbol,
        side,
        size: Math.floor(size * part),
        order_type: 'limit',
        price_from: { ...from, track: true, max_drift_bps: 10_000 },
      });
      const pathParams = { id: placed.order_id };
      expect(placed.price).toBe(first);
      bench.run(1);
      const moves = [bench.named('entry_moved').length, bench.named('entry_hold').length];
      const { price } = bench.call('orders.get', { pathParams });
      expect([price > first, ...moves]).toEqual(part === 1 ? [false, 0, 1] : [true, 1, 0]);
    }
  },
);

test('TRK-2: a level that needs no more funds is followed, however little there is', () => {
  const rows = [...flat(90, 2), ...closes(100, 101, 105)];
  const falling = closes(100, 100, 100, 100, 60);
  const feeds = [feedOf(rows), feedOf(falling, { symbol: 'ETH' })];
  const bench = createBench({ feeds }, { balance: 10_000 });
  bench.run(4);
  bench.order({ symbol: 'ETH', side: 'buy', size: 100, order_type: 'market' });
  const sized = { size: 800, order_type: 'limit', price_from: { ...band('lower'), track: true } };
  const { order_id: id, price } = bench.order({ side: 'buy', ...sized });
  bench.run(1);
  expect(bench.call('account.get').available_margin).toBeLessThan(0);
  expect(bench.call('orders.get', { pathParams: { id } }).price).toBeLessThan(price);
});

test('TRK-2: a sale of spot is followed upwards though less is held than it would sell', () => {
  const symbol = 'HYPE/USDC';
  const rows = [...flat(90, 2), ...closes(80, 84, 76)];
  const bench = createBench({ feeds: [feedOf(rows, { symbol })] }, { balance: 10_000 });
  bench.run(4);
  bench.order({ symbol, side: 'buy', size: 2, order_type: 'market' });
  const sized = { size: 2, order_type: 'limit', price_from: { ...band('upper'), track: true } };
  const { order_id: id, price } = bench.order({ symbol, side: 'sell', ...sized });
  const body = { algo: 'pacemaker', params: { duration_seconds: 36_000, slices: 10 } };
  bench.call('positions.close', { pathParams: { symbol }, body });
  expect(bench.call('orders.fills', { query: { limit: 1 } }).items).toMatchObject([
    { side: 'sell' },
  ]);
  bench.run(1);
  expect(bench.call('orders.get', { pathParams: { id } }).price).toBeGreaterThan(price);
});

test('RULE-4: one that only reduces needs no funds, whatever its size is', () => {
  const rows = [...flat(90, 2), ...closes(80, 84, 76)];
  const bench = createBench({ feeds: [feedOf(rows)] }, { balance: 10_000 });
  bench.run(4);
  bench.order({ side: 'buy', size: 1, order_type: 'market' });
  const sized = { size: 5_000, order_type: 'limit', price_from: { ...band('upper'), track: true } };
  const { order_id: id } = bench.order({ side: 'sell', reduce_only: true, ...sized });
  bench.run(1);
  expect(bench.call('orders.get', { pathParams: { id } }).price).toBe(88);
});
