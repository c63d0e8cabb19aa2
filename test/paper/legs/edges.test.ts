import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LIMITS, toValidPrice } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat, walk, type Row } from '../engine/bench.ts';

const SYMBOL = { pathParams: { symbol: 'BTC' } };
const quiet: Row = [100, 101, 99, 100, 1_000];

function opened(rows: Row[], { side = 'buy', size = 1 } = {}) {
  const bench = createBench({
    feeds: [feedOf([...Array.from({ length: 3 }, () => quiet), ...rows])],
  });
  bench.run(3);
  if (size > 0) bench.order({ side, size, order_type: 'market' });
  const attach = (body: unknown) => bench.call('positions.attachLegs', { ...SYMBOL, body });
  const legs = () => bench.call('positions.legs', { ...SYMBOL, query: {} }).items;
  const position = () => bench.call('positions.list').items[0];
  return { ...bench, attach, legs, position };
}
const movedTo = (events: ReadonlyArray<{ data: unknown }>): number[] =>
  events.map(({ data }) => (data as { trigger_price: number }).trigger_price);

test('LEG-4, LEG-5: a trail of either side and kind tightens with closes only, and fires where it is', () => {
  const drawn = fc.record({
    seed: fc.nat(100_000),
    isLong: fc.boolean(),
    isStop: fc.boolean(),
    pct: fc.constantFrom(0.4, 1, 2),
    least: fc.constantFrom(1, 20, 60),
  });
  fc.assert(
    fc.property(drawn, ({ seed, isLong, isStop, pct, least }) => {
      const rows = walk(`trail ${seed}`, 25, { price: 100, move: 0.012 });
      const side = isLong ? 'buy' : 'sell';
      const bench = opened(rows, { side });
      const trail = { pct, interval: '1m', min_move_bps: least };
      const { legs } = bench.attach({ [isStop ? 'stop_loss' : 'take_profit']: { trail } });
      const instrument = bench.engine.market.instruments.find(({ symbol }) => symbol === 'BTC')!;
      // Below the price for a long's stop and a short's take-profit.
      const beyond = isStop === isLong ? -1 : 1;
      const from = (close: number): number =>
        toValidPrice(close * (1 + (beyond * pct) / 100), instrument);
      let trigger = from(100);
      expect((legs.stop_loss ?? legs.take_profit).resolution.trigger_price).toBe(trigger);
      const expected: number[] = [];
      let hasFired = false;
      for (const [, high, low, close] of rows) {
        hasFired ||= beyond < 0 ? low <= trigger : high >= trigger;
        if (hasFired) break;
        const next = from(close);
        const isTighter = beyond * (next - trigger) < 0;
        const isPast = !isStop && beyond * (next - close) <= 0;
        const bps = (Math.abs(next - trigger) / trigger) * 10_000;
        if (!isTighter || isPast || bps < least) continue;
        trigger = next;
        expected.push(next);
      }
      bench.run(rows.length);
      expect(movedTo(bench.named('trail_moved'))).toEqual(expected);
      expect(bench.named('leg_triggered')).toHaveLength(hasFired ? 1 : 0);
      expect(bench.position() === undefined).toBe(hasFired);
    }),
    { numRuns: 60 },
  );
});

test('LEG-5: a move of exactly the least size counts', () => {
  const rows: Row[] = [[100, 102, 100, 102, 1_000], ...flat(102, 3)];
  const exact = (Math.abs(99.96 - 98) / 98) * 10_000;
  for (const [least, moved] of [
    [exact, [99.96]],
    [exact + 1e-6, []],
  ] as const) {
    const { attach, run, named } = opened(rows);
    attach({ stop_loss: { trail: { pct: 2, interval: '1m', min_move_bps: least } } });
    run(1);
    expect(movedTo(named('trail_moved'))).toEqual(moved);
  }
});

describe('a leg that has ended', () => {
  test('does nothing when its price is reached', () => {
    const { attach, call, run, position } = opened([...flat(100, 1), ...flat(90, 3)]);
    attach({ stop_loss: { price: 95 }, take_profit: { price: 110 } });
    call('positions.retireLegs', SYMBOL);
    run(3);
    expect(position()).toMatchObject({ size: 1 });
  });

  test('is not moved by the bars that follow', () => {
    const { attach, call, run, named } = opened([[100, 104, 100, 104, 1_000], ...flat(104, 3)]);
    attach({ stop_loss: { trail: { pct: 2, interval: '1m' } } });
    call('positions.retireLegs', SYMBOL);
    run(3);
    expect(named('trail_moved')).toEqual([]);
  });
});

describe('what a leg protects', () => {
  const entry = (size: number, more: object) => ({
    side: 'buy',
    size,
    order_type: 'market',
    ...more,
  });

  test('a position’s leg follows its size, an entry’s leg its fill, and an unwinding one what was attached', () => {
    const { attach, legs, order, call } = opened(flat(100, 5), { size: 2 });
    attach({
      stop_loss: { price: 90 },
      take_profit: {
        price: 120,
        exit_style: 'algo_unwind',
        unwind_algo: 'pacemaker',
        unwind_params: { duration_seconds: 60 },
      },
    });
    const { order_id: id } = order(entry(3, { stop_loss: { price: 91 } }));
    const sizes = (): unknown[] =>
      legs().map((leg: { kind: string; coupled: boolean; size: number }) => [
        leg.kind,
        leg.coupled,
        leg.size,
      ]);
    expect(sizes()).toEqual(
      expect.arrayContaining([
        ['stop_loss', true, 5],
        ['take_profit', true, 2],
      ]),
    );
    const own = () => call('orders.get', { pathParams: { id } }).stop_loss;
    expect(own()).toMatchObject({ coupled: false, size: 3, status: 'armed' });
    order({ side: 'sell', size: 4, order_type: 'market' });
    expect(sizes()).toEqual(expect.arrayContaining([['stop_loss', true, 1]]));
  });

  test('an entry’s leg closes no more than is left of the position', () => {
    const { order, run, call, position } = opened([...flat(100, 1), ...flat(94, 3)], { size: 0 });
    const { order_id: id } = order(entry(5, { stop_loss: { price: 95 } }));
    order({ side: 'sell', size: 2, order_type: 'market' });
    run(2);
    expect(position()).toBeUndefined();
    expect(call('orders.get', { pathParams: { id } }).stop_loss).toMatchObject({
      status: 'triggered',
      size: 3,
    });
    const [exit] = call('orders.history').items;
    expect(exit).toMatchObject({ side: 'sell', size: 3, filled_size: 3, status: 'filled' });
  });

  test('legs of an entry stay when the position gets its own, and when those retire', () => {
    const { order, attach, call, legs } = opened(flat(100, 3), { size: 0 });
    const { order_id: id } = order(entry(5, { stop_loss: { price: 90 } }));
    attach({ stop_loss: { price: 92 } });
    attach({ stop_loss: { price: 93 } });
    const own = () => call('orders.get', { pathParams: { id } }).stop_loss;
    expect(own().status).toBe('armed');
    const { legs: retired } = call('positions.retireLegs', SYMBOL);
    expect(retired.stop_loss.resolution.trigger_price).toBe(93);
    expect(legs()).toEqual([own()]);
    expect(own()).toMatchObject({ status: 'armed', coupled: false });
  });

  test('another symbol’s legs stay when a position is closed', () => {
    const feeds = ['BTC', 'ETH'].map((symbol) => feedOf(flat(100, 6), { symbol }));
    const { order, run, call } = createBench({ feeds });
    run(1);
    for (const symbol of ['BTC', 'ETH']) {
      order({ symbol, ...entry(1, {}) });
      call('positions.attachLegs', { pathParams: { symbol }, body: { stop_loss: { price: 90 } } });
    }
    call('positions.close', SYMBOL);
    const [leg] = call('positions.legs', { pathParams: { symbol: 'ETH' } }).items;
    expect(leg).toMatchObject({ symbol: 'ETH', status: 'armed' });
  });

  test('LEG-4: a trail of an entry starts from the price at which it filled', () => {
    const { order } = opened(flat(100, 3), { size: 0 });
    // It crosses, and fills far better than its limit.
    const made = order({
      side: 'buy',
      size: 1,
      order_type: 'limit',
      price: 105,
      stop_loss: { trail: { pct: 2, interval: '1m' } },
    });
    expect(made.status).toBe('filled');
    expect(made.stop_loss.resolution).toMatchObject({
      anchor: 'entry',
      anchor_price: made.average_price,
    });
    expect(made.stop_loss.resolution.trigger_price).toBeCloseTo(made.average_price * 0.98, 1);
  });
});

describe('an attach that is refused', () => {
  test('leaves the legs before as they are, whichever leg was refused', () => {
    const { attach, legs, refusal } = opened(flat(100, 3), { size: 0.2 });
    attach({ stop_loss: { price: 90 } });
    const unwind = {
      exit_style: 'algo_unwind',
      unwind_algo: 'glidemaker',
      unwind_params: { strategy: 'passive' },
    };
    const refused = refusal('positions.attachLegs', {
      ...SYMBOL,
      body: { stop_loss: { price: 95 }, take_profit: { price: 110, ...unwind } },
    });
    expect(refused.code).toBe('below_algo_minimum');
    expect(legs()).toMatchObject([{ status: 'armed', resolution: { trigger_price: 90 } }]);
  });

  test('RULE-1: a price off the grid is no leg', () => {
    const { refusal } = opened(flat(100, 3));
    const body = { stop_loss: { price: 95.1234 } };
    expect(refusal('positions.attachLegs', { ...SYMBOL, body }).code).toBe('validation_failed');
  });
});

test('LEG-11: a trail that replaces a trail needs no further row', () => {
  const symbols = Array.from({ length: LIMITS.maintainedRows }, (_none, at) => `C${at}`);
  const feeds = symbols.map((symbol) => feedOf(flat(100, 5), { symbol }));
  const instruments = Object.fromEntries(symbols.map((symbol) => [symbol, { price_decimals: 2 }]));
  const { order, run, call, refusal } = createBench({ feeds, instruments });
  run(1);
  const attach = (symbol: string, body: object) => ({ pathParams: { symbol }, body });
  const trail = (pct: number) => ({ trail: { pct, interval: '1m' } });
  for (const symbol of symbols) {
    order({ symbol, side: 'buy', size: 1, order_type: 'market' });
    call('positions.attachLegs', attach(symbol, { stop_loss: trail(2) }));
  }
  const again = call('positions.attachLegs', attach('C0', { stop_loss: trail(3) }));
  expect(again.legs.stop_loss.status).toBe('armed');
  const one = refusal('positions.attachLegs', attach('C0', { take_profit: trail(3) }));
  expect(one.code).toBe('trailing_limit');
});

test('LEG-11: a trail that replaces a price needs a row', () => {
  const symbols = Array.from({ length: LIMITS.maintainedRows + 1 }, (_none, at) => `C${at}`);
  const feeds = symbols.map((symbol) => feedOf(flat(100, 5), { symbol }));
  const instruments = Object.fromEntries(symbols.map((symbol) => [symbol, { price_decimals: 2 }]));
  const { order, run, call, refusal } = createBench({ feeds, instruments });
  run(1);
  const attach = (symbol: string, leg: object) => ({
    pathParams: { symbol },
    body: { stop_loss: leg },
  });
  const trail = { trail: { pct: 2, interval: '1m' } };
  for (const [at, symbol] of symbols.entries()) {
    order({ symbol, side: 'buy', size: 1, order_type: 'market' });
    call('positions.attachLegs', attach(symbol, at === 0 ? { price: 90 } : trail));
  }
  expect(refusal('positions.attachLegs', attach('C0', trail)).code).toBe('trailing_limit');
});

test('LEG-5: two trails of one rule keep each to its own least move', () => {
  const rows: Row[] = [...flat(100, 5), [100, 101, 100, 101, 1e6], ...flat(101, 3, 1e6)];
  const { order, run, call } = createBench({ feeds: [feedOf(rows)] });
  run(3);
  const legOf = (least: number) => {
    const stop_loss = { trail: { pct: 2, interval: '1m' }, min_move_bps: least };
    return order({ side: 'buy', size: 1, order_type: 'market', stop_loss }).stop_loss.leg_id;
  };
  const ids = [legOf(500), legOf(1)];
  run(4);
  const { items } = call('positions.legs', { pathParams: { symbol: 'BTC' } });
  const triggerOf = (id: string) =>
    items.find((leg: { leg_id: string }) => leg.leg_id === id).resolution.trigger_price;
  expect(ids.map(triggerOf)).toEqual([98.01, 98.98]);
});
