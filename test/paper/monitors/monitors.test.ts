import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

const move = (from: number, to: number): Row => [
  from,
  Math.max(from, to),
  Math.min(from, to),
  to,
  1_000,
];
const path = (...prices: number[]): Row[] =>
  prices.slice(1).map((price, index) => move(prices[index]!, price));

function bench(rows: Row[]) {
  const made = createBench({ feeds: [feedOf([...flat(100, 5), ...rows])] });
  made.run(5);
  const buy = {
    type: 'order',
    request: { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' },
  };
  const create = (trigger: object, rest: object = {}) =>
    made.call('monitors.create', {
      body: { trigger: { symbol: 'BTC', ...trigger }, action: buy, ...rest },
    });
  const get = (id: string) => made.call('monitors.get', { pathParams: { id } });
  const control = (action: string, id: string) =>
    made.call(`monitors.${action}` as EndpointId, { pathParams: { id } });
  return { ...made, create, get, control, buy };
}

const above = (price: number) => ({ type: 'price_level', price, direction: 'above' });
const below = (price: number) => ({ type: 'price_level', price, direction: 'below' });

describe('MON-1: triggers', () => {
  test('a price level fires in the millisecond in which the mark crosses it', () => {
    const { create, run, get, call } = bench(path(100, 104, 104));
    const { monitor_id: id } = create(above(102));
    run(1);
    expect(get(id)).toMatchObject({ status: 'fired', fired_count: 1 });
    expect(get(id).last_fired_time).toBe(START + 5 * MINUTE + 30_000);
    expect(call('positions.list').items).toMatchObject([{ size: 1 }]);
  });

  test('a condition that is already true waits until the other side was seen', () => {
    const { create, run, get } = bench(path(100, 101, 98, 101));
    const { monitor_id: id } = create(above(99));
    run(1);
    expect(get(id).fired_count).toBe(0);
    run(1);
    expect(get(id).fired_count).toBe(0);
    run(1);
    expect(get(id)).toMatchObject({ status: 'fired', fired_count: 1 });
  });

  test('RULE-1: a level off the grid is refused', () => {
    const { create, refusal, buy } = bench(flat(100, 5));
    const trigger = { symbol: 'BTC', ...above(102.005) };
    const refused = refusal('monitors.create', { body: { trigger, action: buy } });
    expect(refused.code).toBe('validation_failed');
    expect(create(above(102.01)).status).toBe('armed');
  });

  test.each([
    ['order', 'price', { size: 1, order_type: 'limit', price: 100.005 }],
    ['order', 'stop_loss.price', { size: 1, order_type: 'market', stop_loss: { price: 90.005 } }],
    ['order', 'size', { size: 1.0000001, order_type: 'market' }],
    [
      'execute',
      'params.limit_price',
      { algo: 'pacemaker', total_size: 1, params: { duration_seconds: 60, limit_price: 100.005 } },
    ],
    [
      'execute',
      'sweep_limit',
      { algo: 'ghostsweep', total_size: 1, params: { trigger_price: 101 }, sweep_limit: 101.005 },
    ],
    [
      'execute',
      'take_profit.price',
      {
        algo: 'pacemaker',
        total_size: 1,
        params: { duration_seconds: 60 },
        take_profit: { price: 110.005 },
      },
    ],
  ])('RULE-3: an %s whose %s is off the grid whenever it acts is refused', (type, field, more) => {
    const { refusal, call } = bench(flat(100, 5));
    const trigger = { symbol: 'BTC', ...above(102) };
    const action = { type, request: { symbol: 'BTC', side: 'buy', ...more } };
    const { details } = refusal('monitors.create', { body: { trigger, action } });
    expect(details['fields']).toMatchObject([{ path: `action.request.${field}` }]);
    expect(call('monitors.list').items).toEqual([]);
  });

  test('touching the level does not count as the other side', () => {
    const { create, run, get } = bench(path(100, 99, 101));
    const { monitor_id: id } = create(above(99));
    run(2);
    expect(get(id).fired_count).toBe(0);
  });

  test('an indicator level follows closed bars', () => {
    const { create, run, get } = bench(path(100, 104, 105, 106, 101, 100));
    const level = { indicator: 'sma', params: { period: 3 }, interval: '1m' };
    const { monitor_id: id } = create({ type: 'indicator_level', ...level, direction: 'below' });
    run(3);
    expect(get(id).fired_count).toBe(0);
    run(1);
    // The level is at 105 then; at creation it was at 100.
    const fired = get(id);
    expect(fired.fired_count).toBe(1);
    expect(fired.last_fired_time).toBeLessThan(START + 9 * MINUTE);
  });

  test('LEG-3: two series of one indicator are two levels', () => {
    const { create, run, get } = bench(path(100, 102, 100, 102, 100, 100, 101.5, 101.5));
    const level = { indicator: 'bollinger', params: { period: 4 }, interval: '1m' };
    run(4);
    const ids = ['upper', 'mid'].map((series) => {
      const trigger = { type: 'indicator_level', ...level, series, direction: 'above' };
      return create(trigger).monitor_id as string;
    });
    // After this bar the middle is at 100.5 and the upper band above 102.
    run(1);
    expect(ids.map((id) => get(id).status)).toEqual(['armed', 'armed']);
    run(1);
    expect(ids.map((id) => get(id).status)).toEqual(['armed', 'fired']);
  });

  test('a level that the close moves away is not reached by that close', () => {
    const { create, run, get } = bench([...path(100, 101, 99), [99, 103, 98, 100, 1_000]]);
    run(2);
    const level = { indicator: 'sma', params: { period: 2 }, interval: '1m' };
    const trigger = { type: 'indicator_level', ...level, direction: 'below' };
    const { monitor_id: id } = create(trigger);
    // It was above 100 meanwhile and ends there, where the level was until then; it is at 99.5 now.
    run(1);
    expect(get(id)).toMatchObject({ status: 'armed', fired_count: 0 });
  });

  test('rearm: true fires at each crossing, and needs the other side in between', () => {
    const { create, run, get } = bench(path(100, 104, 103, 104, 100, 104));
    const { monitor_id: id } = create(above(102), { rearm: true });
    run(3);
    expect(get(id)).toMatchObject({ status: 'armed', fired_count: 1 });
    run(2);
    expect(get(id)).toMatchObject({ status: 'armed', fired_count: 2 });
  });

  test('an oscillator that is not ready refuses the monitor', () => {
    const { refusal, buy } = bench(flat(100, 5));
    const trigger = {
      type: 'indicator_level',
      symbol: 'BTC',
      indicator: 'sma',
      params: { period: 50 },
      interval: '1m',
      direction: 'above',
    };
    const refused = refusal('monitors.create', { body: { trigger, action: buy } });
    expect(refused.code).toBe('indicator_not_ready');
  });
});

describe('controls', () => {
  test('a failed action records its error; rearm arms it again', () => {
    const { create, run, get, control } = bench(path(100, 104, 100, 104));
    const big = { symbol: 'BTC', side: 'buy', size: 90_000, order_type: 'market' };
    const { monitor_id: id } = create(above(102), { action: { type: 'order', request: big } });
    run(1);
    expect(get(id)).toMatchObject({
      status: 'failed',
      fired_count: 0,
      last_error: { code: 'insufficient_margin', details: { required: expect.any(Number) } },
    });
    expect(control('rearm', id).status).toBe('armed');
    run(2);
    expect(get(id).status).toBe('failed');
  });

  test('an action that succeeds after it failed leaves no error', () => {
    const made = bench(path(100, 104, 100, 104));
    const request = {
      symbol: 'BTC',
      side: 'sell',
      size: 1,
      order_type: 'market',
      reduce_only: true,
    };
    const { monitor_id: id } = made.create(above(102), { action: { type: 'order', request } });
    made.run(1);
    expect(made.get(id)).toMatchObject({ status: 'failed', last_error: { code: 'no_position' } });
    made.order({ side: 'buy', size: 1, order_type: 'market' });
    made.control('rearm', id);
    made.run(2);
    expect(made.get(id)).toMatchObject({ status: 'fired', fired_count: 1, last_error: null });
  });

  test.each(['order', 'execute'] as const)(
    'RULE-1: the size of an %s is of its own market',
    (type) => {
      const feeds = ['BTC', 'ETH'].map((symbol) => feedOf(flat(100, 10), { symbol }));
      const grid = (size_decimals: number) => ({ size_decimals, price_decimals: 2 });
      const made = createBench({ feeds, instruments: { BTC: grid(1), ETH: grid(3) } });
      made.run(5);
      const body = (trigger: string, symbol: string) => ({
        trigger: { ...above(110), symbol: trigger },
        action: {
          type,
          request: {
            symbol,
            side: 'buy',
            ...(type === 'order'
              ? { size: 2.125, order_type: 'market' }
              : { algo: 'pacemaker', total_size: 2.125, params: { duration_seconds: 60 } }),
          },
        },
      });
      expect(made.call('monitors.create', { body: body('BTC', 'ETH') }).status).toBe('armed');
      const refused = made.refusal('monitors.create', { body: body('ETH', 'BTC') });
      expect(refused.code).toBe('validation_failed');
    },
  );

  test('a launch that could not start is a failed action', () => {
    const { create, run, get } = bench(path(100, 104));
    const request = {
      algo: 'pacemaker',
      symbol: 'BTC',
      side: 'sell',
      total_size: 1,
      reduce_only: true,
      params: { duration_seconds: 60 },
    };
    const { monitor_id: id } = create(above(102), { action: { type: 'execute', request } });
    run(1);
    expect(get(id)).toMatchObject({
      status: 'failed',
      last_error: { code: 'no_position', details: { reason: 'nothing_to_reduce' } },
    });
  });

  test.each([
    ['price_bound', { order_type: 'market', slippage_bps: 0 }, 1_000],
    ['price_bound', { order_type: 'limit', price: 101, time_in_force: 'ioc' }, 1_000],
    ['volume', { order_type: 'market' }, 0],
  ] as const)(
    'an order that ended without a fill is a failed action: %s %o',
    (reason, terms, volume) => {
      const { create, run, get, call } = bench([[100, 100, 100, 100, volume], ...path(100, 104)]);
      run(1);
      const request = { symbol: 'BTC', side: 'buy', size: 1, ...terms };
      const { monitor_id: id } = create(above(102), {
        action: { type: 'order', request },
        rearm: true,
      });
      run(1);
      const [{ order_id: orderId, status }] = call('orders.history').items;
      expect(status).toBe('cancelled');
      expect(get(id)).toMatchObject({
        status: 'failed',
        fired_count: 0,
        last_fired_time: null,
        last_error: { code: reason, details: { order_id: orderId, reason } },
      });
      expect(get(id).last_error.message).toContain(reason);
    },
  );

  const LAUNCHES = {
    pacemaker: { params: { duration_seconds: 60 } },
    glidemaker: { params: { limit_price: 100, strategy: 'passive' } },
    smartexit: { params: { stop_price: 95 } },
    flowscale: { params: { min_price: 90, max_price: 110 } },
  } as const;

  test.each(
    (['pacemaker', 'glidemaker', 'smartexit', 'flowscale'] as const).flatMap((algo) =>
      [0, 1].flatMap((held) =>
        [1, 2, 90_000].flatMap((size) =>
          [true, false].map((only) => [algo, size, held, only] as const),
        ),
      ),
    ),
  )('a launch is fired unless it ended at once: %s of %d over %d, reduce-only %j', (...one) => {
    const [algo, size, held, only] = one;
    const terms = { side: 'sell', total_size: size, reduce_only: only, ...LAUNCHES[algo] };
    const request = { algo, symbol: 'BTC', ...terms };
    const open = () => {
      const made = bench(path(100, 104, 104, 104));
      if (held > 0) made.order({ side: 'buy', size: held, order_type: 'market' });
      return made;
    };
    // The same launch by hand, at the instant of the crossing.
    const byHand = open();
    byHand.run(1);
    const launched = byHand.call('executions.launch', { body: request });
    const hasEnded = launched.status === 'stopped' && launched.filled_size === 0;
    const made = open();
    const { monitor_id: id } = made.create(above(104), { action: { type: 'execute', request } });
    made.run(1);
    const code = launched.reason === 'nothing_to_reduce' ? 'no_position' : launched.reason;
    expect(made.get(id)).toMatchObject(
      hasEnded
        ? { status: 'failed', fired_count: 0, last_error: { code } }
        : { status: 'fired', fired_count: 1, last_error: null },
    );
  });

  test('pause, resume, stop, rearm: an invalid transition is 409', () => {
    const { create, control, refusal } = bench(flat(100, 5));
    const { monitor_id: id } = create(above(102));
    const refused = (action: string) =>
      refusal(`monitors.${action}` as EndpointId, { pathParams: { id } }).code;
    expect(refused('resume')).toBe('invalid_transition');
    expect(refused('rearm')).toBe('invalid_transition');
    expect(control('pause', id).status).toBe('paused');
    expect(refused('pause')).toBe('invalid_transition');
    expect(control('resume', id).status).toBe('armed');
    expect(control('stop', id).status).toBe('stopped');
    for (const action of ['stop', 'pause', 'resume', 'rearm']) {
      expect(refused(action)).toBe('invalid_transition');
    }
  });

  test('a paused monitor ignores crossings', () => {
    const { create, run, get, control } = bench(path(100, 104, 104, 100, 104));
    const { monitor_id: id } = create(above(102));
    control('pause', id);
    run(1);
    control('resume', id);
    run(1);
    expect(get(id).fired_count).toBe(0);
    run(2);
    expect(get(id).fired_count).toBe(1);
  });

  test('the -all controls affect all applicable monitors; DELETE removes', () => {
    const { create, call, refusal } = bench(flat(100, 5));
    const ids = [101, 102, 103].map((price) => create(above(price)).monitor_id);
    call('monitors.stop', { pathParams: { id: ids[1] } });
    const reported = (name: EndpointId) => call(name).results.map(({ id }: { id: string }) => id);
    expect(reported('monitors.pauseAll')).toEqual([ids[0], ids[2]]);
    expect(reported('monitors.resumeAll')).toEqual([ids[0], ids[2]]);
    call('monitors.remove', { pathParams: { id: ids[0] } });
    expect(refusal('monitors.get', { pathParams: { id: ids[0] } }).code).toBe('not_found');
    expect(reported('monitors.stopAll')).toEqual([ids[2]]);
  });
});

describe('groups', () => {
  const grouped = (mode: 'oco' | 'none') => {
    const made = bench(path(100, 104, 96));
    const ids = [made.create(above(102)).monitor_id, made.create(below(98)).monitor_id];
    const group = made.call('monitors.createGroup', { body: { mode, monitor_ids: ids } });
    made.run(2);
    return { ...made, ids, group };
  };

  test('oco: the first to fire successfully stops the others', () => {
    const { ids, get, group, call } = grouped('oco');
    expect(group).toMatchObject({ mode: 'oco', status: 'armed', monitor_ids: ids });
    expect(ids.map((id) => get(id).status)).toEqual(['fired', 'stopped']);
    expect(call('monitors.groups').items).toMatchObject([{ status: 'fired' }]);
  });

  test('its members that can act are published with it, as what they are', () => {
    const made = bench(path(100, 104, 104));
    const ids = [above(900), below(10), above(102), above(901)].map(
      (trigger) => made.create(trigger).monitor_id as string,
    );
    made.control('pause', ids[1]!);
    made.run(2);
    made.control('stop', ids[3]!);
    const before = made.events.length;
    const body = { mode: 'oco', monitor_ids: ids };
    const { group_id } = made.call('monitors.createGroup', { body });
    const shown = made.events.slice(before).map(({ event, data }) => [event, data]);
    expect(shown).toMatchObject([
      ['armed', { monitor_id: ids[0], group_id, status: 'armed' }],
      ['paused', { monitor_id: ids[1], group_id, status: 'paused' }],
    ]);
  });

  test('a group that can still act is kept, however many came after it, over a restart too', () => {
    const options = { feeds: [feedOf([...flat(100, 5), ...path(100, 104, 96)])], retention: 1 };
    const first = createBench(options);
    const request = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' };
    const pair = (made: typeof first, ...triggers: object[]): string[] => {
      const ids = triggers.map((trigger) => {
        const body = { trigger: { symbol: 'BTC', ...trigger }, action: { type: 'order', request } };
        return made.call('monitors.create', { body }).monitor_id as string;
      });
      made.call('monitors.createGroup', { body: { mode: 'oco', monitor_ids: ids } });
      return ids;
    };
    first.run(5);
    const ids = pair(first, above(102), below(98));
    for (let at = 0; at < 4; at++) {
      const others = pair(first, above(900), below(10));
      for (const id of others) first.call('monitors.stop', { pathParams: { id } });
    }
    const saved = JSON.parse(JSON.stringify(first.engine.save())) as typeof options;
    for (const made of [first, createBench({ ...options, saved } as typeof options)]) {
      // Groups whose monitors have all stopped are dropped as usual.
      expect(made.call('monitors.groups').items.length).toBeLessThan(4);
      made.run(2);
      const statuses = ids.map((id) => made.call('monitors.get', { pathParams: { id } }).status);
      expect(statuses).toEqual(['fired', 'stopped']);
    }
  });

  test('none: monitors are independent', () => {
    const { ids, get } = grouped('none');
    expect(ids.map((id) => get(id).status)).toEqual(['fired', 'fired']);
  });

  test('POS-4: an unwind that closed nothing stops no other monitor', () => {
    const made = bench(path(100, 96, 104, 104));
    made.order({ side: 'buy', size: 1, order_type: 'market' });
    const unwind = (price: number, unwind_algo: string, unwind_params: object) => ({
      price,
      exit_style: 'algo_unwind',
      unwind_algo,
      unwind_params,
    });
    // A bid is below the mark, so that nothing is offered inside a limit at the trigger.
    const { legs } = made.call('positions.attachLegs', {
      pathParams: { symbol: 'BTC' },
      body: {
        stop_loss: unwind(98, 'ghostsweep', { sweep_limit_bps: 0 }),
        take_profit: unwind(103, 'pacemaker', { duration_seconds: 60, slices: 1 }),
      },
    });
    made.run(1);
    const [execution] = made.call('executions.list').items;
    expect(execution).toMatchObject({ status: 'stopped', reason: 'sweep_limit', filled_size: 0 });
    expect(made.get(legs.stop_loss.monitor_id)).toMatchObject({
      status: 'failed',
      fired_count: 0,
      last_error: {
        code: 'sweep_limit',
        details: { execution_id: execution.execution_id, reason: 'sweep_limit' },
      },
    });
    expect(made.get(legs.take_profit.monitor_id).status).toBe('armed');
    made.run(1);
    expect(made.get(legs.take_profit.monitor_id).status).toBe('fired');
    expect(made.call('positions.list').items).toEqual([]);
  });

  test('POS-4: a failed action stops no other monitor', () => {
    const made = bench(path(100, 104, 96));
    const request = { symbol: 'BTC', side: 'buy', size: 90_000, order_type: 'market' };
    const first = made.create(above(102), { action: { type: 'order', request } }).monitor_id;
    const second = made.create(below(98)).monitor_id;
    made.call('monitors.createGroup', { body: { mode: 'oco', monitor_ids: [first, second] } });
    made.run(1);
    expect([made.get(first).status, made.get(second).status]).toEqual(['failed', 'armed']);
    made.run(1);
    expect(made.get(second).status).toBe('fired');
  });

  test('the status of a group is that of its liveliest member', () => {
    const made = bench(path(100, 104));
    const request = { symbol: 'BTC', side: 'buy', size: 90_000, order_type: 'market' };
    const order = ['armed', 'paused', 'fired', 'failed', 'stopped'];
    const create = (status: string): string => {
      const fails = status === 'failed' && { action: { type: 'order', request } };
      const price = ['fired', 'failed'].includes(status) ? 102 : 110;
      return made.create(above(price), fails || {}).monitor_id;
    };
    const pairs = order.flatMap((one) => order.map((other) => [one, other]));
    const groups = pairs.map((statuses) => {
      const ids = statuses.map(create);
      const body = { mode: 'none', monitor_ids: ids };
      return { statuses, ids, group: made.call('monitors.createGroup', { body }).group_id };
    });
    made.run(1);
    for (const { statuses, ids } of groups)
      for (const [at, id] of ids.entries()) {
        if (statuses[at] === 'paused') made.control('pause', id);
        if (statuses[at] === 'stopped') made.control('stop', id);
        expect(made.get(id).status).toBe(statuses[at]);
      }
    const shown = made.call('monitors.groups', { query: { limit: 100 } }).items;
    for (const { statuses, group } of groups) {
      const { status } = shown.find((each: { group_id: string }) => each.group_id === group);
      expect([statuses, status]).toEqual([statuses, order.find((each) => statuses.includes(each))]);
    }
  });

  test('POS-4: an unwind that closed a part has fired', () => {
    const thin = flat(100, 1, 20);
    const made = bench([...thin, ...path(100, 96, 96)]);
    made.order({ side: 'buy', size: 5, order_type: 'market' });
    made.run(1);
    const unwind = { exit_style: 'algo_unwind', unwind_algo: 'ghostsweep', unwind_params: {} };
    const { legs } = made.call('positions.attachLegs', {
      pathParams: { symbol: 'BTC' },
      body: { stop_loss: { price: 98, ...unwind }, take_profit: { price: 103, ...unwind } },
    });
    made.run(1);
    expect(made.call('executions.list').items).toMatchObject([
      { status: 'stopped', reason: 'sweep_limit', filled_size: 2 },
    ]);
    expect(made.get(legs.stop_loss.monitor_id)).toMatchObject({
      status: 'fired',
      last_error: null,
    });
    expect(made.get(legs.take_profit.monitor_id).status).toBe('stopped');
  });

  test('a monitor is in one group at most', () => {
    const made = bench(flat(100, 5));
    const id = made.create(above(102)).monitor_id;
    const body = { mode: 'none', monitor_ids: [id] };
    made.call('monitors.createGroup', { body });
    expect(made.refusal('monitors.createGroup', { body }).details).toMatchObject({
      fields: [{ path: 'monitor_ids', code: 'grouped_already' }],
    });
  });
});

describe('algo_unwind (POS-3 to POS-5)', () => {
  const open = (rows: Row[], size = 10) => {
    const made = bench(rows);
    made.order({ side: 'buy', size, order_type: 'market' });
    const attach = (body: object) =>
      made.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    const refuse = (body: object) =>
      made.refusal('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    return { ...made, attach, refuse };
  };
  const unwind = (algo: string, params?: object) => ({
    exit_style: 'algo_unwind',
    unwind_algo: algo,
    ...(params && { unwind_params: params }),
  });
  const pace = unwind('pacemaker', { duration_seconds: 60, slices: 1 });

  test('POS-3: price legs compile to price_level monitors, a pair to an oco group', () => {
    const { attach, get, call, events } = open(path(100, 101));
    const { legs, group_id: group } = attach({
      take_profit: { price: 105, ...pace },
      stop_loss: { price: 95, ...pace },
    });
    expect(legs.stop_loss).toMatchObject({ exit_style: 'algo_unwind', status: 'armed' });
    expect(get(legs.stop_loss.monitor_id)).toMatchObject({
      group_id: group,
      status: 'armed',
      trigger: { type: 'price_level', price: 95, direction: 'below' },
      action: {
        type: 'execute',
        request: { algo: 'pacemaker', side: 'sell', total_size: 10, reduce_only: true },
      },
    });
    expect(get(legs.take_profit.monitor_id).trigger).toMatchObject({ direction: 'above' });
    expect(call('monitors.groups').items).toMatchObject([{ group_id: group, mode: 'oco' }]);
    const first = events.filter(({ channel }) => channel === 'monitors').map(({ data }) => data);
    expect(first).toMatchObject([{ group_id: group }, { group_id: group }]);
  });

  test('POS-3: an at leg compiles to an indicator_level monitor that keeps reading', () => {
    const made = bench(path(100, 104, 105, 106, 101));
    made.order({ side: 'buy', size: 10, order_type: 'market' });
    made.run(2);
    const at = { indicator: 'sma', params: { period: 3 }, interval: '1m' };
    const { legs } = made.call('positions.attachLegs', {
      pathParams: { symbol: 'BTC' },
      body: { stop_loss: { at, ...pace } },
    });
    expect(legs.stop_loss.resolution).toMatchObject({ indicator_value: 103, trigger_price: 103 });
    const monitor = () => made.get(legs.stop_loss.monitor_id);
    expect(monitor().trigger).toEqual({
      type: 'indicator_level',
      symbol: 'BTC',
      direction: 'below',
      ...at,
    });
    made.run(2);
    // One bar later the level was at 105; the fall from 106 reached it in the first quarter.
    expect(monitor().status).toBe('fired');
    const elapsed = monitor().last_fired_time - (START + 8 * MINUTE);
    expect(elapsed).toBeGreaterThan(20_000);
    expect(elapsed).toBeLessThan(30_000);
  });

  test('LEG-3: an at leg reads the series that it names', () => {
    const made = bench(path(100, 104, 100, 104, 96));
    made.order({ side: 'buy', size: 10, order_type: 'market' });
    made.run(3);
    const params = { period: 3 };
    const at = { indicator: 'bollinger', series: 'lower', params, interval: '1m' };
    const body = { stop_loss: { at, ...pace } };
    const { legs } = made.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    const monitor = () => made.get(legs.stop_loss.monitor_id);
    expect(monitor().trigger).toMatchObject(at);
    made.run(2);
    expect(monitor().status).toBe('fired');
  });

  test('POS-2: a native stop that waits for volume ends the target that an algorithm serves', () => {
    const rows: Row[] = [...flat(100, 1, 10), [100, 100, 96, 96, 10], ...flat(96, 3, 10)];
    const { attach, run, get, call } = open(rows);
    const { legs } = attach({
      stop_loss: { price: 98 },
      take_profit: { price: 110, ...pace },
    });
    run(2);
    expect(call('positions.list').items[0].size).toBeGreaterThan(0);
    expect(get(legs.take_profit.monitor_id).status).toBe('stopped');
    expect(call('positions.legs', { pathParams: { symbol: 'BTC' } }).items).toEqual([]);
  });

  test('LEG-10: a leg just at the least value of its algorithm is taken', () => {
    const instruments = { BTC: { price_decimals: 2, algo_min_value: 950, min_order_value: 10 } };
    const made = createBench({ feeds: [feedOf(flat(100, 10))], instruments });
    made.run(5);
    made.order({ side: 'buy', size: 10, order_type: 'market' });
    const legOf = (price: number) => ({
      pathParams: { symbol: 'BTC' },
      body: { stop_loss: { price, ...unwind('glidemaker') } },
    });
    expect(made.refusal('positions.attachLegs', legOf(94.99)).code).toBe('below_algo_minimum');
    expect(made.call('positions.attachLegs', legOf(95)).legs.stop_loss.status).toBe('armed');
  });

  test.each(['buy', 'sell'] as const)('POS-3: what a %s’s unwinding legs launch', (side) => {
    const made = bench(flat(100, 5));
    made.order({ side, size: 10, order_type: 'market' });
    const sign = side === 'buy' ? 1 : -1;
    const price = 100 - 4 * sign;
    const launched = (algo: string, params: object, more: object = {}) => {
      const { legs } = made.call('positions.attachLegs', {
        pathParams: { symbol: 'BTC' },
        body: { stop_loss: { price, ...unwind(algo, params), ...more } },
      });
      return made.get(legs.stop_loss.monitor_id).action.request;
    };
    const base = {
      symbol: 'BTC',
      side: side === 'buy' ? 'sell' : 'buy',
      total_size: 10,
      reduce_only: true,
    };
    const timed = { duration_seconds: 60 };
    expect(launched('pacemaker', timed)).toEqual({ algo: 'pacemaker', ...base, params: timed });
    expect(launched('smartexit', { patience_seconds: 5 })).toEqual({
      algo: 'smartexit',
      ...base,
      params: { patience_seconds: 5, stop_price: price },
    });
    expect(launched('ghostsweep', { sweep_limit_bps: 70 })).toEqual({
      algo: 'ghostsweep',
      ...base,
      params: { trigger_price: price },
      sweep_limit_bps: 70,
    });
    // It may go one per cent past its trigger, and its strategy is the default unless it is given.
    const limit_price = Math.round(price * (1 - 0.01 * sign) * 100) / 100;
    for (const params of [{}, { strategy: 'passive' }])
      expect(launched('glidemaker', params)).toEqual({
        algo: 'glidemaker',
        ...base,
        params: { strategy: 'aggressive', ...params, limit_price },
      });
  });

  for (const [algo, params] of [
    ['pacemaker', { duration_seconds: 60, slices: 1 }],
    ['glidemaker', undefined],
    ['smartexit', { patience_seconds: 0 }],
    ['ghostsweep', { sweep_limit_bps: 200 }],
  ] as const) {
    test(`${algo} unwinds the position once the trigger is reached, and its counterpart stops`, () => {
      const { attach, run, get, call, events } = open([...path(100, 96), ...flat(96, 8)]);
      const { legs } = attach({
        stop_loss: { price: 98, ...unwind(algo, params) },
        take_profit: { price: 110, ...unwind(algo, params) },
      });
      run(8);
      expect(get(legs.stop_loss.monitor_id)).toMatchObject({ status: 'fired', fired_count: 1 });
      expect(get(legs.take_profit.monitor_id).status).toBe('stopped');
      const reported = events.filter(({ channel }) => channel === 'monitors');
      const of = (id: string) =>
        reported.filter(({ data }) => (data as { monitor_id: string }).monitor_id === id);
      const names = (id: string) => of(id).map(({ event }) => event);
      expect(names(legs.stop_loss.monitor_id)).toEqual(['armed', 'fired']);
      expect(names(legs.take_profit.monitor_id)).toEqual(['armed', 'stopped']);
      const [execution] = call('executions.list').items;
      expect(execution).toMatchObject({ algo, side: 'sell', total_size: 10, reduce_only: true });
      expect(execution.filled_size).toBeGreaterThan(algo === 'glidemaker' ? -1 : 9.9);
      const listed = call('positions.legs', {
        pathParams: { symbol: 'BTC' },
        query: { status: 'triggered' },
      });
      expect(listed.items).toMatchObject([{ kind: 'stop_loss' }]);
    });
  }

  describe.each(['buy', 'sell'] as const)('POS-2: what unwinds the position of a %s', (into) => {
    const sign = into === 'buy' ? 1 : -1;
    const out = sign > 0 ? 'sell' : 'buy';
    /**
     * Its stop was reached two minutes ago, and it closes one of ten an hour.
     *
     * @param before what happens with the position, ahead of its stop
     */
    const unwinding = (before: (made: ReturnType<typeof bench>) => void = () => {}) => {
      const rows = [...flat(100, 3), ...path(100, 100 - 4 * sign), ...flat(100 - 4 * sign, 90)];
      const made = bench(rows);
      made.order({ side: into, size: 10, order_type: 'market' });
      before(made);
      const schedule = unwind('pacemaker', { duration_seconds: 36_000, slices: 10 });
      const body = { stop_loss: { price: 100 - 2 * sign, ...schedule } };
      made.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
      made.run(8);
      const { items } = made.call('executions.list');
      const { execution_id: id } = items.find((one: { algo: string }) => one.algo === 'pacemaker');
      const record = () => made.call('executions.get', { pathParams: { id } });
      expect(record()).toMatchObject({ status: 'running', filled_size: 1 });
      return { ...made, record, id };
    };
    const ended = { status: 'stopped', reason: 'nothing_to_reduce', filled_size: 1 };

    test('ends when it is closed, and spares the next position', () => {
      const { call, order, run, record, named } = unwinding();
      call('positions.close', { pathParams: { symbol: 'BTC' } });
      expect(record()).toMatchObject(ended);
      expect(named('ended')).toMatchObject([{ data: { reason: 'nothing_to_reduce' } }]);
      order({ side: into, size: 3, order_type: 'market' });
      run(75);
      expect(call('positions.list').items).toMatchObject([{ size: 3 }]);
    });

    test('ends when it is reversed, also while it is paused', () => {
      const { call, order, record, id } = unwinding();
      call('executions.pause', { pathParams: { id } });
      order({ side: out, size: 12, order_type: 'market' });
      expect(record()).toMatchObject(ended);
    });

    test('goes on while a part of it is left, and ends when it has closed that', () => {
      const { order, call, record, run } = unwinding();
      order({ side: out, size: 8.5, order_type: 'market', reduce_only: true });
      expect(record().status).toBe('running');
      run(61);
      expect(call('positions.list').items).toEqual([]);
      expect(record()).toMatchObject({ ...ended, filled_size: 1.5 });
    });

    test('a close by an algorithm ends with the position that it names', () => {
      const { order, call } = unwinding();
      const body = { algo: 'pacemaker', params: { duration_seconds: 36_000, slices: 10 } };
      const close = call('positions.close', { pathParams: { symbol: 'BTC' }, body });
      order({ side: out, size: 10, order_type: 'market', reduce_only: true });
      const own = call('executions.get', { pathParams: { id: close.execution_id } });
      expect(own).toMatchObject({ status: 'stopped', reason: 'nothing_to_reduce' });
    });

    test.each(['before it', 'after it'])(
      'what the user launched to reduce %s waits for the next position, as an order does',
      (when) => {
        const launch = { algo: 'smartexit', symbol: 'BTC', side: out, total_size: 5 };
        const params = { stop_price: 100 - 20 * sign };
        let mine = { execution_id: '' };
        const launchMine = ({ call }: Pick<ReturnType<typeof bench>, 'call'>): void => {
          mine = call('executions.launch', { body: { ...launch, params, reduce_only: true } });
        };
        const made = unwinding(when === 'before it' ? launchMine : undefined);
        if (when === 'after it') launchMine(made);
        made.order({ side: out, size: 9, order_type: 'market', reduce_only: true });
        expect(made.record()).toMatchObject(ended);
        const own = made.call('executions.get', { pathParams: { id: mine.execution_id } });
        expect(own.status).toBe('running');
      },
    );
  });

  test('closing the position stops the monitors', () => {
    const { attach, get, call } = open(flat(100, 5));
    const { legs } = attach({ stop_loss: { price: 95, ...pace } });
    call('positions.close', { pathParams: { symbol: 'BTC' } });
    expect(get(legs.stop_loss.monitor_id).status).toBe('stopped');
  });

  test('stopping the monitor retires the leg', () => {
    const { attach, call, control } = open(flat(100, 5));
    const { legs } = attach({ stop_loss: { price: 95, ...pace } });
    control('stop', legs.stop_loss.monitor_id);
    expect(call('positions.legs', { pathParams: { symbol: 'BTC' } }).items).toEqual([]);
  });

  test('POS-5: side, size and level stay as attached', () => {
    const { attach, order, run, call, control, get } = open(path(100, 96, 100, 96));
    const { legs } = attach({ stop_loss: { price: 98, ...pace } });
    order({ side: 'buy', size: 5, order_type: 'market' });
    run(1);
    const id = legs.stop_loss.monitor_id;
    const [first] = call('executions.list').items;
    expect(first.total_size).toBe(10);
    control('rearm', id);
    run(2);
    expect(get(id).trigger.price).toBe(98);
    const [second] = call('executions.list').items;
    expect(second).toMatchObject({ total_size: 10, filled_size: 5 });
  });

  describe('a manually re-armed monitor still belongs to its leg', () => {
    const symbol = 'BTC';
    const slow = unwind('pacemaker', { duration_seconds: 3_600, slices: 10 });
    /** Long 10 with a stop at 98 that fired at once and is armed again; the position is still open. */
    const rearmed = () => {
      const made = open([...path(100, 96), ...flat(100, 2), ...path(100, 96), ...flat(96, 5)]);
      const { legs } = made.attach({ stop_loss: { price: 98, ...slow } });
      const { monitor_id: id, leg_id: leg } = legs.stop_loss;
      made.run(1);
      expect(made.get(id)).toMatchObject({ status: 'fired', fired_count: 1 });
      for (const { execution_id } of made.call('executions.list').items) {
        made.call('executions.stop', { pathParams: { id: execution_id } });
      }
      made.events.length = 0;
      expect(made.control('rearm', id).status).toBe('armed');
      const live = () => made.call('positions.legs', { pathParams: { symbol } }).items;
      const close = () => made.call('positions.close', { pathParams: { symbol } });
      const buy = () => made.order({ side: 'buy', size: 10, order_type: 'market' });
      /** The mark falls through the trigger; a new position has to survive it. */
      const survives = () => {
        buy();
        made.run(7);
        expect(made.get(id)).toMatchObject({ status: 'stopped', fired_count: 1 });
        expect(made.call('positions.list').items).toMatchObject([{ size: 10 }]);
      };
      return { ...made, id, leg, live, close, buy, survives };
    };

    test('it is listed with the position, with the size, side and level at attach', () => {
      const { live, id, leg, events } = rearmed();
      expect(live()).toMatchObject([
        {
          leg_id: leg,
          monitor_id: id,
          status: 'armed',
          size: 10,
          resolution: { trigger_price: 98 },
        },
      ]);
      expect(events.map(({ channel, event }) => `${channel} ${event}`)).toEqual([
        'tpsl.watch leg_armed',
        'monitors armed',
      ]);
    });

    test('it ends in its turn among the others', () => {
      const made = open([...path(100, 96), ...flat(100, 12)]);
      const { legs } = made.attach({ stop_loss: { price: 98, ...slow } });
      const other = made.attach({ take_profit: { price: 150 } }).legs.take_profit.leg_id;
      made.run(1);
      for (const { execution_id } of made.call('executions.list').items)
        made.call('executions.stop', { pathParams: { id: execution_id } });
      made.control('rearm', legs.stop_loss.monitor_id);
      made.events.length = 0;
      made.call('positions.close', { pathParams: { symbol } });
      const retired = made
        .named('leg_retired')
        .map(({ data }) => (data as { leg_id: string }).leg_id);
      expect(retired).toEqual([legs.stop_loss.leg_id, other]);
    });

    test('it ends when the position closes, and affects no later one', () => {
      const { close, survives } = rearmed();
      close();
      survives();
    });

    test('it ends when the position flips', () => {
      const { order, get, id, live } = rearmed();
      order({ side: 'sell', size: 25, order_type: 'market' });
      expect(get(id).status).toBe('stopped');
      expect(live()).toEqual([]);
    });

    test('it ends with DELETE of the position’s legs', () => {
      const { call, close, survives, leg } = rearmed();
      const { legs } = call('positions.retireLegs', { pathParams: { symbol } });
      expect(legs.stop_loss).toMatchObject({ leg_id: leg, status: 'retired' });
      close();
      survives();
    });

    test('an attach of its kind replaces it', () => {
      const { attach, get, id, live } = rearmed();
      const { legs } = attach({ stop_loss: { price: 90 } });
      expect(get(id).status).toBe('stopped');
      expect(live()).toMatchObject([{ leg_id: legs.stop_loss.leg_id }]);
    });

    test('it fires again, and can be re-armed', () => {
      const { run, get, id, control, close, live } = rearmed();
      run(7);
      expect(get(id)).toMatchObject({ status: 'fired', fired_count: 2 });
      expect(live()).toEqual([]);
      control('rearm', id);
      expect(live()).toMatchObject([{ monitor_id: id }]);
      close();
      expect(get(id).status).toBe('stopped');
    });

    test('it is refused without a position to close', () => {
      const { close, get, refusal, run, order, control, id } = rearmed();
      const again = () => refusal('monitors.rearm', { pathParams: { id } });
      run(7);
      close();
      expect(again()).toMatchObject({ code: 'no_position', status: 422, details: { symbol } });
      order({ side: 'sell', size: 10, order_type: 'market' });
      expect(again().code).toBe('no_position');
      expect(get(id).status).toBe('fired');
      order({ side: 'buy', size: 30, order_type: 'market' });
      expect(control('rearm', id).status).toBe('armed');
      close();
      expect(get(id).status).toBe('stopped');
    });
  });

  test('LEG-10: Glidemaker and Smart Exit need the algo minimum, all need an order', () => {
    const { refuse, attach } = open(flat(100, 5), 0.5);
    for (const algo of ['glidemaker', 'smartexit']) {
      const refused = refuse({ stop_loss: { price: 95, ...unwind(algo) } });
      expect(refused.code).toBe('below_algo_minimum');
      expect(refused.details).toEqual({ minimum: 100, value: 47.5 });
    }
    expect(attach({ stop_loss: { price: 95, ...pace } }).legs.stop_loss.status).toBe('armed');
    const tiny = open(flat(100, 5), 0.1);
    expect(tiny.refuse({ stop_loss: { price: 95, ...pace } }).code).toBe('below_order_minimum');
  });
});

test('if a touch fills orders, monitors still need the other side', () => {
  const bench = createBench({
    feeds: [feedOf([...flat(100, 5), ...path(100, 102, 102)])],
    touchFills: true,
  });
  bench.run(5);
  const request = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' };
  const { monitor_id: id } = bench.call('monitors.create', {
    body: {
      trigger: { type: 'price_level', symbol: 'BTC', price: 102, direction: 'above' },
      action: { type: 'order', request },
      rearm: true,
    },
  });
  bench.run(2);
  expect(bench.call('monitors.get', { pathParams: { id } }).fired_count).toBe(1);
});
