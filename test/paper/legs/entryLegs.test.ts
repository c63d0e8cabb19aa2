/** Legs of an entry that moves, that fills at another price than its limit, or that fills in parts. */
import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat, type Row } from '../engine/bench.ts';

const WARM = 30;
const quiet: Row = [100, 101, 99, 100, 1_000];
/** An ATR of 2 after quiet bars. */
const atr = { indicator: 'atr', params: { period: 14 }, interval: '1m' };
const limit = { side: 'buy', size: 1, order_type: 'limit' };

function benchOf(rows: Row[]) {
  const warm = Array.from({ length: WARM }, () => quiet);
  const bench = createBench({ feeds: [feedOf([...warm, ...rows])] });
  bench.run(WARM);
  const get = (id: string) => bench.call('orders.get', { pathParams: { id } });
  const modify = (id: string, body: object) =>
    bench.call('orders.modify', { pathParams: { id }, body });
  const position = () => bench.call('positions.list').items[0];
  return { ...bench, get, modify, position };
}

describe('LEG-7: an entry’s legs are anchored to the price at which it enters', () => {
  test('LEG-2: an offset of a limit that takes at once is from its fill', () => {
    const { order, run, position } = benchOf(flat(100, 3));
    const made = order({ ...limit, price: 105, stop_loss: { offset: { mult: 1.5, ...atr } } });
    expect(made).toMatchObject({ status: 'filled', stop_loss: { status: 'armed' } });
    const { resolution } = made.stop_loss;
    expect(resolution).toMatchObject({ anchor: 'entry', anchor_price: made.average_price });
    expect(resolution.trigger_price).toBeCloseTo(made.average_price - 3, 2);
    run(2);
    expect(position()).toMatchObject({ size: 1 });
  });

  test('LEG-8: a price of such a limit is compared with what it takes, not with its limit', () => {
    const { order, refusal, call } = benchOf(flat(100, 3));
    const body = { symbol: 'BTC', ...limit, price: 105 };
    const refused = refusal('orders.place', { body: { ...body, stop_loss: { price: 102 } } });
    expect([refused.code, refused.details]).toEqual([
      'wrong_side_trigger',
      { resolved_value: 102, anchor_price: 100.01, leg: 'stop_loss' },
    ]);
    expect(call('positions.list').items).toEqual([]);
    const made = order({ ...body, take_profit: { price: 103 } });
    expect(made.take_profit).toMatchObject({ status: 'armed', size: 1 });
  });

  test('LEG-8: a leg that the fill puts on the wrong side is rejected, never clamped', () => {
    const { order, named } = benchOf(flat(100, 3));
    const made = order({ ...limit, size: 100, price: 105, take_profit: { price: 100.02 } });
    expect(made.average_price).toBeGreaterThan(100.02);
    expect(made.take_profit).toMatchObject({
      status: 'rejected',
      error: { code: 'wrong_side_trigger' },
    });
    expect(named('leg_rejected')).toHaveLength(1);
  });

  test('what was answered stands if the entry gets its price, whatever its indicator does until then', () => {
    const wild: Row[] = Array.from({ length: 5 }, () => [100, 108, 99.5, 100, 1_000]);
    const { order, run, get } = benchOf([...wild, [100, 100, 98.5, 99, 1_000], ...flat(99, 2)]);
    // Its price times its size and divided by it again is not quite its price.
    const size = 0.33;
    const placed = order({
      ...limit,
      size,
      price: 98.9,
      stop_loss: { offset: { mult: 2, ...atr } },
    });
    expect(placed.stop_loss.resolution).toMatchObject({ anchor_price: 98.9, trigger_price: 94.9 });
    run(6);
    expect(get(placed.order_id).stop_loss).toEqual({
      ...placed.stop_loss,
      status: 'armed',
      size,
    });
  });
});

test('LEG-4: a trail starts from the fill in any case, not from a bar of the placement', () => {
  const wild: Row[] = Array.from({ length: 5 }, () => [100, 108, 99.5, 100, 1_000]);
  const { order, run, get } = benchOf([...wild, [100, 100, 98.5, 99, 1_000], ...flat(99, 2)]);
  const stop_loss = { trail: { ...atr, mult: 1, min_move_bps: 9_000 } };
  const placed = order({ ...limit, price: 98.9, stop_loss });
  expect(placed.stop_loss.resolution).toMatchObject({ indicator_value: 2, trigger_price: 96.9 });
  run(6);
  const { status, resolution } = get(placed.order_id).stop_loss;
  expect([status, resolution.anchor_price]).toEqual(['armed', 98.9]);
  expect(resolution.indicator_value).toBeGreaterThan(2);
  expect(resolution.trigger_price).toBeCloseTo(98.9 - resolution.indicator_value, 2);
});

describe('LEG-7, LEG-8: an entry that is moved', () => {
  test('by PATCH: its relative legs follow, and are armed as they then are', () => {
    const { order, modify, run, get } = benchOf([[100, 100, 96.9, 97, 1_000], ...flat(97, 2)]);
    const placed = order({ ...limit, price: 99, stop_loss: { offset: { mult: 0.5, ...atr } } });
    expect(placed.stop_loss.resolution).toMatchObject({ anchor_price: 99, trigger_price: 98 });
    const moved = modify(placed.order_id, { price: 97.5 });
    expect(moved.stop_loss).toMatchObject({
      status: 'queued',
      resolution: { anchor: 'entry', anchor_price: 97.5, trigger_price: 96.5 },
    });
    run(1);
    expect(get(placed.order_id).stop_loss).toMatchObject({
      status: 'armed',
      resolution: { anchor_price: 97.5, trigger_price: 96.5 },
    });
  });

  test.each([
    ['buy', 98, { stop_loss: { price: 97 } }, 96.5],
    ['buy', 98, { take_profit: { price: 99 } }, 99.5],
    ['sell', 102, { stop_loss: { price: 103 } }, 103.5],
    ['sell', 102, { take_profit: { price: 101 } }, 100.5],
  ] as const)('by PATCH: a %s at %d with %o is not moved to %d', (side, price, legs, to) => {
    const { order, refusal, get } = benchOf(flat(100, 3));
    const placed = order({ ...limit, side, price, ...legs });
    const [[leg, { price: trigger }]] = Object.entries(legs) as [[string, { price: number }]];
    const pathParams = { id: placed.order_id };
    const refused = refusal('orders.modify', { pathParams, body: { price: to, size: 2 } });
    expect([refused.status, refused.code, refused.details]).toEqual([
      422,
      'wrong_side_trigger',
      { resolved_value: trigger, anchor_price: to, leg },
    ]);
    expect(get(placed.order_id)).toEqual(placed);
  });

  test('LEG-8: by PATCH: a price that crosses is compared as what it takes', () => {
    const { order, modify } = benchOf(flat(100, 2));
    const placed = order({ ...limit, price: 98, take_profit: { price: 105 } });
    // Its limit is beyond the target, and it takes at 100.
    const moved = modify(placed.order_id, { price: 110 });
    expect(moved).toMatchObject({ status: 'filled', take_profit: { status: 'armed' } });
  });

  test('by PATCH: a size alone leaves its legs as they were resolved', () => {
    const { order, modify, run } = benchOf([[100, 108, 99.5, 100, 1_000], ...flat(100, 3)]);
    const placed = order({ ...limit, price: 99, stop_loss: { offset: { mult: 0.5, ...atr } } });
    run(1);
    expect(modify(placed.order_id, { size: 2 }).stop_loss).toEqual(placed.stop_loss);
  });

  /** Closes whose lower band goes from 98.17 to 98.84 and 97.73, where the entry fills. */
  const towards: Row[] = [
    [100, 103, 100, 103, 1_000],
    [103, 103, 101, 101, 1_000],
    [101, 101, 99, 99, 1_000],
    [99, 99, 97.6, 97.7, 1_000],
    ...flat(97.7, 2),
  ];
  const price_from = {
    indicator: 'bollinger',
    params: { period: 3, std_dev: 2 },
    series: 'lower',
    interval: '1m',
    track: true,
  };

  test('TRK-2: by its level: its relative legs follow, so that the fill does not trigger its stop', () => {
    const { order, run, get, position, named } = benchOf(towards);
    run(1);
    const stop_loss = { offset: { mult: 0.2, ...atr } };
    const take_profit = { at: { ...price_from, track: undefined, series: 'mid' } };
    const placed = order({ ...limit, price_from, stop_loss, take_profit });
    expect(placed).toMatchObject({
      price: 98.17,
      stop_loss: { resolution: { anchor_price: 98.17 } },
      take_profit: { resolution: { trigger_price: 101 } },
    });
    run(1);
    expect(get(placed.order_id)).toMatchObject({
      price: 98.84,
      stop_loss: { resolution: { anchor_price: 98.84 } },
      take_profit: { resolution: { trigger_price: 101.33 } },
    });
    run(2);
    const filled = get(placed.order_id);
    expect(filled).toMatchObject({ status: 'filled', average_price: 97.73 });
    const { resolution, status } = filled.stop_loss;
    expect([status, resolution.anchor_price]).toEqual(['armed', 97.73]);
    expect(resolution.trigger_price).toBeCloseTo(97.73 - 0.2 * resolution.indicator_value, 2);
    expect(filled.take_profit).toMatchObject({
      status: 'armed',
      resolution: { trigger_price: 101 },
    });
    expect(named('leg_triggered')).toEqual([]);
    expect(position()).toMatchObject({ size: 1 });
  });

  test('TRK-5: by its level: it holds where a leg would be on the wrong side', () => {
    const { order, run, get, named } = benchOf(towards);
    run(1);
    const placed = order({ ...limit, price_from, stop_loss: { price: 97.9 } });
    run(2);
    expect(get(placed.order_id)).toMatchObject({
      price: 98.84,
      status: 'open',
      stop_loss: { status: 'queued', resolution: { anchor_price: 98.84, trigger_price: 97.9 } },
    });
    expect(named('entry_moved')).toMatchObject([{ data: { trigger_price: 98.84 } }]);
    expect(named('entry_hold')).toMatchObject([{ data: { trigger_price: 98.84, level: 97.73 } }]);
  });
});

describe('LEG-7: an entry that fills in parts', () => {
  const entry = { ...limit, size: 10, price: 99 };
  /** Four of ten fill on the way down to the first price. */
  const part = (low: number, high: number, end: number): Row => [100, high, low, end, 40];
  const dip: Row = [99.5, 99.5, 98.8, 99.5, 400];

  test.each([
    ['a stop', { stop_loss: { price: 98.5 } }, part(98, 100, 99.5)],
    ['a target', { take_profit: { price: 101 } }, part(98.9, 101.5, 99.5)],
    [
      'a stop of a pair',
      { stop_loss: { price: 98.5 }, take_profit: { price: 110 } },
      part(98, 100, 99.5),
    ],
  ])('what is left of it is cancelled when %s of it triggers', (_what, legs, row) => {
    const bench = benchOf([row, dip, ...flat(99.5, 2)]);
    const { order, run, get, position, named } = bench;
    const { order_id: id } = order({ ...entry, ...legs });
    run(1);
    expect(named('leg_triggered')).toHaveLength(1);
    expect(get(id)).toMatchObject({
      status: 'cancelled',
      filled_size: 4,
      reject_reason: 'leg_triggered',
    });
    // Its last frame shows its legs as a read does (ORD-2).
    const frames = bench.events.filter(
      ({ event, data }) => event === 'order' && (data as { order_id: string }).order_id === id,
    );
    expect(frames.at(-1)!.data).toEqual(get(id));
    run(2);
    expect([position(), get(id).filled_size]).toEqual([undefined, 4]);
  });

  const triggers = { pathParams: { symbol: 'BTC' } };

  test.each([
    ['a stop', { price: 98 }],
    ['a trailing stop', { trail: { pct: 1, interval: '1m' } }],
  ])('%s of it waits for its next fill when the position is closed before', (_what, stop_loss) => {
    const quietly = flat(99.5, 2);
    const fall: Row = [99.5, 99.5, 97.9, 98, 1_000];
    const rows = [part(98.9, 100, 99.5), ...quietly, dip, fall, ...flat(98, 2)];
    const { order, run, get, call, position, named } = benchOf(rows);
    const { order_id: id, stop_loss: placed } = order({ ...entry, stop_loss });
    run(1);
    expect(get(id).stop_loss).toMatchObject({ status: 'armed', size: 4 });
    // The volume of the bar in which it filled is used up.
    run(1);
    call('positions.close', triggers);
    expect(get(id)).toMatchObject({
      status: 'open',
      queued: true,
      stop_loss: { status: 'queued' },
    });
    expect(named('leg_retired')).toMatchObject([
      { data: { leg_id: placed.leg_id, status: 'queued' } },
    ]);
    const moves = named('trail_moved').length;
    run(1);
    expect(named('trail_moved')).toHaveLength(moves);
    run(1);
    expect(get(id)).toMatchObject({ status: 'filled', stop_loss: { status: 'armed' } });
    expect(named('leg_armed')).toHaveLength(2);
    expect(position()).toMatchObject({ size: 6 });
    run(1);
    expect(position()).toBeUndefined();
    expect(get(id).stop_loss).toMatchObject({ status: 'triggered', size: 6 });
  });

  test('a leg of it that waits is anchored to its next fill, not to those that are closed', () => {
    const lower: Row = [96, 96, 94.9, 95.5, 400];
    const rows = [part(98.9, 100, 99.5), ...flat(99.5, 1), ...flat(96, 1), lower, ...flat(95.5, 2)];
    const { order, run, get, call, modify, position, named } = benchOf(rows);
    const { order_id: id } = order({ ...entry, stop_loss: { trail: { pct: 1, interval: '1m' } } });
    run(2);
    call('positions.close', triggers);
    expect(modify(id, { price: 95.2 }).stop_loss.status).toBe('queued');
    run(2);
    expect(get(id)).toMatchObject({
      status: 'filled',
      stop_loss: { status: 'armed', resolution: { anchor_price: 95.2 } },
    });
    expect(named('leg_triggered')).toEqual([]);
    expect(position()).toMatchObject({ size: 6 });
  });

  test('a target of it that waits is not reached', () => {
    const rise: Row = [99.5, 102, 99.5, 99.5, 1_000];
    const rows = [part(98.9, 100, 99.5), ...flat(99.5, 1), rise, dip, ...flat(99.5, 2)];
    const { order, run, get, call, position, named } = benchOf(rows);
    const { order_id: id } = order({ ...entry, take_profit: { price: 101 } });
    run(2);
    call('positions.close', triggers);
    run(1);
    expect([named('leg_triggered'), get(id).take_profit.status]).toEqual([[], 'queued']);
    run(1);
    expect(get(id).take_profit).toMatchObject({ status: 'armed' });
    expect(position()).toMatchObject({ size: 6 });
  });

  test('by PATCH: a leg that is armed already stays where it is', () => {
    const { order, run, get, modify } = benchOf([part(98.9, 100, 99.5), ...flat(99.5, 3)]);
    const stop_loss = { offset: { mult: 0.4, ...atr } };
    const { order_id: id } = order({ ...entry, stop_loss });
    run(1);
    const before = get(id).stop_loss;
    expect(before).toMatchObject({ status: 'armed', resolution: { trigger_price: 98.2 } });
    expect(modify(id, { price: 97 }).stop_loss).toEqual(before);
  });

  test('a leg that waits again retires with the order', () => {
    const { order, run, get, call } = benchOf([part(98.9, 100, 99.5), ...flat(99.5, 3)]);
    const { order_id: id } = order({ ...entry, stop_loss: { price: 98 } });
    run(2);
    call('positions.close', triggers);
    call('orders.cancel', { pathParams: { id } });
    expect(get(id).stop_loss.status).toBe('retired');
  });
});

test('ORD-2: the frame of an entry that fills shows its legs as a read does, before its position', () => {
  const { order, run, get, events } = benchOf([[100, 100, 98.5, 99, 1_000], ...flat(99, 2)]);
  const { order_id: id } = order({
    ...limit,
    price: 99,
    stop_loss: { price: 98 },
    take_profit: { price: 101 },
  });
  const before = events.length;
  run(1);
  const after = events.slice(before);
  const names = ['fill', 'leg_armed', 'leg_armed', 'order', 'position'];
  expect(after.map(({ event }) => event).filter((event) => names.includes(event))).toEqual(names);
  const shown = after.filter(({ event }) => event === 'order').map(({ data }) => data);
  expect(shown).toEqual([get(id)]);
  expect(get(id).stop_loss.status).toBe('armed');
});

test('ORD-2: the frame of an entry that only closed the other side shows that its legs retired', () => {
  const { order, run, get, events } = benchOf([[100, 100, 98.5, 99, 1_000], ...flat(99, 2)]);
  order({ side: 'sell', size: 3, order_type: 'market' });
  const { order_id: id } = order({ ...limit, price: 99, stop_loss: { price: 98 } });
  run(1);
  const shown = events.filter(
    ({ event, data }) => event === 'order' && (data as { order_id: string }).order_id === id,
  );
  expect(get(id)).toMatchObject({ status: 'filled', stop_loss: { status: 'retired' } });
  expect(shown.at(-1)!.data).toEqual(get(id));
});
