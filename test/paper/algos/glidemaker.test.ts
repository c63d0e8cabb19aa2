import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';
import { launchInto } from './algoBench.ts';

const strategies = fc.constantFrom('passive', 'balanced', 'aggressive');
const seeds = fc.integer({ min: 0, max: 1_000_000 });
const sides = fc.constantFrom('buy' as const, 'sell' as const);

test('never fills past its limit, and only the aggressive mode takes', () => {
  fc.assert(
    fc.property(seeds, sides, strategies, (seed, side, strategy) => {
      const limit = side === 'buy' ? 100.2 : 99.8;
      const params = { strategy, limit_price: limit };
      const run = launchInto(seed, { algo: 'glidemaker', side, total_size: 50, params });
      run.runOut();
      const sign = side === 'buy' ? 1 : -1;
      for (const fill of run.fills()) {
        expect(sign * (limit - fill.price)).toBeGreaterThanOrEqual(0);
        if (strategy !== 'aggressive') expect(fill.liquidity).toBe('maker');
      }
      const filled = run.fills().reduce((sum, { size }) => sum + size, 0);
      expect(filled).toBeCloseTo(run.record().filled_size, 9);
      expect(filled).toBeLessThanOrEqual(50 + 1e-9);
    }),
    { numRuns: 60 },
  );
});

describe('following the best price', () => {
  const launch = (strategy: string, rows: Row[], limit = 101) => {
    const bench = createBench({ feeds: [feedOf([...flat(100, 5), ...rows])], halfSpreadBps: 5 });
    bench.run(5);
    const body = {
      algo: 'glidemaker',
      symbol: 'BTC',
      side: 'buy',
      total_size: 5,
      params: { strategy, limit_price: limit },
    };
    const { execution_id: id } = bench.call('executions.launch', { body });
    const resting = () => bench.call('orders.list').items[0];
    return { ...bench, id, resting };
  };

  test('passive joins the best price, balanced improves by a tick', () => {
    expect(launch('passive', flat(100, 5)).resting()).toMatchObject({
      price: 99.95,
      time_in_force: 'post_only',
      size: 5,
    });
    expect(launch('balanced', flat(100, 5)).resting().price).toBe(99.96);
  });

  test('below a power of ten the tick is the finer one', () => {
    const bench = createBench(
      { feeds: [feedOf(flat(9_995, 10))], halfSpreadBps: 5 },
      { balance: 1_000_000 },
    );
    bench.run(5);
    expect(bench.engine.market.quote('BTC').ask).toBe(10_000);
    const params = { strategy: 'balanced', limit_price: 9_900 };
    const request = { algo: 'glidemaker', symbol: 'BTC', side: 'sell', total_size: 5, params };
    bench.call('executions.launch', { body: request });
    expect(bench.call('orders.list').items[0].price).toBe(9999.9);
  });

  test('it follows the best price with one order, and stops at its limit', () => {
    const rows: Row[] = [[100, 100.5, 100, 100.5, 1_000], ...flat(102, 3)];
    const { resting, run } = launch('passive', rows);
    const first = resting();
    run(1);
    expect(resting()).toMatchObject({ order_id: first.order_id, price: 100.45 });
    run(1);
    expect(resting()).toMatchObject({ order_id: first.order_id, price: 101 });
  });

  test('aggressive crosses what has rested for longer than one bar', () => {
    const { run, call, id } = launch('aggressive', flat(100, 5));
    run(1);
    expect(call('executions.get', { pathParams: { id } }).filled_size).toBe(0);
    run(1);
    const record = call('executions.get', { pathParams: { id } });
    expect(record).toMatchObject({ status: 'completed', filled_size: 5 });
    const [fill] = call('executions.fills', { pathParams: { id } }).items;
    expect(fill.liquidity).toBe('taker');
    expect(fill.time - (START + 5 * MINUTE)).toBeGreaterThan(MINUTE);
  });
});

test('a buyer and a seller rest at the same distance, and cross where their limit allows it', () => {
  const drawn = fc.record({
    side: sides,
    strategy: strategies,
    halfSpreadBps: fc.constantFrom(1, 2, 5),
    /** Of the mark, in the direction that is worse. */
    limit: fc.constantFrom(-0.2, -0.05, -0.04, 0, 0.01, 0.05, 0.2),
  });
  fc.assert(
    fc.property(drawn, ({ side, strategy, halfSpreadBps, limit: worse }) => {
      const cents = (price: number): number => Math.round(price * 100) / 100;
      const sign = side === 'buy' ? 1 : -1;
      const bench = createBench({ feeds: [feedOf(flat(100, 12))], halfSpreadBps });
      bench.run(5);
      const half = halfSpreadBps / 100;
      const [near, far] = [cents(100 - sign * half), cents(100 + sign * half)];
      const limit = cents(100 + sign * worse);
      const params = { strategy, limit_price: limit };
      const body = { algo: 'glidemaker', symbol: 'BTC', side, total_size: 2, params };
      const { execution_id: id } = bench.call('executions.launch', { body });
      const improved = cents(near + sign * 0.01);
      const wanted = strategy !== 'passive' && sign * (far - improved) > 0 ? improved : near;
      const price = sign * (limit - wanted) < 0 ? limit : wanted;
      const shown = () =>
        bench.call('orders.list').items.map((one: { price: number }) => one.price);
      expect(shown()).toEqual([price]);
      bench.run(1);
      expect(shown()).toEqual([price]);
      bench.run(1);
      const record = bench.call('executions.get', { pathParams: { id } });
      // Just at its limit the market offers nothing that a taker would not move.
      const crosses = strategy === 'aggressive' && sign * (limit - far) > 0.001;
      expect([record.filled_size > 0, shown().length]).toEqual([crosses, crosses ? 0 : 1]);
      if (crosses) expect(sign * (limit - record.average_price)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 120 },
  );
});

test('EXE-5: its limit follows an indicator level; stopping it frees the row', () => {
  const rows: Row[] = [[100, 101, 100, 101, 1_000], [101, 102, 101, 102, 1_000], ...flat(102, 3)];
  const bench = createBench({ feeds: [feedOf([...flat(100, 5), ...rows])] });
  bench.run(5);
  const level = { indicator: 'sma', params: { period: 2 }, interval: '1m' };
  const body = {
    algo: 'glidemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 5,
    params: { strategy: 'passive', limit_price_from: { ...level, track: true } },
  };
  const launched = bench.call('executions.launch', { body });
  expect(launched).toMatchObject({
    price_from_resolution: { price: 100, indicator_value: 100 },
    entry_track: { watch_id: 'wat_1', min_move_bps: 5, max_drift_bps: 500 },
  });
  bench.run(1);
  expect(bench.call('orders.list').items[0].price).toBe(100.5);
  expect(bench.named('entry_moved')).toMatchObject([
    { data: { execution_id: launched.execution_id, trigger_price: 100.5 } },
  ]);
  bench.call('executions.stop', { pathParams: { id: launched.execution_id } });
  expect(bench.named('entry_retired')).toHaveLength(1);
  expect(bench.engine.snapshot('tpsl.watch', 'main', {})).toEqual({ rows: [] });
});

test.each([
  ['buy', [100, 104, 108, 112]],
  ['sell', [100, 104, 108, 112]],
] as const)('a %s follows the price only as far as the funds go', (side, prices) => {
  const rows = prices.map((to, at): Row => {
    const from = prices[at - 1] ?? to;
    return [from, to, from, to, 0];
  });
  const limit_price = side === 'buy' ? 200 : 50;
  const params = { strategy: 'passive', limit_price };
  const priceAfter = (balance: number) => {
    const bench = createBench({ feeds: [feedOf(rows)] }, { balance });
    bench.run(1);
    const body = { algo: 'glidemaker', symbol: 'BTC', side, total_size: 100, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    bench.run(3);
    expect(bench.call('executions.get', { pathParams: { id } }).status).toBe('running');
    return bench.call('orders.list').items[0].price;
  };
  expect(priceAfter(10_000)).toBeCloseTo(112, 1);
  // The margin of 100 at 108 and a little more.
  expect(priceAfter(1_081)).toBeLessThanOrEqual(108.1);
});
