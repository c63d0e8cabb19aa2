import { expect, test } from 'vitest';
import { CHANNELS, ENDPOINT_IDS, type ChannelName } from '../../../src/contract/index.ts';
import { createEngine } from '../../../src/paper/engine/createEngine.ts';
import { createBench, feedOf, flat, MINUTE, START, walk, type Row } from './bench.ts';

/** Endpoint families implemented by the engine; the shell has the others. */
const OWN = [
  'account',
  'orders',
  'positions',
  'leverage',
  'executions',
  'monitors',
  'webhooks',
  'baskets',
];

test("every endpoint of the engine's families has a handler", () => {
  const { handlers } = createEngine({ feeds: [feedOf(flat(100, 2))] });
  const own = ENDPOINT_IDS.filter((id) => OWN.includes(id.split('.')[0]!));
  expect(Object.keys(handlers).sort()).toEqual(own.toSorted());
});

/** A run with every kind of event. */
function eventful() {
  const rows: Row[] = [...flat(100, 30), ...walk(7, 90, { move: 0.01 }), ...flat(60, 30)];
  const missing = [
    ...rows.slice(0, 60),
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    ...rows.slice(60),
  ];
  const bench = createBench({ feeds: [feedOf(missing)] }, { balance: 2_000 });
  const bars = [{ symbol: 'BTC', interval: '5m', forming: true }] as const;
  bench.engine.setMarketInterest({ ticks: ['BTC'], bars });
  bench.run(25);
  const level = { indicator: 'sma', params: { period: 3 }, interval: '1m' };
  const buy = { side: 'buy', size: 20, order_type: 'market' };
  bench.order({ ...buy, stop_loss: { trail: { pct: 1, interval: '1m', min_move_bps: 0 } } });
  bench.order({ ...buy, size: 1, take_profit: { price: 100.4 } });
  const tracked = { ...level, track: true, min_move_bps: 0 };
  bench.order({
    side: 'sell',
    size: 1,
    order_type: 'limit',
    price_from: {
      indicator: 'keltner',
      series: 'upper',
      params: { period: 5, atr_period: 5 },
      interval: '1m',
    },
  });
  const request = { symbol: 'BTC', ...buy, size: 1 };
  for (const [price, direction] of [
    [100.2, 'above'],
    [99.8, 'below'],
  ] as const) {
    bench.call('monitors.create', {
      body: {
        trigger: { type: 'price_level', symbol: 'BTC', price, direction },
        action: { type: 'order', request },
        rearm: true,
      },
    });
  }
  const launch = { symbol: 'BTC', side: 'buy', total_size: 3 };
  const params = { strategy: 'passive', limit_price_from: tracked };
  bench.call('executions.launch', { body: { ...launch, algo: 'glidemaker', params } });
  const slow = { duration_seconds: 7_200 };
  bench.call('executions.launch', { body: { ...launch, algo: 'pacemaker', params: slow } });
  bench.engine.advanceTo(START + 115 * MINUTE);
  // Fully invested a minute before the price drops: the venue liquidates.
  bench.order({ side: 'buy', size: 100, order_type: 'market' });
  bench.call('positions.attachLegs', {
    pathParams: { symbol: 'BTC' },
    body: { take_profit: { price: 200 } },
  });
  bench.engine.advanceTo(bench.engine.endTime);
  return bench;
}

test('every event has the shape of its channel', () => {
  const { events } = eventful();
  const seen = new Set(events.map(({ channel, event }) => `${channel} ${event}`));
  for (const { channel, event, data, keys } of events) {
    // Who subscribed to one symbol gets what is of it.
    const { symbol } = data as { symbol?: string };
    if (channel === 'tpsl.watch') expect(symbol).toBeTypeOf('string');
    if (['tpsl.watch', 'price', 'candles'].includes(channel) && symbol !== undefined)
      expect(keys['symbol']).toBe(symbol);
    const shapes = CHANNELS[channel as ChannelName].events as Record<
      string,
      { parse(data: unknown): unknown }
    >;
    expect(Object.keys(shapes)).toContain(event);
    shapes[event]!.parse(data);
  }
  // The intended events did occur.
  expect([...seen].sort()).toEqual(
    expect.arrayContaining([
      'account.state balance',
      'account.state fill',
      'account.state funding',
      'account.state liquidation',
      'account.state order',
      'account.state position',
      'candles bar_closed',
      'candles bar_forming',
      'executions ended',
      'executions progress',
      'executions stale_warning',
      'executions started',
      'executions status',
      'monitors armed',
      'monitors fired',
      'price tick',
      'tpsl.watch leg_armed',
      'tpsl.watch leg_retired',
      'tpsl.watch leg_triggered',
      'tpsl.watch trail_moved',
    ]),
  );
});

test("every channel's snapshot has its shape, in the middle of a run", () => {
  const bench = createBench({ feeds: [feedOf(walk(3, 60))] });
  bench.run(30);
  bench.order({ side: 'buy', size: 2, order_type: 'market', stop_loss: { price: 50 } });
  bench.order({ side: 'buy', size: 2, order_type: 'limit', price: 60 });
  const params = { duration_seconds: 600 };
  bench.call('executions.launch', {
    body: { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 5, params },
  });
  const asked = {
    'account.state': {},
    'tpsl.watch': { symbol: 'BTC' },
    executions: {},
    monitors: {},
    candles: { symbol: 'BTC', interval: '5m', limit: 3 },
  } as const;
  for (const [channel, wanted] of Object.entries(asked)) {
    const snapshot = bench.engine.snapshot(channel as ChannelName, 'main', wanted);
    const shapes = CHANNELS[channel as keyof typeof asked].events;
    shapes.snapshot.parse(snapshot);
  }
  expect(bench.engine.snapshot('candles', 'main', asked.candles)!['candles']).toHaveLength(3);
  expect(bench.engine.snapshot('tpsl.watch', 'main', { symbol: 'BTC' })!['rows']).toHaveLength(1);
  expect(bench.engine.snapshot('executions', 'main', {})!['executions']).toHaveLength(1);
  expect(bench.engine.snapshot('price', 'main', { symbol: 'BTC' })).toBeNull();
});

test('STR-2: a snapshot of one execution shows it, also when it has ended', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 30))] });
  bench.run(5);
  const launch = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 1 };
  const body = { ...launch, params: { duration_seconds: 60 } };
  const [ended, other] = [1, 2].map(() => bench.call('executions.launch', { body }).execution_id);
  bench.run(5);
  const shown = (params: object) =>
    bench.engine.snapshot('executions', 'main', params as Record<string, unknown>)!['executions'];
  expect(shown({})).toEqual([]);
  expect(shown({ execution_id: ended })).toMatchObject([
    { execution_id: ended, status: 'completed' },
  ]);
  expect(shown({ execution_id: other })).toMatchObject([{ execution_id: other }]);
  expect(shown({ execution_id: 'exe_99' })).toEqual([]);
});

test('STR-2: a snapshot of candles has the last hundred, unless another number is asked for', () => {
  const bench = createBench({ feeds: [feedOf(walk(3, 150))] });
  bench.run(120);
  const shown = (more: object) =>
    bench.engine.snapshot('candles', 'main', { symbol: 'BTC', interval: '1m', ...more })![
      'candles'
    ] as Array<{ time: number }>;
  const times = Array.from({ length: 120 }, (_none, at) => START + at * MINUTE);
  expect(shown({}).map(({ time }) => time)).toEqual(times.slice(20));
  expect(shown({ limit: 110 }).map(({ time }) => time)).toEqual(times.slice(10));
});

test('a refused request has no visible effect', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 60))] }, { balance: 1_000 });
  bench.run(30);
  bench.order({ side: 'buy', size: 8, order_type: 'market' });
  bench.order({ side: 'buy', size: 5, order_type: 'limit', price: 90 });
  const look = () =>
    JSON.stringify(
      (
        [
          'account.get',
          'account.balances',
          'orders.list',
          'orders.history',
          'orders.fills',
          'positions.list',
          'executions.list',
          'monitors.list',
          'baskets.list',
        ] as const
      ).map((endpoint) => bench.call(endpoint)),
    );
  const before = look();
  const reported = bench.events.length;
  const order = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 99 };
  const id = bench.call('orders.list').items[0].order_id;
  const symbol = { pathParams: { symbol: 'BTC' } };
  const launch = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 1 };
  const params = { duration_seconds: 60 };
  const wrong = { price: 200 };
  bench.refusal('orders.place', { body: { ...order, symbol: 'DOGE' } });
  bench.refusal('orders.place', { body: { ...order, size: 5_000 } });
  bench.refusal('orders.place', { body: { ...order, stop_loss: wrong } });
  bench.refusal('orders.modify', { pathParams: { id }, body: { size: 9_000 } });
  bench.refusal('orders.cancel', { pathParams: { id: 'ord_99' } });
  bench.refusal('positions.attachLegs', { ...symbol, body: { stop_loss: wrong } });
  bench.refusal('leverage.set', { ...symbol, body: { leverage: 1 } });
  bench.refusal('executions.launch', { body: { ...launch, params, stop_loss: wrong } });
  bench.refusal('executions.stop', { pathParams: { id: 'exe_1' } });
  bench.refusal('baskets.launch', {
    body: {
      legs: [
        { ...launch, params },
        { ...launch, params, stop_loss: wrong },
      ],
    },
  });
  expect(look()).toBe(before);
  expect(bench.events).toHaveLength(reported);
  // Refused orders use no ids either.
  expect(bench.order(order).order_id).toBe('ord_3');
});

test("event times never decrease, and none is later than the engine's", () => {
  const { events, engine } = eventful();
  let last = START;
  for (const { event, data } of events) {
    if (event !== 'fill') continue;
    const { time } = data as { time: number };
    expect(time).toBeGreaterThanOrEqual(last);
    last = time;
  }
  expect(last).toBeLessThanOrEqual(engine.now);
  expect(engine.now % MINUTE).toBe(0);
});
