import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';
import { launchInto } from './algoBench.ts';

const seeds = fc.integer({ min: 0, max: 1_000_000 });

test('only reduces, acts only once stop or take was touched, and posts first', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 0, max: 120 }), fc.boolean(), (seed, patience, isLong) => {
      const [stop, take] = isLong ? [99, 101] : [101, 99];
      const params = { stop_price: stop, take_price: take, patience_seconds: patience };
      const side = isLong ? ('sell' as const) : ('buy' as const);
      const launch = {
        algo: 'smartexit',
        side,
        total_size: 30,
        reduce_only: true,
        params,
      } as const;
      const run = launchInto(seed, launch, { held: isLong ? 20 : -20 });
      run.runOut();
      const record = run.record();
      const [position] = run.call('positions.list').items;
      const sign = isLong ? 1 : -1;
      expect(
        sign * (position?.side === 'short' ? -position.size : (position?.size ?? 0)),
      ).toBeCloseTo(20 - record.filled_size, 9);
      expect(run.orders().every((order: { reduce_only: boolean }) => order.reduce_only)).toBe(true);
      const bars = Array.from(run.feed.low, (low, index) => ({ low, high: run.feed.high[index]! }));
      const touched = bars.slice(5).some(({ low, high }) => low <= 99 || high >= 101);
      if (!touched) {
        expect(record).toMatchObject({ phase: 'armed', filled_size: 0 });
        return;
      }
      const first = run.orders().at(-1);
      const takers = run.fills().filter(({ liquidity }) => liquidity === 'taker');
      for (const fill of takers) {
        expect(fill.time - first.created_time).toBeGreaterThanOrEqual(patience * 1_000);
      }
    }),
    { numRuns: 60 },
  );
});

describe('a long position', () => {
  const launch = (rows: Row[], params: object = { stop_price: 98, take_price: 105 }) => {
    const bench = createBench({ feeds: [feedOf([...flat(100, 5), ...rows])] });
    bench.run(5);
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    const body = {
      algo: 'smartexit',
      symbol: 'BTC',
      side: 'sell',
      total_size: 10,
      reduce_only: true,
      params,
    };
    const { execution_id: id } = bench.call('executions.launch', { body });
    const record = () => bench.call('executions.get', { pathParams: { id } });
    return { ...bench, id, record };
  };

  test('at the stop it posts at the best price, and takes the rest when its patience ends', () => {
    const { engine, record, call } = launch([[100, 100, 97, 97, 1_000], ...flat(97, 5)]);
    // The low is at two thirds; the stop of 98 is two thirds of the way down.
    const touched = START + 5 * MINUTE + 20_000 + 13_334;
    engine.advanceTo(touched);
    expect(record()).toMatchObject({ phase: 'working', filled_size: 0 });
    expect(call('orders.list').items).toMatchObject([{ time_in_force: 'post_only', side: 'sell' }]);
    engine.advanceTo(touched + 29_999);
    expect(record().filled_size).toBe(0);
    engine.advanceTo(touched + 30_000);
    expect(record()).toMatchObject({ status: 'completed', reason: 'filled', filled_size: 10 });
  });

  test('without patience it takes all at the very moment of the touch', () => {
    const { engine, record, call } = launch([[100, 100, 97, 97, 1_000], ...flat(97, 5)], {
      stop_price: 98,
      patience_seconds: 0,
    });
    engine.advanceTo(START + 5 * MINUTE + 20_000 + 13_334);
    expect(record()).toMatchObject({ status: 'completed', reason: 'filled', filled_size: 10 });
    expect(call('orders.list').items).toEqual([]);
  });

  test('it leaves whatever the spread and the wallet’s slippage are, as a stop at the venue does', () => {
    for (const slippage of [0, 50]) {
      const rows: Row[] = [...flat(100, 5), [100, 100, 97, 97, 1_000], ...flat(97, 5)];
      const bench = createBench({ feeds: [feedOf(rows)], halfSpreadBps: 60 });
      bench.run(5);
      bench.order({ side: 'buy', size: 10, order_type: 'market', slippage_bps: 100 });
      bench.call('account.updateSettings', { body: { default_slippage_bps: slippage } });
      const params = { stop_price: 98 };
      const launch = { algo: 'smartexit', symbol: 'BTC', side: 'sell', total_size: 10, params };
      const { execution_id: id } = bench.call('executions.launch', {
        body: { ...launch, reduce_only: true },
      });
      bench.run(5);
      const record = bench.call('executions.get', { pathParams: { id } });
      expect(record).toMatchObject({ status: 'completed', reason: 'filled', filled_size: 10 });
      const [fill] = bench.call('orders.fills').items;
      expect(fill.price).toBeCloseTo(96.42 * (1 - 0.001 * (10 / 1_000)), 6);
    }
  });

  test('a pause does not use up its patience', () => {
    const { engine, record, call, id } = launch([[100, 100, 97, 97, 1_000], ...flat(97, 5)]);
    const touched = START + 5 * MINUTE + 20_000 + 13_334;
    engine.advanceTo(touched + 10_000);
    call('executions.pause', { pathParams: { id } });
    engine.advanceTo(touched + 50_000);
    call('executions.resume', { pathParams: { id } });
    engine.advanceTo(touched + 69_999);
    expect(record()).toMatchObject({ phase: 'working', filled_size: 0 });
    engine.advanceTo(touched + 70_000);
    expect(record().filled_size).toBe(10);
  });

  test('the take-profit works the same way on the other side', () => {
    const { run, record } = launch([[100, 106, 100, 106, 1_000], ...flat(106, 5)]);
    run(3);
    expect(record()).toMatchObject({ status: 'completed', filled_size: 10 });
    expect(record().average_price).toBeGreaterThan(105);
  });

  test('EXE-5: its stop follows an indicator level', () => {
    const rows: Row[] = [
      ...flat(98, 3),
      [98, 99, 98, 99, 1_000],
      [99, 100, 99, 100, 1_000],
      [100, 104, 100, 104, 1_000],
      [104, 104, 100, 100, 1_000],
      ...flat(100, 5),
    ];
    const bench = createBench({ feeds: [feedOf(rows)] });
    bench.run(5);
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    const level = { indicator: 'sma', params: { period: 3 }, interval: '1m' };
    const body = {
      algo: 'smartexit',
      symbol: 'BTC',
      side: 'sell',
      total_size: 10,
      reduce_only: true,
      params: { stop_price_from: { ...level, track: true } },
    };
    const { execution_id: id, ...launched } = bench.call('executions.launch', { body });
    expect(launched.price_from_resolution).toMatchObject({ price: 99 });
    bench.run(1);
    expect(bench.named('entry_moved')).toMatchObject([{ data: { trigger_price: 101 } }]);
    bench.run(3);
    // The price never returned to 99, the first level; at 101 it was leaving the range.
    expect(bench.call('executions.get', { pathParams: { id } })).toMatchObject({
      status: 'completed',
      filled_size: 10,
    });
  });

  test('TRK-7: its stop follows its level no longer once it was reached', () => {
    const rows: Row[] = [
      ...flat(98, 3),
      [98, 99, 98, 99, 1_000],
      ...flat(100, 2),
      [100, 104, 100, 104, 1_000],
      [104, 104, 100, 100, 1_000],
      ...flat(103, 6),
    ];
    const bench = createBench({ feeds: [feedOf(rows)] });
    bench.run(5);
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    const level = { indicator: 'sma', params: { period: 3 }, interval: '1m' };
    const params = { stop_price_from: { ...level, track: true }, patience_seconds: 3_600 };
    const { execution_id: id, entry_track: track } = bench.call('executions.launch', {
      body: {
        algo: 'smartexit',
        symbol: 'BTC',
        side: 'sell',
        total_size: 10,
        reduce_only: true,
        params,
      },
    });
    bench.run(2);
    expect(bench.named('entry_retired')).toEqual([]);
    const moved = bench.named('entry_moved').length;
    bench.run(1);
    const record = () => bench.call('executions.get', { pathParams: { id } });
    expect(record()).toMatchObject({ phase: 'working', entry_track: track });
    expect(bench.named('entry_retired')).toHaveLength(1);
    // The row is free, and the average moves on alone.
    expect(bench.engine.snapshot('tpsl.watch', 'main', {})).toEqual({ rows: [] });
    bench.run(3);
    expect(bench.named('entry_moved')).toHaveLength(moved);
    expect(bench.named('entry_retired')).toHaveLength(1);
  });
});

describe('LEG-8, RULE-2: what would act at once is no exit', () => {
  /** A mark of 100 under an average of 102, over one of 98. */
  const RISEN: Row[] = [...flat(96, 3), ...flat(100, 3)];
  const FALLEN: Row[] = [...flat(104, 3), ...flat(100, 3)];
  const average = { indicator: 'sma', params: { period: 6 }, interval: '1m' };

  const open = (side: 'sell' | 'buy', rows = flat(100, 6)) => {
    const bench = createBench({ feeds: [feedOf([...rows, ...flat(100, 5)])] });
    bench.run(6);
    const entry = side === 'sell' ? 'buy' : 'sell';
    bench.order({ side: entry, size: 10, order_type: 'market' });
    const body = (params: object) => ({
      algo: 'smartexit',
      symbol: 'BTC',
      side,
      total_size: 10,
      reduce_only: true,
      params,
    });
    bench.events.length = 0;
    return { ...bench, body };
  };
  const stop = 'params.stop_price';
  const take = 'params.take_price';

  test.each([
    ['sell', { stop_price: 120 }, stop, 120],
    ['sell', { stop_price: 100 }, stop, 100],
    ['sell', { stop_price: 98, take_price: 80 }, take, 80],
    ['sell', { stop_price: 98, take_price: 100 }, take, 100],
    ['buy', { stop_price: 80 }, stop, 80],
    ['buy', { stop_price: 100 }, stop, 100],
    ['buy', { stop_price: 102, take_price: 120 }, take, 120],
    ['buy', { stop_price: 102, take_price: 100 }, take, 100],
  ] as const)('%s %j', (side, params, path, price) => {
    const { refusal, body, call, events } = open(side);
    expect(refusal('executions.launch', { body: body(params) })).toMatchObject({
      code: 'wrong_side_trigger',
      status: 422,
      details: { resolved_value: price, anchor_price: 100, path },
    });
    // A basket says of which leg, and a close by the algorithm is no other launch.
    expect(refusal('baskets.launch', { body: { legs: [body(params)] } }).details).toMatchObject({
      path: `legs.0.${path}`,
    });
    const close = { pathParams: { symbol: 'BTC' }, body: { algo: 'smartexit', params } };
    expect(refusal('positions.close', close).code).toBe('wrong_side_trigger');
    expect(call('executions.list').items).toEqual([]);
    expect(events).toEqual([]);
  });

  test.each([
    ['sell', FALLEN, 102],
    ['buy', RISEN, 98],
    ['sell', flat(100, 6), 100],
    ['buy', flat(100, 6), 100],
  ] as const)('%s: a level that is read, and one that is followed: %#', (side, rows, level) => {
    const { refusal, body, events } = open(side, [...rows]);
    const refusalOf = (from: object) =>
      refusal('executions.launch', { body: body({ stop_price_from: from }) });
    const path = 'params.stop_price_from';
    expect(refusalOf(average)).toMatchObject({
      code: 'wrong_side_trigger',
      details: { resolved_value: level, anchor_price: 100, path },
    });
    expect(refusalOf({ ...average, track: true })).toMatchObject({
      code: 'would_cross',
      status: 422,
      details: { price: level, mark: 100, path },
    });
    expect(events).toEqual([]);
  });

  test.each([
    ['sell', RISEN, { stop_price: 99.99, take_price: 100.01 }],
    ['buy', FALLEN, { stop_price: 100.01, take_price: 99.99 }],
    ['sell', RISEN, { stop_price_from: average }],
    ['buy', FALLEN, { stop_price_from: { ...average, track: true } }],
  ] as const)('%s: on its own side it waits: %#', (side, rows, params) => {
    const { call, body, run } = open(side, [...rows]);
    const { execution_id: id } = call('executions.launch', { body: body(params) });
    run(2);
    expect(call('executions.get', { pathParams: { id } })).toMatchObject({
      phase: 'armed',
      status: 'running',
    });
  });

  test('a monitor judges it when it acts, and fails by it', () => {
    const rows: Row[] = [...flat(100, 6), [100, 104, 100, 104], ...flat(104, 5)];
    for (const [stop_price, status] of [
      [103.99, 'fired'],
      [104, 'failed'],
    ] as const) {
      const { call, run, body } = open('sell', rows);
      const { monitor_id: id } = call('monitors.create', {
        body: {
          trigger: { type: 'price_level', symbol: 'BTC', price: 104, direction: 'above' },
          action: { type: 'execute', request: body({ stop_price }) },
        },
      });
      run(2);
      const code = status === 'failed' ? { code: 'wrong_side_trigger' } : null;
      const monitor = call('monitors.get', { pathParams: { id } });
      expect(monitor.status).toBe(status);
      if (code === null) expect(monitor.last_error).toBeNull();
      else expect(monitor.last_error).toMatchObject(code);
    }
  });
});
