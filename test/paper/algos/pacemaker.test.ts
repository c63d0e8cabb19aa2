import fc from 'fast-check';
import { expect, test } from 'vitest';
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
