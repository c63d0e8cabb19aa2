/** Launches by the rules that refuse them, what is recorded of those that are taken, and levels that move meanwhile. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EndpointId, ExecutionRecord, OrderRecord } from '../../../src/contract/index.ts';
import { createEngine } from '../../../src/paper/engine/createEngine.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

const WALLETS = ['main', 'other'] as const;
const MARK = 100;
/** The average of the last two closes. */
const LEVEL = 99;
const ROWS: Row[] = [...flat(100, 3), [100, 100, 98, 98, 1e6], [98, 100, 98, 100, 1e6]];
const MOST_ROWS = 20;
const LEAST = 10;
const OFF_GRID = 99.505;
const AVERAGE = { indicator: 'sma', params: { period: 2 }, interval: '1m' };

const price = fc.constantFrom(98.5, 99.5, 100, 100.5, 101.5, OFF_GRID);
const some = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const level = fc.constantFrom(undefined, false, true);
const leg = fc.option(
  fc.oneof(
    fc.constantFrom(95, 98.75, 99, 99.25, 100, 100.25, 105, OFF_GRID).map((at) => ({ price: at })),
    fc.constant({ trail: { pct: 1, interval: '1m' } }),
  ),
  { nil: undefined },
);
const pick = fc.record({
  algo: fc.constantFrom(
    'glidemaker',
    'pacemaker',
    'flowscale',
    'flowband',
    'ghostsweep',
    'smartexit',
  ),
  first: price,
  second: some(price),
  /** Its price comes from an indicator instead. */
  isRead: fc.boolean(),
  track: level,
});
const drawn = fc.record({
  /** Launches with two trails each that are there before. */
  before: fc.constantFrom(0, 0, 8, 9, 10),
  launches: fc.array(
    fc.record({
      wallet: fc.constantFrom(...WALLETS),
      pick,
      side: fc.constantFrom('buy' as const, 'sell' as const),
      size: fc.constantFrom(0.05, 0.1, 1, 1, 1, 1.000001),
      reduce_only: fc.constantFrom(undefined, undefined, false, true),
      stop_loss: leg,
      take_profit: leg,
      client: fc.constantFrom(undefined, undefined, 'one', 'two'),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});
type Launch = (typeof drawn extends fc.Arbitrary<infer T> ? T : never)['launches'][number];

/** The launch that is drawn, its prices by their paths, and the price to which its legs are compared. */
function describeLaunch({ pick: its, side, size, reduce_only, client, ...legs }: Launch) {
  const { algo, first, second, isRead, track } = its;
  const from = { ...AVERAGE, ...(track !== undefined && { track }) };
  const isTracked = isRead && ['glidemaker', 'ghostsweep', 'smartexit'].includes(algo);
  const prices: Record<string, number> = {};
  const set = (path: string, at: number | undefined) => {
    if (at !== undefined) prices[path] = at;
    return at === undefined ? {} : { [path.replace('params.', '')]: at };
  };
  const made = {
    glidemaker: () => ({
      params: {
        strategy: 'passive',
        ...(isRead ? { limit_price_from: from } : set('params.limit_price', first)),
      },
    }),
    pacemaker: () => ({
      params: { duration_seconds: 600, slices: 10, ...set('params.limit_price', second) },
    }),
    flowscale: () => ({ params: { participation: 0.1, ...set('params.limit_price', second) } }),
    flowband: () => ({
      params: { ...set('params.band_low', first), ...set('params.band_high', second ?? 120) },
    }),
    ghostsweep: () => ({
      ...(isRead ? { trigger_from: from } : { params: set('params.trigger_price', first) }),
      ...set('sweep_limit', isRead ? undefined : second),
    }),
    smartexit: () => ({
      params: {
        ...(isRead ? { stop_price_from: from } : set('params.stop_price', first)),
        ...set('params.take_price', second),
      },
    }),
  }[algo]!();
  const limit = {
    ghostsweep: prices['params.trigger_price'],
    // Where it would be filled now: the mark, or the edge of the band that is next to it.
    flowband: Math.min(
      Math.max(MARK, prices['params.band_low'] ?? MARK),
      prices['params.band_high'] ?? MARK,
    ),
  }[algo as string];
  const anchor = isTracked ? LEVEL : (limit ?? prices['params.limit_price'] ?? MARK);
  const isExit = algo === 'smartexit' || reduce_only === true;
  const body = {
    algo,
    symbol: 'BTC',
    side,
    total_size: size,
    ...made,
    ...(isExit ? { reduce_only: true } : reduce_only === false && { reduce_only }),
    ...(client !== undefined && { client_execution_id: client }),
    ...(legs.stop_loss && { stop_loss: legs.stop_loss }),
    ...(legs.take_profit && { take_profit: legs.take_profit }),
  };
  return { body, prices, anchor, isExit, rows: isTracked && track === true ? 1 : 0, isTracked };
}

function faultsOf(
  launch: Launch,
  { clients, rowsInUse }: { clients: ReadonlySet<string>; rowsInUse: number },
): string[] {
  const { body, prices, anchor, isExit, isTracked, rows } = describeLaunch(launch);
  const { side, size, client } = launch;
  const faults: string[] = [];
  if (size === 1.000001) faults.push('validation_failed total_size');
  for (const [path, at] of Object.entries(prices))
    if (at === OFF_GRID) faults.push(`validation_failed ${path}`);
  if (client !== undefined && clients.has(client)) faults.push('duplicate_client_execution_id');
  const [trigger, limit] = [prices['params.trigger_price'], prices['sweep_limit']];
  if (trigger !== undefined && limit !== undefined)
    if (side === 'buy' ? limit < trigger : limit > trigger)
      faults.push('validation_failed sweep_limit');
  if (!isExit && size * MARK < LEAST) faults.push('below_order_minimum');
  if (body.algo === 'smartexit') {
    // The level is below the mark: a seller's stop, and one that a buyer has passed.
    const stop = prices['params.stop_price'] ?? LEVEL;
    const take = prices['params.take_price'];
    const worse = side === 'buy' ? 1 : -1;
    const isPassed = worse * (stop - MARK) <= 0;
    if (isPassed)
      faults.push(isTracked && launch.pick.track === true ? 'would_cross' : 'wrong_side_trigger');
    if (take !== undefined && worse * (take - MARK) >= 0) faults.push('wrong_side_trigger');
  }
  let trails = 0;
  for (const kind of ['stop_loss', 'take_profit'] as const) {
    const its = body[kind] as { price?: number; trail?: object } | undefined;
    if (its === undefined) continue;
    if (isExit) faults.push(`validation_failed ${kind}`);
    if (its.trail !== undefined) trails++;
    else if (its.price === OFF_GRID) faults.push(`validation_failed ${kind}.price`);
    else {
      const isBelow = (kind === 'stop_loss') === (side === 'buy');
      if (isBelow ? its.price! >= anchor : its.price! <= anchor) faults.push('wrong_side_trigger');
    }
  }
  const wanted = rows + trails;
  if (wanted > 0 && rowsInUse + wanted > MOST_ROWS) faults.push('trailing_limit');
  return faults;
}

test('EXE-2, EXE-3: a launch is refused for what is wrong with it, and changes nothing then', async () => {
  const tried = new Tried();
  await holdLaw(300, drawn, ({ before, launches }) => {
    const bench = createBench({ feeds: [feedOf([...ROWS, ...flat(100, 5)])] });
    bench.engine.addAccount('other', 100_000);
    bench.run(ROWS.length);
    const filler = {
      algo: 'glidemaker',
      symbol: 'BTC',
      side: 'buy',
      total_size: 1,
      params: { strategy: 'passive', limit_price: 50 },
      stop_loss: { trail: { pct: 1, interval: '1m' } },
      take_profit: { trail: { pct: 1, interval: '1m' } },
    };
    for (let at = 0; at < before; at++)
      bench.call('executions.launch', { wallet: 'other', body: filler });
    const known = {
      main: { clients: new Set<string>(), rowsInUse: 0, ids: [] as string[] },
      other: { clients: new Set<string>(), rowsInUse: 2 * before, ids: [] as string[] },
    };
    for (const launch of launches) {
      const { wallet, client } = launch;
      const its = known[wallet];
      const faults = faultsOf(launch, its);
      const { body, rows, isExit, isTracked, anchor } = describeLaunch(launch);
      const [position] = bench.call('positions.list', { wallet }).items;
      const canReduce = position?.side === (launch.side === 'buy' ? 'short' : 'long');
      const endsAtOnce = isExit && !canReduce;
      bench.events.length = 0;
      if (faults.length > 0) {
        const { code, details } = bench.refusal('executions.launch', { wallet, body });
        const fields = (details as { fields?: Array<{ path: string }> } | undefined)?.fields;
        const shown = code === 'validation_failed' ? `${code} ${fields?.[0]?.path}` : code;
        expect(faults).toContain(shown);
        expect(bench.events).toEqual([]);
        tried.take(shown.split('.')[0]!);
        continue;
      }
      const record: ExecutionRecord & Record<string, never> = bench.call('executions.launch', {
        wallet,
        body,
      });
      if (client !== undefined) its.clients.add(client);
      // What may only reduce, and has nothing to reduce, ends at once, and its row is free.
      if (!endsAtOnce)
        its.rowsInUse +=
          rows + [body.stop_loss, body.take_profit].filter((one) => one && 'trail' in one).length;
      expect(record).toMatchObject({
        wallet,
        client_execution_id: client ?? null,
        total_size: launch.size,
        side: launch.side,
        arrival_price: MARK,
        reduce_only: isExit,
        request: body,
        created_time: bench.engine.now,
        status: endsAtOnce ? 'stopped' : 'running',
        reason: endsAtOnce ? 'nothing_to_reduce' : null,
      });
      expect(record['price_from_resolution'] !== null).toBe(isTracked);
      expect(record['entry_track'] !== null).toBe(rows === 1);
      for (const kind of ['stop_loss', 'take_profit'] as const) {
        const asked = body[kind];
        if (asked === undefined) expect(record[kind]).toBeNull();
        else
          expect(record[kind]).toMatchObject({
            kind,
            status: 'queued',
            request: asked,
            resolution: { anchor: 'entry', anchor_price: anchor },
          });
      }
      const frames = bench.named('started').map(({ wallet: of, data }) => [of, data]);
      expect(frames).toMatchObject([
        [wallet, { execution_id: record.execution_id, status: 'running' }],
      ]);
      its.ids.push(record.execution_id);
      tried.take('taken', ...(rows > 0 ? ['tracked'] : []));
    }
    for (const wallet of WALLETS) {
      const all = bench.call('executions.list', { wallet, query: { limit: 100 } }).items;
      const own = all.map(({ execution_id: id }: { execution_id: string }) => id);
      const { ids } = known[wallet];
      expect(own.slice(0, ids.length)).toEqual(ids.toReversed());
      expect(own).toHaveLength(ids.length + (wallet === 'other' ? before : 0));
    }
  });
  const codes = ['duplicate_client_execution_id', 'below_order_minimum', 'trailing_limit'];
  const kinds = ['wrong_side_trigger', 'validation_failed params', 'taken', 'tracked'];
  if (isFull) expect(tried.rare([...codes, ...kinds], 10)).toEqual([]);
});

test('EXE-3: the legs of what a buyer or a seller got are of its side, its fill and its size', () => {
  for (const side of ['buy', 'sell'] as const) {
    const bench = createBench({ feeds: [feedOf([...ROWS, ...flat(100, 15)])] });
    bench.run(ROWS.length);
    const worse = side === 'buy' ? 1 : -1;
    const body = {
      algo: 'pacemaker',
      symbol: 'BTC',
      side,
      total_size: 4,
      params: { duration_seconds: 600, slices: 10 },
      stop_loss: { price: 100 - 5 * worse },
      take_profit: { price: 100 + 5 * worse },
    };
    const { execution_id: id } = bench.call('executions.launch', { body });
    bench.run(3);
    const stopped = bench.call('executions.stop', { pathParams: { id } });
    const average = stopped.average_price;
    for (const [kind, at] of [
      ['stop_loss', 95],
      ['take_profit', 105],
    ] as const)
      expect(stopped[kind]).toMatchObject({
        kind,
        status: 'armed',
        size: stopped.filled_size,
        resolution: {
          anchor_price: average,
          trigger_price: side === 'buy' ? at : 200 - at,
        },
      });
    expect(bench.named('ended').map(({ data }) => data)).toEqual([stopped]);
  }
});

describe('a level that moves while an execution is paused', () => {
  const drawnCase = fc.record({
    algo: fc.constantFrom('glidemaker', 'ghostsweep', 'smartexit'),
    isUp: fc.boolean(),
    period: fc.integer({ min: 2, max: 4 }),
    before: fc.integer({ min: 0, max: 2 }),
    paused: fc.integer({ min: 1, max: 5 }),
    after: fc.integer({ min: 0, max: 2 }),
  });

  test('counts from where it is at the resumption, for both sides', async () => {
    const tried = new Tried();
    await holdLaw(60, drawnCase, ({ algo, isUp, period, before, paused, after }) => {
      const towards = isUp ? 1 : -1;
      const step = (from: number, to: number): Row => [
        from,
        Math.max(from, to),
        Math.min(from, to),
        to,
        1e6,
      ];
      const course = Array.from({ length: 16 }, (_none, at) => 100 + towards * 0.2 * at);
      const rows = course.slice(1).map((to, at) => step(course[at]!, to));
      const turn = 5 + before + paused + after;
      const far = 100 - towards * 5;
      // It comes back by far more than it went.
      rows[turn] = step(course[turn]!, far);
      const bench = createBench({ feeds: [feedOf(rows)] });
      bench.run(5);
      const isBuy = (algo === 'smartexit') !== isUp;
      const from = { ...AVERAGE, params: { period }, track: true, min_move_bps: 0 };
      if (algo === 'smartexit')
        bench.order({ side: isUp ? 'buy' : 'sell', size: 1, order_type: 'market' });
      const body = {
        algo,
        symbol: 'BTC',
        side: isBuy ? 'buy' : 'sell',
        total_size: 1,
        ...(algo === 'glidemaker' && { params: { strategy: 'passive', limit_price_from: from } }),
        ...(algo === 'ghostsweep' && { trigger_from: from, sweep_limit_bps: 500 }),
        ...(algo === 'smartexit' && {
          params: { stop_price_from: from, take_price: 100 + towards * 20 },
          reduce_only: true,
        }),
      };
      const { execution_id: id } = bench.call('executions.launch', { body });
      const pathParams = { id };
      bench.run(before);
      bench.call('executions.pause', { pathParams });
      bench.run(paused);
      bench.call('executions.resume', { pathParams });
      bench.run(after);
      const moves = bench.named('entry_moved');
      expect(moves).toHaveLength(before + paused + after);
      const { trigger_price: at } = moves.at(-1)!.data as { trigger_price: number };
      const average = course.slice(turn + 1 - period, turn + 1);
      expect(at).toBeCloseTo(average.reduce((sum, close) => sum + close, 0) / period, 1);
      if (algo === 'glidemaker') {
        const [order]: OrderRecord[] = bench.call('orders.list').items;
        expect(order).toMatchObject({ execution_id: id, price: at });
      }
      // From its open a bar stays for a third, and is at its far end after the next.
      const share = (course[turn]! - at) / (course[turn]! - far);
      const crossed = START + turn * MINUTE + (MINUTE / 3) * (1 + share);
      bench.engine.advanceTo(Math.ceil(crossed) + 10);
      const { watches } = bench.engine.save().market;
      expect(watches.filter(({ topic }) => topic === 'execution')).toEqual([]);
      const orders: OrderRecord[] = bench.call('executions.orders', { pathParams }).items;
      if (algo !== 'glidemaker')
        expect(Math.abs((orders.at(-1)!['created_time'] as number) - crossed)).toBeLessThan(3);
      tried.take(`${algo} ${isUp}`);
    });
    const kinds = ['glidemaker', 'ghostsweep', 'smartexit'].flatMap((algo) =>
      [true, false].map((isUp) => `${algo} ${isUp}`),
    );
    if (isFull) expect(tried.rare(kinds, 10)).toEqual([]);
  });
});

test('a smart exit counts its patience from the first price that is reached, whatever the market does then', async () => {
  const drawnCase = fc.record({
    isLong: fc.boolean(),
    /** Where the price goes, minute by minute. */
    prices: fc.array(fc.constantFrom(97.5, 98.5, 99.5, 100, 100.5, 101.5, 102.5), {
      minLength: 4,
      maxLength: 8,
    }),
    patience: fc.constantFrom(10, 45, 75, 130),
    hasTake: fc.boolean(),
  });
  await holdLaw(60, drawnCase, ({ isLong, prices, patience, hasTake }) => {
    const towards = isLong ? 1 : -1;
    const [stop, take] = [100 - towards, 100 + towards];
    const step = (from: number, to: number): Row => {
      const [low, high] = [Math.min(from, to), Math.max(from, to)];
      // Without volume nothing of it fills.
      return [from, high, low, to, 0];
    };
    const all = [100, ...prices, ...Array.from({ length: 5 }, () => prices.at(-1)!)];
    const rows = [
      ...flat(100, 3),
      ...flat(100, 1, 0),
      ...all.slice(1).map((to, at) => step(all[at]!, to)),
    ];
    const bench = createBench({ feeds: [feedOf(rows)] });
    bench.run(3);
    bench.order({ side: isLong ? 'buy' : 'sell', size: 1, order_type: 'market' });
    bench.run(1);
    const body = {
      algo: 'smartexit',
      symbol: 'BTC',
      side: isLong ? 'sell' : 'buy',
      total_size: 1,
      reduce_only: true,
      params: {
        stop_price: stop,
        ...(hasTake && { take_price: take }),
        patience_seconds: patience,
      },
    };
    const { execution_id: id } = bench.call('executions.launch', { body });
    const phase = (): string => bench.call('executions.get', { pathParams: { id } }).phase;
    const [low, high] = [Math.min(stop, take), Math.max(stop, take)];
    const isStop = (level: number): boolean => level === stop || hasTake;
    let touched = Infinity;
    for (const [at, to] of all.slice(1).entries()) {
      const from = all[at]!;
      const level = to <= low && isStop(low) ? low : to >= high && isStop(high) ? high : null;
      if (level === null) continue;
      touched = START + (4 + at) * MINUTE + (MINUTE / 3) * (1 + (from - level) / (from - to));
      break;
    }
    const end = START + rows.length * MINUTE;
    for (const [time, expected] of [
      [touched - 3, 'armed'],
      [touched + 3, 'working'],
      [touched + patience * 1_000 - 3, 'working'],
      [touched + patience * 1_000 + 3, 'sweeping'],
    ] as const) {
      if (time >= end) {
        bench.engine.advanceTo(end - 1);
        expect(phase()).not.toBe('done');
        return;
      }
      bench.engine.advanceTo(Math.round(time));
      expect([time - touched, phase()]).toEqual([time - touched, expected]);
    }
  });
});

test('what is recorded of an execution does not depend on a listener', () => {
  const feeds = [feedOf(flat(100, 20))];
  const lives = [true, false].map((isHeard) => {
    const engine = createEngine({ feeds });
    if (isHeard) engine.listen(() => {});
    engine.addAccount('main', 100_000);
    const call = (endpoint: EndpointId, pathParams: Record<string, string>, body: unknown = null) =>
      engine.handlers[endpoint]!({
        endpoint,
        pathParams,
        query: {},
        body,
        wallet: 'main',
        idempotencyKey: null,
        requireScope: () => {},
      }).body as Record<string, string>;
    engine.advanceTo(START + 3 * MINUTE);
    const params = { duration_seconds: 600, slices: 10 };
    const body = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 4, params };
    const { execution_id: id } = call('executions.launch', {}, body);
    engine.advanceTo(START + 5 * MINUTE);
    for (const action of ['pause', 'resume', 'stop'] as const)
      call(`executions.${action}`, { id: id! });
    return [
      call('executions.get', { id: id! }),
      call('executions.events', { id: id! }) as unknown as { items: Array<{ event: string }> },
    ] as const;
  });
  expect(lives[1]).toEqual(lives[0]);
  const events = lives[0]![1].items.map(({ event }) => event).toReversed();
  expect(events.filter((event) => event !== 'progress')).toEqual([
    'started',
    'status',
    'status',
    'ended',
  ]);
  expect(lives[0]![1].items.at(0)).toMatchObject({ reason: 'user_stop' });
});
