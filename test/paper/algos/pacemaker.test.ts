import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pacemaker } from '../../../src/paper/algos/pacemaker.ts';
import { holdLaw } from '../../holdLaw.ts';
import { createBench, feedOf, flat } from '../engine/bench.ts';
import { launchInto } from './algoBench.ts';

const seeds = fc.integer({ min: 0, max: 1_000_000 });

test('never ahead of its schedule by more than one slice, ended at the end', () => {
  fc.assert(
    fc.property(
      seeds,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 60, max: 1_800 }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      (seed, slices, duration, randomize) => {
        const params = { duration_seconds: duration, slices, randomize };
        const launch = { algo: 'pacemaker', side: 'buy', total_size: 40, params } as const;
        const run = launchInto(seed, launch, { volume: 100 });
        run.runOut();
        let filled = 0;
        for (const fill of run.fills()) {
          filled += fill.size;
          const elapsed = (fill.time - run.launched.created_time) / (duration * 1_000);
          expect(filled).toBeLessThanOrEqual(40 * (elapsed + 1 / slices) + 1e-6);
          expect(elapsed).toBeLessThanOrEqual(1);
        }
        const record = run.record();
        expect(['filled', 'time_limit']).toContain(record.reason);
        expect(record.ended_time - record.created_time).toBeLessThanOrEqual(duration * 1_000);
      },
    ),
    { numRuns: 60 },
  );
});

test('equal slices at equal distances', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 60))] });
  bench.run(5);
  const params = { duration_seconds: 600, slices: 4 };
  const body = { algo: 'pacemaker', symbol: 'BTC', side: 'sell', total_size: 8, params };
  const { execution_id: id, created_time: from } = bench.call('executions.launch', { body });
  bench.run(15);
  const fills = bench.call('executions.fills', { pathParams: { id } }).items.toReversed();
  expect(fills.map(({ size }: { size: number }) => size)).toEqual([2, 2, 2, 2]);
  expect(fills.map(({ time }: { time: number }) => (time - from) / 1_000)).toEqual([
    0, 150, 300, 450,
  ]);
});

test('it waits outside its limit, and catches up once the price returns', () => {
  const rows = [...flat(100, 5), ...flat(103, 3), ...flat(100, 20)];
  const bench = createBench({ feeds: [feedOf(rows)] });
  bench.run(5);
  const params = { duration_seconds: 600, slices: 10, limit_price: 101 };
  const body = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 10, params };
  const { execution_id: id } = bench.call('executions.launch', { body });
  const filled = () => bench.call('executions.get', { pathParams: { id } }).filled_size;
  bench.run(3);
  expect(filled()).toBe(1);
  bench.run(1);
  expect(filled()).toBe(5);
});

test('ends with time_limit if unfilled after its duration', () => {
  const bench = createBench({ feeds: [feedOf([...flat(100, 5), ...flat(103, 30)])] });
  bench.run(5);
  const params = { duration_seconds: 300, slices: 5, limit_price: 101 };
  const body = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 10, params };
  const { execution_id: id, created_time: from } = bench.call('executions.launch', { body });
  bench.run(20);
  const record = bench.call('executions.get', { pathParams: { id } });
  expect(record).toMatchObject({ status: 'stopped', reason: 'time_limit', filled_size: 2 });
  expect(record.ended_time - from).toBe(300_000);
});

/** Without `slices`, for so many minutes. */
function slicesOf(minutes: number, given: { size: number; price: number; least: number }): number {
  return pacemaker.begin({
    now: 0,
    launch: { params: { duration_seconds: minutes * 60 } },
    remaining: given.size,
    mark: given.price,
    instrument: { min_order_value: given.least },
  } as never).slices;
}

test('without slices there are as many as the value holds minimums, in decimal', async () => {
  // The quotients of doubles are 6.999999999999999.
  expect(slicesOf(60, { size: 0.7, price: 101, least: 10.1 })).toBe(7);
  expect(slicesOf(60, { size: 0.35, price: 202, least: 10.1 })).toBe(7);
  const drawn = fc.record({
    count: fc.integer({ min: 1, max: 1_200 }),
    /** Tenths. */
    least: fc.integer({ min: 1, max: 500 }),
    of: fc.constantFrom(1, 2, 4, 5, 8, 10, 20, 40),
    /** Thousandths of the size beside the bound. */
    off: fc.constantFrom(0, 0, -1, 1),
    minutes: fc.constantFrom(5, 30, 1_440),
  });
  await holdLaw(500, drawn, ({ count, least, of, off, minutes }) => {
    const [size, price] = [Math.max(1, (count * 1_000) / of + off), least * of];
    const held = Number((BigInt(size) * BigInt(price)) / (BigInt(least) * 1_000n));
    expect(slicesOf(minutes, { size: size / 1_000, price: price / 10, least: least / 10 })).toBe(
      Math.max(1, Math.min(held, minutes, 1_000)),
    );
  });
});

test('without a limit it keeps to the slippage that the wallet has now', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 20))], halfSpreadBps: 60 });
  bench.run(1);
  const params = { duration_seconds: 600, slices: 10 };
  const body = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 10, params };
  const { execution_id: id } = bench.call('executions.launch', { body });
  const orders = () => bench.call('executions.orders', { pathParams: { id } }).items.length;
  bench.run(3);
  expect(orders()).toBe(0);
  bench.call('account.updateSettings', { body: { default_slippage_bps: 61 } });
  bench.run(1);
  expect(bench.call('executions.get', { pathParams: { id } }).filled_size).toBe(5);
});
