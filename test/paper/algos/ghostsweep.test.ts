import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';
import { launchInto } from './algoBench.ts';

const seeds = fc.integer({ min: 0, max: 1_000_000 });
const sides = fc.constantFrom('buy' as const, 'sell' as const);

test('nothing rests, nothing fills before the trigger, nothing past the sweep limit', () => {
  fc.assert(
    fc.property(
      seeds,
      sides,
      fc.constantFrom(98.5, 99.5, 100.5, 101.5),
      fc.integer({ min: 0, max: 300 }),
      (seed, side, trigger, bps) => {
        const run = launchInto(seed, {
          algo: 'ghostsweep',
          side,
          total_size: 400,
          params: { trigger_price: trigger },
          sweep_limit_bps: bps,
        });
        const above = trigger >= 100;
        run.runOut();
        const sign = side === 'buy' ? 1 : -1;
        const fills = run.fills();
        expect(
          run
            .orders()
            .every(
              ({ order_type: type, time_in_force: tif }: Record<string, string>) =>
                type === 'limit' && tif === 'ioc',
            ),
        ).toBe(true);
        expect(run.orders().length).toBeLessThanOrEqual(1);
        for (const fill of fills) {
          expect(fill.liquidity).toBe('taker');
          const limit = trigger * (1 + (sign * bps) / 10_000);
          expect(sign * (limit - fill.price)).toBeGreaterThanOrEqual(-1e-9);
        }
        const touched = Array.from(above ? run.feed.high : run.feed.low).some(
          (price, index) => index >= 5 && (above ? price >= trigger : price <= trigger),
        );
        expect(run.record().phase).toBe(touched ? 'done' : 'armed');
      },
    ),
    { numRuns: 80 },
  );
});

describe('trigger and limit', () => {
  const rise: Row[] = [[100, 106, 100, 106, 1_000], ...flat(106, 5)];
  const launch = (body: Record<string, unknown>, rows: Row[] = rise) => {
    const bench = createBench({ feeds: [feedOf([...flat(100, 5), ...rows])] });
    bench.run(5);
    const sent = { algo: 'ghostsweep', symbol: 'BTC', side: 'buy', total_size: 5, ...body };
    const launched = bench.call('executions.launch', { body: sent });
    const record = () =>
      bench.call('executions.get', { pathParams: { id: launched.execution_id } });
    return { ...bench, launched, record };
  };

  test('it sweeps in the millisecond in which the mark reaches the trigger', () => {
    const { run, record, launched, call } = launch({ params: { trigger_price: 103 } });
    expect(launched).toMatchObject({ status: 'running', phase: 'armed' });
    run(1);
    expect(record()).toMatchObject({ status: 'completed', reason: 'filled' });
    const [fill] = call('orders.fills').items;
    // The low is the open, so the high is at two thirds.
    expect(fill.time).toBe(START + 5 * MINUTE + 30_000);
    expect(fill.price).toBeGreaterThan(103);
  });

  test.each(['buy', 'sell'])('a %s whose trigger is the mark has reached it', (side) => {
    const from = { indicator: 'sma', params: { period: 2 }, interval: '1m' };
    const calm = flat(100, 5);
    for (const trigger of [
      { params: { trigger_price: 100 } },
      { params: {}, trigger_from: from },
    ]) {
      const { launched, run, record } = launch({ side, ...trigger }, calm);
      expect(launched).toMatchObject({ status: 'running', phase: 'armed' });
      run(1);
      const { created_time: ended_time } = launched;
      expect(record()).toMatchObject({ status: 'completed', filled_size: 5, ended_time });
    }
  });

  test('ends with sweep_limit if unfilled at the sweep limit', () => {
    const { run, record } = launch({ params: { trigger_price: 103 }, sweep_limit: 103 });
    run(1);
    expect(record()).toMatchObject({ status: 'stopped', reason: 'sweep_limit', filled_size: 0 });
  });

  test('a sweep limit on the wrong side of the trigger can never fill and is refused', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 5))] });
    bench.run(2);
    const body = {
      algo: 'ghostsweep',
      symbol: 'BTC',
      side: 'buy',
      total_size: 5,
      params: { trigger_price: 103 },
      sweep_limit: 102,
    };
    expect(bench.refusal('executions.launch', { body }).details).toMatchObject({
      fields: [{ path: 'sweep_limit' }],
    });
  });

  test('TRK-1, EXE-4: a tracked trigger moves with its level, and the limit moves with it', () => {
    const rows: Row[] = [
      ...flat(100, 3),
      [100, 100, 98, 98, 1_000],
      [98, 100, 98, 100, 1_000],
      [100, 102, 100, 102, 1_000],
      [102, 102, 100, 100, 1_000],
      ...flat(100, 3),
    ];
    const bench = createBench({ feeds: [feedOf(rows)] });
    bench.run(5);
    const level = { indicator: 'sma', params: { period: 2 }, interval: '1m' };
    const body = {
      algo: 'ghostsweep',
      symbol: 'BTC',
      side: 'buy',
      total_size: 5,
      trigger_from: { ...level, track: true },
      sweep_limit_bps: 50,
    };
    const { execution_id: id, ...launched } = bench.call('executions.launch', { body });
    expect(launched.price_from_resolution).toMatchObject({ price: 99 });
    bench.run(1);
    expect(bench.named('entry_moved')).toMatchObject([
      { data: { execution_id: id, trigger_price: 101 } },
    ]);
    bench.run(1);
    expect(bench.call('executions.get', { pathParams: { id } }).status).toBe('completed');
    const [child] = bench.call('executions.orders', { pathParams: { id } }).items;
    // 101 × 1.005, on the grid and not above it.
    expect(child.price).toBe(101.5);
    expect(bench.named('entry_retired')).toHaveLength(1);
  });

  test('TRK-5: a level on the other side of the mark would sweep at once, so it holds', () => {
    const rows: Row[] = [
      ...flat(100, 3),
      [100, 100, 98, 98, 1_000],
      [98, 100, 98, 100, 1_000],
      [100, 100, 99.2, 99.2, 1_000],
      ...flat(99.2, 3),
    ];
    const bench = createBench({ feeds: [feedOf(rows)] });
    bench.run(5);
    const level = { indicator: 'sma', params: { period: 2 }, interval: '1m' };
    const trigger_from = { ...level, track: true };
    const launch = { algo: 'ghostsweep', symbol: 'BTC', side: 'buy', total_size: 5, trigger_from };
    const { execution_id: id } = bench.call('executions.launch', { body: launch });
    bench.run(1);
    expect(bench.named('entry_hold')).toMatchObject([{ data: { trigger_price: 99, level: 99.6 } }]);
    expect(bench.call('executions.get', { pathParams: { id } }).phase).toBe('armed');
  });

  test('a pause disables the trigger; a level crossed meanwhile acts on resumption', () => {
    const { run, call, launched, record } = launch({
      params: { trigger_price: 103 },
      sweep_limit_bps: 500,
    });
    const pathParams = { id: launched.execution_id };
    call('executions.pause', { pathParams });
    run(2);
    expect(record()).toMatchObject({ status: 'paused', filled_size: 0 });
    call('executions.resume', { pathParams });
    run(1);
    expect(record()).toMatchObject({ status: 'completed', filled_size: 5 });
  });
});

test.each([
  ['buy', 99.99, 100],
  ['sell', 100.01, 100],
] as const)(
  'a %s whose limit its resolved trigger can never reach is refused, as with a trigger that was sent',
  (side, beyond, at) => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20))] });
    bench.run(5);
    const from = { indicator: 'sma', params: { period: 2 }, interval: '1m' };
    const body = { algo: 'ghostsweep', symbol: 'BTC', side, total_size: 1, params: {} };
    const refused = (more: object) =>
      bench.refusal('executions.launch', { body: { ...body, ...more } }).details;
    const wrong = { fields: [{ path: 'sweep_limit', code: 'wrong_side' }] };
    expect(refused({ trigger_from: from, sweep_limit: beyond })).toMatchObject(wrong);
    expect(refused({ params: { trigger_price: 100 }, sweep_limit: beyond })).toMatchObject(wrong);
    const fits = { ...body, trigger_from: from, sweep_limit: at };
    expect(bench.call('executions.launch', { body: fits }).algo).toBe('ghostsweep');
  },
);
