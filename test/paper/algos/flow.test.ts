import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE } from '../engine/bench.ts';
import { launchInto, type FillRow } from './algoBench.ts';

const seeds = fc.integer({ min: 0, max: 1_000_000 });
const sides = fc.constantFrom('buy' as const, 'sell' as const);
const shares = fc.double({ min: 0.01, max: 0.5, noNaN: true });

/** Volume that the feed traded between two times, whole bars that have closed by then. */
function tradedBetween(
  feed: { time: Float64Array; volume: Float64Array },
  from: number,
  to: number,
): number {
  let sum = 0;
  feed.time.forEach((time, index) => {
    if (time >= from && time + MINUTE <= to) sum += feed.volume[index]!;
  });
  return sum;
}

function checkShare(run: ReturnType<typeof launchInto>, share: number): void {
  let filled = 0;
  for (const fill of run.fills()) {
    filled += fill.size;
    const traded = tradedBetween(run.feed, run.launched.created_time, fill.time);
    expect(filled).toBeLessThanOrEqual(share * traded + 1e-6);
  }
}

describe('flowscale', () => {
  test('never takes more than its share of the volume since its start', () => {
    fc.assert(
      fc.property(seeds, sides, shares, (seed, side, participation) => {
        const params = { participation };
        const launch = { algo: 'flowscale', side, total_size: 2_000, params } as const;
        const run = launchInto(seed, launch, { volume: 200 });
        run.runOut();
        checkShare(run, participation);
      }),
      { numRuns: 60 },
    );
  });

  test('EXE-8: each fill is an event, with the progress that it makes', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20, 100))] });
    bench.run(5);
    const params = { participation: 0.25 };
    const body = { algo: 'flowscale', symbol: 'BTC', side: 'buy', total_size: 100, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    bench.run(5);
    const { items } = bench.call('executions.events', { pathParams: { id } });
    const fills = bench.named('fill').map(({ data }) => data as { fill_id: string; time: number });
    const progress = (items as Array<{ event: string; detail: unknown; time: number }>)
      .filter(({ event }) => event === 'progress')
      .toSorted((one, other) => one.time - other.time);
    expect(progress.map(({ detail }) => detail)).toEqual(
      [0.25, 0.5, 0.75, 1].map((share, at) => ({ fill_id: fills[at]!.fill_id, progress: share })),
    );
    expect(progress.map(({ time }) => time)).toEqual(fills.map(({ time }) => time));
  });

  test("it keeps to its share bar by bar, also above the venue's usual cap", () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20, 100))] });
    bench.run(5);
    const params = { participation: 0.3 };
    const body = { algo: 'flowscale', symbol: 'BTC', side: 'buy', total_size: 100, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    const filled = () => bench.call('executions.get', { pathParams: { id } }).filled_size;
    expect(filled()).toBe(0);
    bench.run(1);
    expect(filled()).toBe(30);
    bench.run(2);
    expect(filled()).toBe(90);
    bench.run(1);
    expect(bench.call('executions.get', { pathParams: { id } }).status).toBe('completed');
  });

  test('a bar in progress at launch counts for its remaining time', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20, 100))] });
    bench.engine.advanceTo(bench.engine.now + 5.5 * MINUTE);
    const params = { participation: 0.1 };
    const body = { algo: 'flowscale', symbol: 'BTC', side: 'buy', total_size: 100, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    bench.run(0.5);
    expect(bench.call('executions.get', { pathParams: { id } }).filled_size).toBe(5);
  });

  test('a bar that closes with its time is the last that it takes of', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20, 100))] });
    bench.run(5);
    const params = { participation: 0.25, max_duration_seconds: 120 };
    const body = { algo: 'flowscale', symbol: 'BTC', side: 'buy', total_size: 200, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    bench.run(5);
    expect(bench.call('executions.get', { pathParams: { id } })).toMatchObject({
      status: 'stopped',
      reason: 'time_limit',
      filled_size: 50,
    });
  });

  test('max_duration_seconds ends it, time_limit; a limit price holds it back', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20, 100))] });
    bench.run(5);
    const params = { participation: 0.1, limit_price: 99, max_duration_seconds: 150 };
    const body = { algo: 'flowscale', symbol: 'BTC', side: 'buy', total_size: 100, params };
    const { execution_id: id, created_time: from } = bench.call('executions.launch', { body });
    bench.run(10);
    const record = bench.call('executions.get', { pathParams: { id } });
    expect(record).toMatchObject({ status: 'stopped', reason: 'time_limit', filled_size: 0 });
    expect(record.ended_time - from).toBe(150_000);
  });

  test('volume that trades during a pause does not count', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 30, 100))] });
    bench.run(5);
    const params = { participation: 0.1 };
    const body = { algo: 'flowscale', symbol: 'BTC', side: 'buy', total_size: 100, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    bench.run(1);
    bench.call('executions.pause', { pathParams: { id } });
    bench.run(10);
    bench.call('executions.resume', { pathParams: { id } });
    bench.run(1);
    expect(bench.call('executions.get', { pathParams: { id } }).filled_size).toBe(20);
  });

  test('after a pause, the bar in progress counts from the resumption', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 30, 100))] });
    bench.run(5);
    const params = { participation: 0.1 };
    const body = { algo: 'flowscale', symbol: 'BTC', side: 'buy', total_size: 100, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    bench.call('executions.pause', { pathParams: { id } });
    bench.run(2.5);
    bench.call('executions.resume', { pathParams: { id } });
    bench.run(0.5);
    expect(bench.call('executions.get', { pathParams: { id } }).filled_size).toBe(5);
  });
});

test.each(['flowscale', 'flowband'] as const)(
  '%s does not catch up the volume of its pause, though later bars have enough of it',
  (algo) => {
    const rows = [...flat(100, 7, 100), ...flat(100, 5, 900), ...flat(100, 10, 200)];
    const bench = createBench({ feeds: [feedOf(rows)] });
    bench.run(5);
    const band = algo === 'flowband' ? { band_low: 95, band_high: 105 } : {};
    const params = { participation: 0.02, ...band };
    const body = { algo, symbol: 'BTC', side: 'buy', total_size: 100, params };
    const pathParams = { id: bench.call('executions.launch', { body }).execution_id };
    const filled = (): number => bench.call('executions.get', { pathParams }).filled_size as number;
    bench.run(2);
    bench.call('executions.pause', { pathParams });
    bench.run(5);
    bench.call('executions.resume', { pathParams });
    expect(filled()).toBeCloseTo(0.02 * 200, 9);
    bench.run(3);
    expect(filled()).toBeCloseTo(0.02 * (200 + 600), 9);
  },
);

describe('flowband', () => {
  test('fills only inside the band, never beyond its edge, never more than its share', () => {
    fc.assert(
      fc.property(seeds, sides, shares, (seed, side, participation) => {
        const params = { band_low: 99.5, band_high: 100.5, participation };
        const launch = { algo: 'flowband', side, total_size: 2_000, params } as const;
        const run = launchInto(seed, launch, { volume: 200 });
        run.runOut();
        checkShare(run, participation);
        for (const fill of run.fills()) expectInside(fill, side);
        const closes = Array.from(run.feed.close).slice(5);
        const ever = closes.some((close) => close >= 99.5 && close <= 100.5);
        if (!ever) expect(run.fills()).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  function expectInside(fill: FillRow, side: 'buy' | 'sell'): void {
    if (side === 'buy') expect(fill.price).toBeLessThanOrEqual(100.5);
    else expect(fill.price).toBeGreaterThanOrEqual(99.5);
  }

  test('it pauses outside the band; volume there is not caught up', () => {
    const rows = [...flat(100, 5, 100), ...flat(110, 5, 100), ...flat(100, 10, 100)];
    const bench = createBench({ feeds: [feedOf(rows)] });
    bench.run(5);
    const params = { band_low: 95, band_high: 105 };
    const body = { algo: 'flowband', symbol: 'BTC', side: 'buy', total_size: 100, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    const record = () => bench.call('executions.get', { pathParams: { id } });
    bench.run(5);
    expect(record()).toMatchObject({ filled_size: 0, phase: 'armed' });
    bench.run(2);
    expect(record()).toMatchObject({ filled_size: 20, phase: 'working' });
  });

  // A bar gives a tenth of its volume to fills, and the algorithm asks for a fiftieth: what it may not take is there.
  test('volume outside the band is not caught up though later bars have enough of it', () => {
    const rows = [...flat(100, 7, 100), ...flat(110, 5, 900), ...flat(100, 10, 200)];
    const bench = createBench({ feeds: [feedOf(rows)] });
    bench.run(5);
    const params = { band_low: 95, band_high: 105, participation: 0.02 };
    const body = { algo: 'flowband', symbol: 'BTC', side: 'buy', total_size: 100, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    const filled = (): number =>
      bench.call('executions.get', { pathParams: { id } }).filled_size as number;
    bench.run(2);
    expect(filled()).toBeCloseTo(0.02 * 200, 9);
    bench.run(5);
    expect(filled()).toBeCloseTo(0.02 * 200, 9);
    bench.run(3);
    expect(filled()).toBeCloseTo(0.02 * (200 + 600), 9);
  });

  test.each(['buy', 'sell'] as const)(
    'a %s needs the margin of the price that it takes, however far the edge of its band is',
    (side) => {
      const bench = createBench({ feeds: [feedOf(flat(100, 20, 100_000))] }, { balance: 10_000 });
      bench.run(5);
      const params = { band_low: 20, band_high: 180 };
      const body = { algo: 'flowband', symbol: 'BTC', side, total_size: 4_000, params };
      const { execution_id: id } = bench.call('executions.launch', { body });
      bench.run(2);
      expect(bench.call('executions.get', { pathParams: { id } })).toMatchObject({
        status: 'stopped',
        reason: 'insufficient_margin',
        filled_size: 0,
      });
    },
  );
});
