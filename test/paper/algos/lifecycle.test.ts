import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

function launched(body: Record<string, unknown> = {}, rows: Array<Row | null> = flat(100, 60)) {
  const bench = createBench({ feeds: [feedOf(rows)] });
  bench.run(5);
  const sent = {
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 10,
    params: { duration_seconds: 600, slices: 10 },
    ...body,
  };
  const launch = bench.call('executions.launch', { body: sent, idempotencyKey: 'key-1' });
  const pathParams = { id: launch.execution_id };
  const now = () => bench.call('executions.get', { pathParams });
  const control = (action: string) =>
    bench.call(`executions.${action}` as EndpointId, { pathParams });
  return { ...bench, launch, sent, pathParams, now, control };
}

test('EXE-2, RULE-1: the record has the launch as sent, and its children carry its key', () => {
  const { launch, sent, call, pathParams } = launched();
  expect(launch).toMatchObject({
    status: 'running',
    phase: 'working',
    arrival_price: 100,
    wallet: 'main',
    idempotency_key: 'key-1',
    filled_size: 1,
    progress: 0.1,
    request: sent,
  });
  const [child] = call('executions.orders', { pathParams }).items;
  expect(child).toMatchObject({ idempotency_key: 'key-1', execution_id: launch.execution_id });
});

test('EXE-8: progress is the filled share of whole steps, without the dust of a binary quotient', () => {
  const { launch, run, now, named } = launched({ total_size: 0.05 }, flat(60_000, 60));
  expect([launch.filled_size, launch.progress]).toEqual([0.005, 0.1]);
  run(10);
  expect(now().progress).toBe(1);
  const shares = named('progress').map(({ data }) => (data as { progress: number }).progress);
  expect(shares).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
});

test.each(['buy', 'sell'] as const)(
  "EXE-2: a child order's price and size are its algorithm's: a %s is not modified",
  (side) => {
    const more = { algo: 'glidemaker', side, total_size: 1, params: { strategy: 'passive' } };
    const limit = side === 'buy' ? 99 : 101;
    const rows: Row[] = [...flat(100, 8), [100, 103, 97, 100, 1_000], ...flat(100, 20)];
    const { call, refusal, run, now, pathParams } = launched(
      { ...more, params: { ...more.params, limit_price: limit } },
      rows,
    );
    const [child] = call('executions.orders', { pathParams }).items;
    for (const body of [{ size: 10 }, { price: limit + (side === 'buy' ? -1 : 1) }]) {
      const refused = refusal('orders.modify', { pathParams: { id: child.order_id }, body });
      expect(refused.code).toBe('invalid_transition');
      expect(refused.details).toMatchObject({
        from: 'open',
        action: 'modify',
        allowed: ['cancel'],
      });
    }
    run(6);
    expect(now()).toMatchObject({ status: 'completed', filled_size: 1, progress: 1 });
    expect(now().remaining_size).toBe(0);
  },
);

test('an order of a manual trader beside it is modified as ever', () => {
  const { order, call } = launched();
  const body = { side: 'buy', size: 1, order_type: 'limit', price: 90 };
  const { order_id: id } = order(body);
  expect(call('orders.modify', { pathParams: { id }, body: { size: 2 } }).size).toBe(2);
});

test.each([
  ['glidemaker', { params: { strategy: 'passive', limit_price: 95 } }, 'working'],
  ['flowscale', { params: { participation: 0.01, limit_price: 95 } }, 'working'],
  ['pacemaker', { params: { duration_seconds: 600, limit_price: 95 } }, 'working'],
  ['flowband', { params: { band_low: 50, band_high: 60 } }, 'armed'],
  ['flowband', { params: { band_low: 50, band_high: 160, participation: 0.001 } }, 'working'],
  ['ghostsweep', { params: { trigger_price: 120 } }, 'armed'],
])('EXE-8: the frames of a start and a resume of %s %o have its phase: %s', (algo, more, phase) => {
  const { launch, named, control, run, now } = launched({ algo, ...more });
  expect(launch.phase).toBe(phase);
  expect(named('started')).toMatchObject([{ data: { phase } }]);
  run(2);
  expect(now().phase).toBe(phase);
  control('pause');
  expect(control('resume').phase).toBe(phase);
  expect(named('status').at(-1)).toMatchObject({ data: { status: 'running', phase } });
});

test('EXE-8: flowband that resumes outside its band says so at once', () => {
  const rows: Row[] = [...flat(100, 7), ...flat(150, 20)];
  const { launch, named, control, run, now } = launched(
    { algo: 'flowband', params: { band_low: 90, band_high: 110, participation: 0.01 } },
    rows,
  );
  expect(launch.phase).toBe('working');
  control('pause');
  run(4);
  control('resume');
  expect(named('status').at(-1)).toMatchObject({ data: { status: 'running', phase: 'armed' } });
  expect(now().phase).toBe('armed');
});

test("EXE-6, EXE-8: it ends completed when all is filled, and the ended frame has REST's reason", () => {
  const { run, now, named } = launched();
  run(11);
  const record = now();
  expect(record).toMatchObject({
    status: 'completed',
    reason: 'filled',
    phase: 'done',
    progress: 1,
  });
  expect(named('ended')).toMatchObject([{ data: record, keys: { execution_id: 'exe_1' } }]);
  expect(named('progress')).toHaveLength(10);
});

describe('EXE-7: controls', () => {
  const legal: Record<string, string[]> = {
    running: ['pause', 'stop', 'completeAtMarket'],
    paused: ['resume', 'stop', 'markComplete'],
    interrupted: ['resume', 'stop', 'markComplete'],
    completed: [],
    stopped: [],
  };
  const actions = ['stop', 'pause', 'resume', 'completeAtMarket', 'markComplete'];
  const ways: Record<string, (run: ReturnType<typeof launched>) => void> = {
    running: () => {},
    paused: ({ control }) => control('pause'),
    interrupted: ({ engine }) => engine.interruptExecutions(),
    completed: ({ control }) => control('completeAtMarket'),
    stopped: ({ control }) => control('stop'),
  };
  const after: Record<string, string> = {
    stop: 'stopped',
    pause: 'paused',
    resume: 'running',
    completeAtMarket: 'completed',
    markComplete: 'completed',
  };
  for (const [status, allowed] of Object.entries(legal)) {
    test(`${status} takes ${allowed.join(', ') || 'nothing'}; every other action is 409`, () => {
      for (const action of actions) {
        const bench = launched();
        ways[status]!(bench);
        expect(bench.now().status).toBe(status);
        if (allowed.includes(action)) {
          bench.control(action);
          expect(bench.now().status).toBe(after[action]);
          continue;
        }
        const before = bench.now();
        const { pathParams } = bench;
        const refused = bench.refusal(`executions.${action}` as EndpointId, { pathParams });
        expect(refused.code).toBe('invalid_transition');
        expect(refused.details).toMatchObject({ from: status });
        expect(bench.now()).toEqual(before);
      }
    });
  }

  test("a pause cancels the children and stops the schedule's clock", () => {
    const { run, control, now } = launched();
    run(2);
    control('pause');
    const { filled_size: filled } = now();
    run(20);
    expect(now()).toMatchObject({ status: 'paused', filled_size: filled });
    control('resume');
    expect(now().filled_size).toBeLessThanOrEqual(filled + 1);
    run(8);
    expect(now()).toMatchObject({ status: 'completed', filled_size: 10 });
  });

  test('complete-at-market fills all at once, whatever the volume', () => {
    const { control, named } = launched({ total_size: 20_000 });
    const done = control('completeAtMarket');
    expect(done).toMatchObject({ status: 'stopped', reason: 'insufficient_margin' });
    const small = launched({ total_size: 400 });
    expect(small.control('completeAtMarket')).toMatchObject({
      status: 'completed',
      reason: 'complete_at_market',
      filled_size: 400,
    });
    expect(named('ended')).toHaveLength(1);
  });

  test('complete-at-market needs no margin beside that of the order which rests', () => {
    const params = { strategy: 'passive', limit_price: 99 };
    // At ten times leverage 1,000,000 of a wallet's 100,000 is all, and the resting order has 90 % of it.
    const resting = launched({ algo: 'glidemaker', total_size: 9_000, params }, flat(100, 60, 1e6));
    expect(resting.call('account.get').available_margin).toBeLessThan(20_000);
    expect(resting.control('completeAtMarket')).toMatchObject({
      status: 'completed',
      filled_size: 9_000,
    });
  });

  test('an interruption affects running executions; paused ones stay paused', () => {
    const running = launched();
    running.engine.interruptExecutions();
    expect(running.now()).toMatchObject({ status: 'interrupted', reason: 'venue_lost' });
    const paused = launched();
    paused.control('pause');
    paused.engine.interruptExecutions();
    expect(paused.now()).toMatchObject({ status: 'paused', reason: null });
  });

  test('a batch reports each id separately', () => {
    const { call, launch } = launched();
    const body = { action: 'stop', ids: [launch.execution_id, 'exe_9', launch.execution_id] };
    const { results } = call('executions.batch', { body });
    expect(results).toMatchObject([
      { ok: true },
      { ok: false, error: { code: 'not_found' } },
      { ok: false, error: { code: 'invalid_transition' } },
    ]);
  });
});

describe('EXE-9: stale market data', () => {
  const rows = [...flat(100, 10), ...Array<null>(10).fill(null), ...flat(100, 10)];

  test('it warns at 30 s and pauses at 5 min after the missing bar should have closed', () => {
    const { engine, events, now, control } = launched(
      { params: { duration_seconds: 3_600 } },
      rows,
    );
    const missing = START + 11 * MINUTE;
    engine.advanceTo(missing + 29_999);
    expect(events.some(({ event }) => event === 'stale_warning')).toBe(false);
    engine.advanceTo(missing + 30_000);
    expect(events.filter(({ event }) => event === 'stale_warning')).toHaveLength(1);
    engine.advanceTo(missing + 299_999);
    expect(now().status).toBe('running');
    engine.advanceTo(missing + 300_000);
    expect(now()).toMatchObject({ status: 'paused', reason: 'stale_data' });
    engine.advanceTo(START + 25 * MINUTE);
    expect(now().status).toBe('paused');
    expect(control('resume').status).toBe('running');
  });

  test('a single missing minute is no reason to warn', () => {
    const gap = [...flat(100, 10), null, ...flat(100, 10)];
    const { run, named } = launched({}, gap);
    run(12);
    expect(named('stale_warning')).toEqual([]);
  });
});

describe('EXE-3: legs of a launch', () => {
  const legs = { stop_loss: { price: 90 }, take_profit: { price: 120 } };

  test('they wait for the end, then anchor to the average fill and take its size', () => {
    const { launch, run, now } = launched(legs);
    expect(launch.stop_loss).toMatchObject({ status: 'queued', resolution: { anchor_price: 100 } });
    run(11);
    const record = now();
    expect(record.stop_loss).toMatchObject({
      status: 'armed',
      size: 10,
      resolution: { anchor: 'entry', anchor_price: record.average_price, trigger_price: 90 },
    });
  });

  test('of spot: they protect the holding', () => {
    const symbol = 'HYPE/USDC';
    const bench = createBench({ feeds: [feedOf([...flat(100, 5), ...flat(80, 5)], { symbol })] });
    bench.run(1);
    const params = { duration_seconds: 60 };
    const body = { algo: 'pacemaker', symbol, side: 'buy', total_size: 10, params };
    const { execution_id: id } = bench.call('executions.launch', {
      body: { ...body, stop_loss: { price: 90 } },
    });
    bench.run(2);
    const record = bench.call('executions.get', { pathParams: { id } });
    expect(record.stop_loss).toMatchObject({ status: 'armed', size: record.filled_size });
    bench.run(3);
    expect(bench.named('leg_triggered')).toHaveLength(1);
    expect(bench.call('positions.list').items).toEqual([]);
  });

  test('a stop with a partial position keeps legs for what was filled', () => {
    const { run, control } = launched(legs);
    run(2);
    const stopped = control('stop');
    expect(stopped).toMatchObject({ status: 'stopped', reason: 'user_stop', filled_size: 3 });
    expect(stopped.stop_loss).toMatchObject({ status: 'armed', size: 3 });
  });

  test('a leg on the wrong side at the end is rejected and reported', () => {
    const rows = [...flat(100, 5), ...flat(80, 60)];
    const { run, now, named } = launched({ stop_loss: { price: 90 } }, rows);
    run(12);
    // One slice at 100 and nine at 80: the stop is above the entry now.
    expect(now().stop_loss).toMatchObject({
      status: 'rejected',
      error: { code: 'wrong_side_trigger', details: { leg: 'stop_loss' } },
    });
    expect(named('leg_rejected')).toHaveLength(1);
    expect(named('leg_armed')).toEqual([]);
  });

  test('a leg on the wrong side of the launch is refused at launch', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 10))] });
    bench.run(2);
    const body = {
      algo: 'pacemaker',
      symbol: 'BTC',
      side: 'sell',
      total_size: 10,
      params: { duration_seconds: 60 },
      stop_loss: { price: 99 },
    };
    expect(bench.refusal('executions.launch', { body }).code).toBe('wrong_side_trigger');
    expect(bench.call('executions.list').items).toEqual([]);
  });

  // The mark is 100: a band that holds it fills there, another one where the mark enters it.
  test.each([
    ['buy', [90, 110], 100],
    ['sell', [90, 110], 100],
    ['buy', [99.5, 99.9], 99.9],
    ['sell', [99.5, 99.9], 99.9],
    ['buy', [100.1, 100.5], 100.1],
    ['sell', [100.1, 100.5], 100.1],
  ] as const)('a band: a %s in %j has its legs about %d', (side, [low, high], entry) => {
    const sign = side === 'buy' ? 1 : -1;
    for (const [kind, away] of [
      ['stop_loss', -0.01 * sign],
      ['take_profit', 0.01 * sign],
    ] as const) {
      const bench = createBench({ feeds: [feedOf(flat(100, 10))] });
      bench.run(2);
      const launch = (price: number) => ({
        algo: 'flowband',
        symbol: 'BTC',
        side,
        total_size: 10,
        params: { band_low: low, band_high: high },
        [kind]: { price: Math.round(price * 100) / 100 },
      });
      for (const wrong of [entry, entry - away]) {
        const body = launch(wrong);
        expect(bench.refusal('executions.launch', { body })).toMatchObject({
          code: 'wrong_side_trigger',
          details: { anchor_price: entry, leg: kind },
        });
      }
      const taken = bench.call('executions.launch', { body: launch(entry + away) });
      expect(taken[kind]).toMatchObject({ resolution: { anchor_price: entry } });
    }
  });

  test.each([
    ['buy', 99],
    ['sell', 101],
  ] as const)('a band that is filled at the mark keeps its stop: %s', (side, price) => {
    const params = { band_low: 90, band_high: 110 };
    const { run, now, named } = launched({ algo: 'flowband', side, params, stop_loss: { price } });
    run(20);
    expect(now()).toMatchObject({ status: 'completed', stop_loss: { status: 'armed' } });
    expect(named('leg_rejected')).toEqual([]);
  });
});

test('RULE-4: a reduce-only launch never opens, and ends when nothing is left to reduce', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 60))] });
  bench.run(2);
  bench.order({ side: 'buy', size: 3, order_type: 'market' });
  const body = {
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'sell',
    total_size: 10,
    params: { duration_seconds: 600, slices: 10 },
    reduce_only: true,
  };
  const { execution_id: id } = bench.call('executions.launch', { body });
  bench.run(20);
  const record = bench.call('executions.get', { pathParams: { id } });
  expect(record).toMatchObject({ status: 'stopped', reason: 'nothing_to_reduce', filled_size: 3 });
  const { items } = bench.call('executions.orders', { pathParams: { id } });
  expect(items.every((order: { reduce_only: boolean }) => order.reduce_only)).toBe(true);
  expect(bench.call('positions.list').items).toEqual([]);
  const late = bench.call('executions.launch', { body });
  expect(late).toMatchObject({ status: 'stopped', reason: 'nothing_to_reduce' });
});

test('a child that fails its live checks is recorded as rejected and ends the launch', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 60))] }, { balance: 45 });
  bench.run(2);
  const body = {
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 10,
    params: { duration_seconds: 600, slices: 10 },
  };
  const { execution_id: id } = bench.call('executions.launch', { body });
  bench.run(20);
  const pathParams = { id };
  const record = bench.call('executions.get', { pathParams });
  expect(record).toMatchObject({
    status: 'stopped',
    reason: 'insufficient_margin',
    filled_size: 4,
  });
  const [last] = bench.call('executions.orders', { pathParams }).items;
  expect(last).toMatchObject({ status: 'rejected', reject_reason: 'insufficient_margin' });
});

test('closing a position by an algorithm asks for the algo scope and is reduce-only', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 60))] });
  bench.run(2);
  bench.order({ side: 'buy', size: 3, order_type: 'market' });
  const scopes: string[] = [];
  const body = { algo: 'pacemaker', params: { duration_seconds: 120 } };
  const closed = bench.call('positions.close', {
    pathParams: { symbol: 'BTC' },
    body,
    requireScope: (scope) => scopes.push(scope),
  });
  expect(scopes).toEqual(['algo']);
  expect(closed).toMatchObject({ side: 'sell', total_size: 3, reduce_only: true });
  // What was sent is the close, and not the launch that came of it.
  expect(closed.request).toEqual(body);
  bench.run(3);
  expect(bench.call('positions.list').items).toEqual([]);
});

describe('EXE-9: a launch into a gap', () => {
  const gap = [...flat(100, 10), ...Array<null>(30).fill(null), ...flat(100, 10)];
  const launch = {
    slices: { algo: 'pacemaker', params: { duration_seconds: 600 } },
    'one slice': { algo: 'pacemaker', params: { duration_seconds: 600, slices: 1 } },
    'a trigger that is reached': { algo: 'ghostsweep', params: { trigger_price: 100 } },
    'the spread': { algo: 'glidemaker', params: { strategy: 'aggressive', limit_price: 101 } },
    volume: { algo: 'flowscale', params: { participation: 0.1 } },
    'a band around the price': { algo: 'flowband', params: { band_low: 90, band_high: 110 } },
  };

  test.each(Object.entries(launch))('pauses before it trades: %s', (_name, request) => {
    const bench = createBench({ feeds: [feedOf(gap)] });
    bench.run(30);
    const { now } = bench.engine;
    const body = { symbol: 'BTC', side: 'buy', total_size: 10, ...request };
    const { execution_id: id, ...answer } = bench.call('executions.launch', { body });
    const paused = { status: 'paused', reason: 'stale_data', filled_size: 0, updated_time: now };
    expect(answer).toMatchObject(paused);
    bench.engine.advanceTo(now + 60_000);
    expect(bench.call('executions.get', { pathParams: { id } })).toMatchObject(paused);
    expect(bench.call('orders.list').items).toEqual([]);
    expect(bench.call('executions.resume', { pathParams: { id } }).status).not.toBe('paused');
  });

  test('warns at once, and pauses at 5 minutes', () => {
    const bench = createBench({ feeds: [feedOf(gap)] });
    const missing = START + 11 * MINUTE;
    bench.engine.advanceTo(missing + 40_000);
    const body = { symbol: 'BTC', side: 'buy', total_size: 10, ...launch.slices };
    const { execution_id: id } = bench.call('executions.launch', { body });
    const warnings = () => bench.events.filter(({ event }) => event === 'stale_warning');
    expect(warnings()).toHaveLength(1);
    const status = () => bench.call('executions.get', { pathParams: { id } }).status;
    bench.engine.advanceTo(missing + 299_999);
    expect(status()).toBe('running');
    bench.engine.advanceTo(missing + 300_000);
    expect(status()).toBe('paused');
    expect(warnings()).toHaveLength(1);
  });
});

test('on a bar without volume complete-at-market pays as if it were all of the bar', () => {
  const bench = createBench({ feeds: [feedOf([...flat(100, 4), ...flat(100, 10, 0)])] });
  bench.run(5);
  const params = { duration_seconds: 600 };
  const body = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 10, params };
  const { execution_id: id, filled_size: filled } = bench.call('executions.launch', { body });
  expect(filled).toBe(0);
  const done = bench.call('executions.completeAtMarket', { pathParams: { id } });
  expect(done).toMatchObject({ status: 'completed', filled_size: 10 });
  expect(done.average_price).toBeCloseTo(100.01 * 1.001, 10);
});
