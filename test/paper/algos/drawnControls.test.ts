import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  EndpointId,
  ExecutionRecord,
  FillRecord,
  OrderRecord,
} from '../../../src/contract/index.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { createBench, feedOf, flat, walk, type Row } from '../engine/bench.ts';

const LAUNCHES = {
  pacemaker: { params: { duration_seconds: 600, slices: 10 } },
  pacemakerLimit: { algo: 'pacemaker', params: { duration_seconds: 600, limit_price: 100.3 } },
  flowscale: { params: { participation: 0.05, max_duration_seconds: 900 } },
  flowband: { params: { band_low: 99.2, band_high: 100.8, participation: 0.04 } },
  glidemaker: { params: { limit_price: 100.2, strategy: 'balanced' } },
  ghostsweep: { params: { trigger_price: 100.4 } },
} as const;
const ACTIONS = ['pause', 'resume', 'stop', 'completeAtMarket', 'markComplete'] as const;
/** What each action leads to, from where it is allowed. */
const LEADS: Readonly<
  Record<string, Partial<Record<(typeof ACTIONS)[number], readonly [string, string | null]>>>
> = {
  running: { pause: ['paused', null], stop: ['stopped', 'user_stop'] },
  paused: {
    resume: ['running', null],
    stop: ['stopped', 'user_stop'],
    markComplete: ['completed', 'mark_complete'],
  },
};
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  running: ['pause', 'stop', 'completeAtMarket'],
  paused: ['resume', 'stop', 'markComplete'],
};

const step = fc.record({
  minutes: fc.integer({ min: 0, max: 3 }),
  action: fc.option(fc.constantFrom(...ACTIONS), { freq: 1 }),
});
const drawn = fc.record({
  name: fc.constantFrom(...(Object.keys(LAUNCHES) as Array<keyof typeof LAUNCHES>)),
  side: fc.constantFrom('buy', 'sell'),
  seed: fc.nat(10_000),
  steps: fc.array(step, { minLength: 3, maxLength: 14 }),
});

test('EXE-6, EXE-7: a record is what its fills and its controls make of it, and nothing rests that does not run', () => {
  fc.assert(
    fc.property(drawn, ({ name, side, seed, steps }) => {
      const rows = [...flat(100, 3), ...walk(`controls ${seed}`, 60, { move: 0.004, volume: 300 })];
      const bench = createBench({ feeds: [feedOf(rows)] });
      bench.run(3);
      const body = { algo: name, ...LAUNCHES[name], symbol: 'BTC', side, total_size: 40 };
      const { execution_id: id } = bench.call('executions.launch', { body });
      const pathParams = { id };
      const get = (): ExecutionRecord => bench.call('executions.get', { pathParams });
      for (const { minutes, action } of steps) {
        const before = get();
        bench.run(minutes);
        const after = get();
        // What is paused or over trades no more, whatever the market does.
        if (before.status !== 'running') expect(after).toEqual(before);
        if (action !== null) {
          const endpoint = `executions.${action}` as EndpointId;
          if (ALLOWED[after.status]?.includes(action) === true) {
            const made: ExecutionRecord = bench.call(endpoint, { pathParams });
            const lead = LEADS[after.status]?.[action];
            // A resumed one may act at once, and end by that.
            if (lead !== undefined && !(action === 'resume' && made.status !== 'running'))
              expect([made.status, made.reason]).toEqual(lead);
            if (action === 'completeAtMarket')
              expect(['completed', 'stopped']).toContain(made.status);
          } else {
            expect(() => bench.call(endpoint, { pathParams })).toThrow(ServiceError);
          }
        }
        const record = get();
        const fills =
          (bench.call('executions.fills', { pathParams, query: { limit: 500 } })
            .items as FillRecord[]) ?? [];
        const sum = (read: (fill: FillRecord) => number): number =>
          fills.reduce((total, fill) => total + read(fill), 0);
        const filled = sum(({ size }) => size);
        expect(record.filled_size).toBeCloseTo(filled, 6);
        expect(record.remaining_size).toBeCloseTo(40 - filled, 6);
        expect(record.progress).toBeCloseTo(filled / 40, 8);
        expect(record['fees']).toBeCloseTo(
          sum(({ fee }) => fee),
          8,
        );
        if (filled > 0)
          expect(record.average_price).toBeCloseTo(sum(({ notional }) => notional) / filled, 8);
        const open = (bench.call('orders.list').items as OrderRecord[]).filter(
          (one) => one.execution_id === id,
        );
        if (record.status !== 'running') expect(open).toEqual([]);
        expect(open.length).toBeLessThanOrEqual(1);
        for (const status of ['running', 'paused', 'completed', 'stopped']) {
          const listed = bench.call('executions.list', { query: { status } })
            .items as ExecutionRecord[];
          expect(listed.map((one) => one.execution_id)).toEqual(
            record.status === status ? [id] : [],
          );
        }
        if (record.status === 'running')
          expect([record.reason, record['ended_time']]).toEqual([null, null]);
      }
    }),
    { numRuns: 60 },
  );
});

describe('the end of an execution', () => {
  const launch = (bench: ReturnType<typeof createBench>, more: object = {}) =>
    bench.call('executions.launch', {
      body: {
        algo: 'pacemaker',
        symbol: 'BTC',
        side: 'buy',
        total_size: 10,
        params: { duration_seconds: 600, slices: 10 },
        ...more,
      },
    });

  test('arms its legs for what it filled, if there is a position, and retires them if there is none', () => {
    for (const hasPosition of [true, false]) {
      const bench = createBench({ feeds: [feedOf(flat(100, 30))] });
      bench.run(2);
      const { execution_id: id } = launch(bench, { stop_loss: { price: 90 } });
      bench.run(2);
      if (!hasPosition) bench.call('positions.close', { pathParams: { symbol: 'BTC' } });
      const ended = bench.call('executions.stop', { pathParams: { id } });
      expect(ended.stop_loss).toMatchObject(
        hasPosition ? { status: 'armed', size: ended.filled_size } : { status: 'retired' },
      );
      expect(ended.filled_size).toBeLessThan(10);
    }
  });

  test('by liquidation is that of those that trade what was liquidated', () => {
    const crash: Row[] = [...flat(100, 3), [100, 100, 80, 85, 1_000], ...flat(85, 10)];
    const feeds = [feedOf(crash), feedOf(flat(50, 20), { symbol: 'ETH' })];
    const bench = createBench({ feeds }, { balance: 10_000 });
    bench.run(2);
    const isolated = { pathParams: { symbol: 'BTC' }, body: { leverage: 10, mode: 'isolated' } };
    bench.call('leverage.set', isolated);
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    const [btc, eth] = ['BTC', 'ETH'].map((symbol) => launch(bench, { symbol }).execution_id);
    bench.run(2);
    const of = (id: string) => bench.call('executions.get', { pathParams: { id } });
    expect(of(btc)).toMatchObject({ status: 'stopped', reason: 'liquidated' });
    expect(of(eth)).toMatchObject({ status: 'running', reason: null });
  });
});

test.each(['cross', 'isolated'] as const)(
  'by liquidation of a %s position is that of all which trade it, running or paused, of that wallet alone',
  (mode) => {
    const crash: Row[] = [...flat(100, 3), [100, 100, 80, 85, 1_000], ...flat(85, 10)];
    const feeds = [feedOf(crash), feedOf(flat(50, 20), { symbol: 'ETH' })];
    const bench = createBench({ feeds }, { balance: mode === 'cross' ? 1_000 : 10_000 });
    bench.engine.addAccount('other', 10_000);
    bench.run(2);
    const leverage = { pathParams: { symbol: 'BTC' }, body: { leverage: 10, mode } };
    bench.call('leverage.set', leverage);
    bench.order({ side: 'buy', size: mode === 'cross' ? 70 : 10, order_type: 'market' });
    const lives = ['main', 'other'].flatMap((wallet) =>
      // Those that stay lie before and behind those that end.
      ['ETH', 'BTC', 'ETH'].flatMap((symbol) =>
        [true, false].map((isPaused) => {
          const params = { strategy: 'passive', limit_price: 10 };
          const body = { algo: 'glidemaker', symbol, side: 'buy', total_size: 1, params };
          const { execution_id: id } = bench.call('executions.launch', { wallet, body });
          if (isPaused) bench.call('executions.pause', { wallet, pathParams: { id } });
          return { wallet, symbol, isPaused, id };
        }),
      ),
    );
    bench.run(3);
    expect(bench.call('positions.list').items).toEqual([]);
    for (const { wallet, symbol, isPaused, id } of lives) {
      const { status, reason } = bench.call('executions.get', { wallet, pathParams: { id } });
      const isOver = wallet === 'main' && (mode === 'cross' || symbol === 'BTC');
      const spared = [isPaused ? 'paused' : 'running', null];
      expect([wallet, symbol, status, reason]).toEqual([
        wallet,
        symbol,
        ...(isOver ? ['stopped', 'liquidated'] : spared),
      ]);
    }
  },
);

test('EXE-9: what paused for stale data has no reason any more once it is resumed', () => {
  const rows = [...flat(100, 8), ...Array.from({ length: 8 }, () => null), ...flat(100, 20)];
  const bench = createBench({ feeds: [feedOf(rows)] });
  bench.run(5);
  const body = {
    algo: 'glidemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 1,
    params: { limit_price: 90, strategy: 'passive' },
  };
  const { execution_id: id } = bench.call('executions.launch', { body });
  const pathParams = { id };
  bench.run(10);
  expect(bench.call('executions.get', { pathParams })).toMatchObject({
    status: 'paused',
    reason: 'stale_data',
  });
  bench.run(5);
  const resumed = bench.call('executions.resume', { pathParams });
  expect([resumed.status, resumed.reason]).toEqual(['running', null]);
});
