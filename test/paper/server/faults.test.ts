import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLiveEnv, createRandom, TaskQueue, type Env } from '../../../src/env/index.ts';
import { LAUNCH, RESTING_ORDER } from '../core/openTestService.ts';
import { openTestServer, type TestServer } from './openTestServer.ts';

let server: TestServer;
let queue: TaskQueue;

beforeEach(async () => {
  // The test fires the timers, so that it sets a fault's time; the seed fixes its randomness.
  queue = new TaskQueue(0);
  const env: Env = {
    ...createLiveEnv(),
    random: createRandom('faults'),
    timers: { after: (delayMs, run) => queue.at(queue.now() + delayMs, run) },
  };
  server = await openTestServer({}, { env });
});
afterEach(() => server.close());

const add = (...faults: object[]) => server.control('POST', '/paper/faults', faults);
const openOrders = async (): Promise<number> => (await server.ask('/v1/orders')).body.items.length;
const place = () => server.ask('/v1/order', { body: RESTING_ORDER });

test.each([
  [
    { kind: 'latencyy', ms: 5 },
    /^kind: It is one of latency \(ms\), error_500, .*degrade_layer \(layer, status\); each may have rate, match, for_requests, for_seconds\. \(it is "latencyy"\)$/,
  ],
  [[{ kind: 'ws_drop' }, {}], /^1\.kind: It is one of latency/],
  [{ kind: 'latency' }, /^ms: Invalid input: expected number/],
  [{ kind: 'ws_drop', for_request: 1 }, /^for_request: .*Did you mean for_requests\?$/],
])('a fault that there is not is answered with those that there are: %j', async (body, message) => {
  const answer = await server.control('POST', '/paper/faults', body);
  expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_failed']);
  expect(answer.body.error.message).toMatch(message);
});

describe('faults of requests', () => {
  test.each([
    ['error_500', 500, 'internal'],
    ['error_503', 503, 'venue_unavailable'],
    ['rate_limited', 429, 'rate_limited'],
  ])('%s: answered with %i %s, and not executed', async (kind, status, code) => {
    await add({ kind, match: 'POST /v1/order' });
    const answer = await place();
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
    if (status === 429) {
      expect(answer.headers['retry-after']).toBe('1');
      expect(answer.body.error.details).toMatchObject({ bucket_exceeded: 'key_minute' });
    }
    expect(await openOrders()).toBe(0);
  });

  test('drop_before: the connection is cut, nothing is executed', async () => {
    await add({ kind: 'drop_before', for_requests: 1 });
    await expect(place()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(await openOrders()).toBe(0);
  });

  test('drop_after: the connection is cut, the order is executed', async () => {
    await add({ kind: 'drop_after', for_requests: 1 });
    await expect(place()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(await openOrders()).toBe(1);
  });

  test('drop_after a launch: the same key gets the first response', async () => {
    await add({ kind: 'drop_after', match: '/v1/execute', for_requests: 1 });
    const asked = { body: LAUNCH, headers: { 'idempotency-key': 'once' } };
    await expect(server.ask('/v1/execute', asked)).rejects.toThrow();
    const answer = await server.ask('/v1/execute', asked);
    expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect((await server.ask('/v1/executions')).body.items).toHaveLength(1);
  });

  test('truncate_body: the response is truncated, the order is executed', async () => {
    await add({ kind: 'truncate_body', for_requests: 1 });
    await expect(place()).rejects.toThrow();
    expect(await openOrders()).toBe(1);
  });

  test('latency: executed at once, answered late', async () => {
    await add({ kind: 'latency', ms: 5_000, match: 'POST /v1/order' });
    const answer = place();
    while ((await openOrders()) === 0) await new Promise(setImmediate);
    let answered = false;
    void answer.then(() => (answered = true));
    await server.ask('/v1/status');
    expect(answered).toBe(false);
    queue.advanceTo(5_000);
    expect((await answer).status).toBe(201);
  });

  test.each([
    ['error_500', 500],
    ['error_503', 503],
    ['rate_limited', 429],
  ])('of several refusals the one that was set first is answered: %s', async (kind, status) => {
    const others = ['error_500', 'error_503', 'rate_limited'].filter((other) => other !== kind);
    await add(...[kind, ...others].map((each) => ({ kind: each, match: 'POST /v1/order' })));
    expect((await place()).status).toBe(status);
    expect(await openOrders()).toBe(0);
  });

  test.each([
    ['drop_before', 'drop_after', 0],
    ['drop_after', 'drop_before', 1],
  ])('of two drops the one that was set first decides: %s', async (first, second, executed) => {
    await add(...[first, second].map((kind) => ({ kind, match: 'POST /v1/order' })));
    await expect(place()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(await openOrders()).toBe(executed);
  });

  test('latencies of several faults add up', async () => {
    await add(
      { kind: 'latency', ms: 1_000, match: 'POST /v1/order' },
      { kind: 'latency', ms: 2_000, match: 'POST /v1' },
    );
    const answer = place();
    while ((await openOrders()) === 0) await new Promise(setImmediate);
    let answered = false;
    void answer.then(() => (answered = true));
    queue.advanceTo(2_999);
    await server.ask('/v1/status');
    expect(answered).toBe(false);
    queue.advanceTo(3_000);
    expect((await answer).status).toBe(201);
  });

  test.each([
    [0, 0, 0],
    [0.2, 5, 38],
    [0.8, 62, 95],
    [1, 100, 100],
  ])('a rate of %d is a share of the calls', async (rate, least, most) => {
    await add({ kind: 'error_503', match: '/v1/status', rate });
    const answers = Array.from({ length: 100 }, () => server.ask('/v1/status'));
    const hit = (await Promise.all(answers)).filter(({ status }) => status === 503).length;
    expect(hit).toBeGreaterThanOrEqual(least);
    expect(hit).toBeLessThanOrEqual(most);
  });

  test('clock_skew: the service checks timestamps by another clock, and reports it', async () => {
    await add({ kind: 'clock_skew', seconds: 600 });
    const refused = await server.ask('/v1/status');
    expect(refused.body.error.code).toBe('timestamp_out_of_window');
    const now = Math.floor(Date.now() / 1_000);
    const skewed = await server.ask('/v1/status', { timestamp: String(now + 600) });
    expect(Math.round(skewed.body.server_time / 1_000) - now).toBeGreaterThan(598);
    expect(Date.parse(skewed.headers['date'] ?? '') / 1_000 - now).toBeGreaterThan(598);
  });

  test('clock_skew: a stream is welcomed by the same clock', async () => {
    await add({ kind: 'clock_skew', seconds: 20, match: 'GET /v1/stream' });
    const now = Date.now();
    const socket = await server.openSocket();
    const { data } = await socket.until(({ event }) => event === 'welcome');
    expect(data.server_time - now).toBeGreaterThanOrEqual(20_000);
    const { body } = await server.ask('/v1/status');
    expect(body.server_time - now).toBeLessThan(20_000);
  });
});

describe('scope of a fault', () => {
  test('match is a path prefix, with a method where one is named', async () => {
    await add(
      { kind: 'error_500', match: '/v1/orders' },
      { kind: 'error_503', match: 'GET /v1/fills' },
    );
    expect((await server.ask('/v1/orders/history')).status).toBe(500);
    expect((await server.ask('/v1/fills')).status).toBe(503);
    expect((await place()).status).toBe(201);
  });

  test('for_requests counts matching calls', async () => {
    await add({ kind: 'error_500', match: '/v1/fills', for_requests: 2 });
    await server.ask('/v1/status');
    const statuses = [];
    for (let call = 0; call < 3; call++) statuses.push((await server.ask('/v1/fills')).status);
    expect(statuses).toEqual([500, 500, 200]);
    expect((await server.control('GET', '/paper/faults')).body.items).toEqual([]);
  });

  test('for_seconds limits its duration', async () => {
    await add({ kind: 'error_500', for_seconds: 10 });
    queue.advanceTo(9_999);
    expect((await server.ask('/v1/fills')).status).toBe(500);
    queue.advanceTo(10_000);
    expect((await server.ask('/v1/fills')).status).toBe(200);
  });

  test('rate is a share of the calls', async () => {
    await add({ kind: 'error_500', rate: 0.5 });
    const statuses = [];
    for (let call = 0; call < 60; call++) statuses.push((await server.ask('/v1/fills')).status);
    const hits = statuses.filter((status) => status === 500).length;
    expect(hits).toBeGreaterThan(15);
    expect(hits).toBeLessThan(45);
  });

  test('/paper itself is never affected, and DELETE ends all faults', async () => {
    await add({ kind: 'drop_before' }, { kind: 'error_500' });
    const list = await server.control('GET', '/paper/faults');
    expect(list.body.items).toEqual([{ kind: 'drop_before' }, { kind: 'error_500' }]);
    const cleared = await server.control('DELETE', '/paper/faults');
    expect(cleared.body.items).toEqual([]);
    expect((await place()).status).toBe(201);
  });

  test.each([
    [{ kind: 'gremlins' }],
    [{ kind: 'latency' }],
    [{ kind: 'error_500', rate: 2 }],
    [{ kind: 'error_500', match: '/paper' }],
    [{ kind: 'degrade_layer', layer: 'weather' }],
  ])('%j is 422', async (fault) => {
    expect((await add(fault)).status).toBe(422);
  });
});

describe('faults of sockets', () => {
  const subscribe = { id: 's', op: 'subscribe', channel: 'candles' };
  const params = { symbol: 'BTC', interval: '1m', limit: 1 };
  const advance = (bars: number) =>
    server.control('POST', '/paper/replay/advance', { bars, interval: '1m' });
  const openSubscribed = async () => {
    const socket = await server.openSocket();
    socket.send({ ...subscribe, params });
    await socket.until(({ event }) => event === 'snapshot');
    return socket;
  };
  const seqsOf = (socket: Awaited<ReturnType<typeof openSubscribed>>): number[] =>
    socket.messages
      .filter(({ channel, event }) => channel === 'candles' && event)
      .map(({ seq }) => seq);

  test('ws_drop: open sockets are cut; with a limit the next one stays open', async () => {
    const socket = await openSubscribed();
    await add({ kind: 'ws_drop', for_requests: 1 });
    expect(await socket.closed).toBe(1006);
    await openSubscribed();
  });

  test('ws_drop without a limit also cuts new sockets, until it is deleted', async () => {
    await add({ kind: 'ws_drop' });
    const socket = await server.openSocket();
    expect(await socket.closed).toBe(1006);
    await server.control('DELETE', '/paper/faults');
    await openSubscribed();
  });

  test('ws_stall: no frame and no pong until it ends, then all of them in order', async () => {
    const socket = await openSubscribed();
    await add({ kind: 'ws_stall' });
    await advance(3);
    let pongs = 0;
    socket.socket.on('pong', () => pongs++);
    socket.socket.ping();
    socket.send({ id: 'q', op: 'command', command: 'get_orders' });
    await server.ask('/v1/status');
    expect([seqsOf(socket), pongs]).toEqual([[1], 0]);
    await server.control('DELETE', '/paper/faults');
    await socket.until(({ event }) => event === 'advanced');
    await socket.until(({ id }) => id === 'q');
    expect(seqsOf(socket)).toEqual([1, 2, 3, 4]);
    const pong = once(socket.socket, 'pong');
    socket.socket.ping();
    await pong;
  });

  test('ws_stall: with a number, it ends with that many calls', async () => {
    const socket = await openSubscribed();
    await add({ kind: 'ws_stall', for_requests: 2 });
    await advance(1);
    await server.ask('/v1/status');
    expect((await server.control('GET', '/paper/faults')).body.items).toHaveLength(1);
    await server.ask('/v1/status');
    expect((await server.control('GET', '/paper/faults')).body.items).toEqual([]);
    await socket.until(({ event }) => event === 'advanced');
    expect(seqsOf(socket)).toEqual([1, 2]);
  });

  test('ws_stall: of two, the longer one holds the frames', async () => {
    const socket = await openSubscribed();
    await add({ kind: 'ws_stall', for_seconds: 5 }, { kind: 'ws_stall', for_seconds: 9 });
    await advance(1);
    queue.advanceTo(5_000);
    await advance(1);
    let pongs = 0;
    socket.socket.on('pong', () => pongs++);
    socket.socket.ping();
    await server.ask('/v1/status');
    expect([seqsOf(socket), pongs]).toEqual([[1], 0]);
    queue.advanceTo(9_000);
    await socket.until(({ seq }) => seq === 3);
    expect(seqsOf(socket)).toEqual([1, 2, 3]);
  });

  test('ws_stall: a socket for which more than 1,000 frames wait is cut', async () => {
    const held = await openSubscribed();
    await add({ kind: 'ws_stall' });
    // One bar and the signal of the replay are two frames.
    for (let steps = 0; steps < 500; steps++) await advance(1);
    expect(held.socket.readyState).toBe(held.socket.OPEN);
    await advance(1);
    await once(held.socket, 'close', { signal: AbortSignal.timeout(5_000) });
    expect(await held.closed).toBe(1006);
  });

  test('ws_duplicate: a frame comes twice', async () => {
    const socket = await openSubscribed();
    await add({ kind: 'ws_duplicate', for_requests: 2 });
    await advance(3);
    await socket.until(({ event }) => event === 'advanced');
    expect(seqsOf(socket)).toEqual([1, 2, 2, 3, 3, 4]);
  });

  test('ws_duplicate: messages about the service come twice as well, the replay signal once', async () => {
    await add({ kind: 'ws_duplicate' });
    const socket = await openSubscribed();
    await advance(1);
    await socket.until(({ event }) => event === 'advanced');
    const count = (name: string) => socket.messages.filter(({ event }) => event === name).length;
    expect([count('welcome'), count('bar_closed'), count('advanced')]).toEqual([2, 2, 1]);
  });

  test('ws_reorder: a frame comes after the next; the replay signal stays last', async () => {
    const socket = await openSubscribed();
    await add({ kind: 'ws_reorder', for_requests: 1 });
    await advance(3);
    await socket.until(({ event }) => event === 'advanced');
    expect(seqsOf(socket)).toEqual([1, 3, 2, 4]);
    await add({ kind: 'ws_reorder', for_requests: 1 });
    await advance(1);
    await socket.until(({ event, seq }) => event === 'advanced' && seq > 2);
    expect(seqsOf(socket)).toEqual([1, 3, 2, 4, 5]);
    expect(socket.messages.at(-1).event).toBe('advanced');
  });

  test('ws_reorder: a frame that waits for the next one goes out with the end of the fault', async () => {
    const socket = await server.openSocket();
    socket.send({ id: 'm', op: 'subscribe', channel: 'monitors' });
    await socket.until(({ event }) => event === 'snapshot');
    await add({ kind: 'ws_reorder' });
    const trigger = { type: 'price_level', symbol: 'BTC', price: 90_000, direction: 'above' };
    const body = { trigger, action: { type: 'order', request: RESTING_ORDER } };
    expect((await server.ask('/v1/monitors', { body })).status).toBe(201);
    await server.control('DELETE', '/paper/faults');
    await socket.until(({ event }) => event === 'armed');
  });

  test('ws_stall: what a stall has held comes once, also after another one', async () => {
    const socket = await openSubscribed();
    for (const last of [3, 5]) {
      await add({ kind: 'ws_stall' });
      await advance(2);
      expect(seqsOf(socket).at(-1)).toBe(last - 2);
      await server.control('DELETE', '/paper/faults');
      await socket.until(({ channel, seq }) => channel === 'candles' && seq === last);
    }
    expect(seqsOf(socket)).toEqual([1, 2, 3, 4, 5]);
  });

  test('STR-4: degrade_layer is announced, shown by status, and recovers', async () => {
    const socket = await openSubscribed();
    await add({ kind: 'degrade_layer', layer: 'orders', for_seconds: 5 });
    const degraded = await socket.until(({ event }) => event === 'degraded');
    expect(degraded.data).toEqual({ layer: 'orders', detail: 'fault' });
    const status = (await server.ask('/v1/status')).body;
    expect(status).toMatchObject({ status: 'degraded', layers: { orders: 'degraded' } });
    expect((await place()).status).toBe(201);
    queue.advanceTo(5_000);
    expect((await socket.until(({ event }) => event === 'recovered')).data.layer).toBe('orders');
    const other = await server.openSocket();
    expect((await other.until(() => true)).data.connectivity.orders).toBe('ok');
  });

  test('of several faults on a layer the worst counts, and it recovers with the last', async () => {
    const socket = await openSubscribed();
    const layer = { kind: 'degrade_layer', layer: 'orders' };
    const now = async () => (await server.ask('/v1/status')).body.layers.orders;
    await add({ ...layer, for_seconds: 10 }, { ...layer, status: 'down', for_seconds: 1 });
    await add({ ...layer, for_seconds: 5 }, { ...layer, layer: 'account', for_seconds: 20 });
    expect(await now()).toBe('down');
    for (const [time, status] of [
      [1_000, 'degraded'],
      [5_000, 'degraded'],
      [10_000, 'ok'],
    ] as const) {
      queue.advanceTo(time);
      expect(await now()).toBe(status);
    }
    await socket.until(({ event }) => event === 'recovered');
    const ofOrders = socket.messages.filter(({ data }) => data?.layer === 'orders');
    expect(ofOrders.map(({ event }) => event)).toEqual([
      'degraded',
      'degraded',
      'degraded',
      'recovered',
    ]);
    await add({ ...layer, for_seconds: 3 }, layer);
    await server.control('DELETE', '/paper/faults');
    expect(await now()).toBe('ok');
  });

  test('a layer that is down refuses its calls with 503, naming it', async () => {
    await add({ kind: 'degrade_layer', layer: 'market_data', status: 'down' });
    const refused = await server.ask('/v1/price/BTC');
    expect([refused.status, refused.body.error]).toMatchObject([
      503,
      { code: 'venue_unavailable', details: { layer: 'market_data' } },
    ]);
    expect((await place()).status).toBe(201);
  });
});
