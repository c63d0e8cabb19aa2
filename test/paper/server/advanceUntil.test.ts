import { afterEach, describe, expect, test } from 'vitest';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createEngine } from '../../../src/paper/index.ts';
import { RESTING_ORDER, TAPE_START, testFeed } from '../core/openTestService.ts';
import { openTestServer, type TestServer } from './openTestServer.ts';

let server: TestServer;
const MINUTE = 60_000;
const WARM = TAPE_START + 500 * MINUTE;

const advance = (body: unknown) => server.control('POST', '/paper/replay/advance', body);
const subscribe = (channel: string, params: Record<string, unknown>) => {
  return { id: `${channel}-${JSON.stringify(params)}`, op: 'subscribe', channel, params };
};

describe('a step until the next event', () => {
  afterEach(() => server.close());

  test('ends at the first instant with a frame, including all of that instant', async () => {
    server = await openTestServer();
    const socket = await server.openSocket();
    socket.send(subscribe('price', { symbol: 'BTC' }));
    socket.send(subscribe('candles', { symbol: 'BTC', interval: '1m' }));
    await socket.until(({ event }) => event === 'snapshot');
    const reached: number[] = [];
    for (let step = 0; step < 5; step++) {
      const { status, body } = await advance({ to_time: WARM + 10 * MINUTE, until: 'event' });
      expect(status).toBe(200);
      reached.push(body.time - WARM);
    }
    expect(reached).toEqual([1, 20_000, 40_000, 60_000, 60_001]);
    await socket.until(({ event, ts }) => event === 'advanced' && ts === WARM + 60_001);
    const events = socket.messages.filter(({ ts }) => ts !== undefined && ts > WARM);
    expect(events.map(({ event, ts }) => `${event} ${Number(ts) - WARM}`)).toEqual([
      'tick 1',
      'advanced 1',
      'tick 20000',
      'advanced 20000',
      'tick 40000',
      'advanced 40000',
      'tick 60000',
      'bar_closed 60000',
      'advanced 60000',
      'tick 60001',
      'advanced 60001',
    ]);
  });

  test('goes on beyond the frames of subscriptions that it is to leave apart, which are sent all the same', async () => {
    server = await openTestServer();
    const socket = await server.openSocket();
    const minutes = { symbol: 'BTC', interval: '1m' };
    socket.send(subscribe('candles', minutes));
    socket.send(subscribe('candles', { symbol: 'BTC', interval: '5m' }));
    await socket.until(({ event, params }) => event === 'snapshot' && params?.interval === '5m');
    const step = { to_time: WARM + 10 * MINUTE, until: 'event' };
    // The order of a subscription's params does not matter.
    const apart = {
      apart_from: [{ channel: 'candles', params: { interval: '1m', symbol: 'BTC' } }],
    };
    expect((await advance({ ...step, ...apart })).body.time).toBe(WARM + 5 * MINUTE);
    await socket.until(({ event, ts }) => event === 'advanced' && ts === WARM + 5 * MINUTE);
    const closed = socket.messages.filter(({ event }) => event === 'bar_closed');
    expect(
      closed.map(({ params, ts }) => `${params?.interval} ${(Number(ts) - WARM) / MINUTE}`),
    ).toEqual(['1m 1', '1m 2', '1m 3', '1m 4', '1m 5', '5m 5']);
    // It holds for one step.
    expect((await advance(step)).body.time).toBe(WARM + 6 * MINUTE);
    const wrong = { ...step, apart_from: [{ channel: 'candle', params: minutes }] };
    const { status, body } = await advance(wrong);
    expect(status).toBe(422);
    expect(body.error.details.fields).toMatchObject([{ path: 'apart_from.0.channel' }]);
  });

  test('stops at a fill of a resting order, or at its end', async () => {
    server = await openTestServer();
    expect((await advance({ bars: 3, interval: '1m', until: 'event' })).body.time).toBe(
      WARM + 3 * MINUTE,
    );
    const socket = await server.openSocket();
    socket.send(subscribe('account.state', {}));
    await socket.until(({ event }) => event === 'snapshot');
    const { body: price } = await server.ask('/v1/price/BTC');
    const order = { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'limit' };
    const at = Math.round(price.mark * 0.999);
    await server.ask('/v1/order', { method: 'POST', body: { ...order, price: at } });
    const { body } = await advance({ to_time: WARM + 1_000 * MINUTE, until: 'event' });
    const fill = await socket.until(({ event }) => event === 'fill');
    expect(fill.ts).toBe(body.time);
    expect(body.time % MINUTE).not.toBe(0);
  });

  test('goes no further than requested, never back, and accepts no other value', async () => {
    server = await openTestServer();
    const socket = await server.openSocket();
    socket.send(subscribe('price', { symbol: 'BTC' }));
    await socket.until(({ type }) => type === 'ack');
    await advance({ to_time: WARM + 1, until: 'event' });
    expect((await advance({ to_time: WARM + 9_000, until: 'event' })).body.time).toBe(WARM + 9_000);
    expect((await advance({ to_time: WARM, until: 'event' })).status).toBe(422);
    expect((await advance({ to_time: WARM + MINUTE, until: 'fill' })).status).toBe(422);
  });
});

test('a step that ended early is recorded with its actual end', () => {
  const times: number[] = [];
  let events = 0;
  const engine = createEngine({
    feeds: [testFeed()],
    startTime: WARM,
    record: (change) => void ('time' in change && times.push(change.time)),
  });
  engine.listen(() => void events++);
  engine.advanceTo(WARM + 10 * MINUTE, () => events > 0);
  expect(engine.now).toBe(WARM + 1);
  expect(times).toEqual([WARM + 1]);
  engine.advanceTo(WARM + 5_000, () => false);
  expect(times.at(-1)).toBe(WARM + 5_000);
});

describe('with latency', () => {
  afterEach(() => server.close());

  test('orders, cancels and frames are delayed in replay time', async () => {
    server = await openTestServer({
      latency: { order_ms: 5_000, cancel_ms: 2_000, data_ms: 1_000 },
    });
    const socket = await server.openSocket();
    const step = async () => {
      const { body } = await advance({ to_time: WARM + 10 * MINUTE, until: 'event' });
      return body.time - WARM;
    };
    const command = (id: string, name: string, args: unknown) => {
      socket.send({ id, op: 'command', command: name, args });
      // Later messages on the same socket are answered after it was processed.
      socket.send({ ...subscribe('account.state', {}), id: `after ${id}` });
      return socket.until((message) => message.id === `after ${id}`);
    };
    await command('place', 'place_order', RESTING_ORDER);
    expect(socket.messages.some(({ type }) => type === 'result')).toBe(false);
    expect(await step()).toBe(5_000);
    const placed = await socket.until(({ id }) => id === 'place');
    expect(placed.data.created_time).toBe(WARM + 5_000);
    expect(await step()).toBe(6_000);
    const shown = await socket.until(({ event }) => event === 'order');
    // The event keeps its time, however late it is seen.
    expect(shown.ts).toBe(WARM + 5_000);
    await command('cancel', 'cancel_order', { id: placed.data.order_id });
    expect(await step()).toBe(8_000);
    const cancelled = await socket.until(({ id }) => id === 'cancel');
    expect(cancelled.data).toMatchObject({ status: 'cancelled', updated_time: WARM + 8_000 });
    // Reads are answered as they come.
    expect((await server.ask('/v1/orders')).body.items).toEqual([]);
    const late = server.ask('/v1/order', { body: RESTING_ORDER });
    await server.control('POST', '/paper/replay/speed', { speed: 'max' });
    expect((await late).body.created_time).toBeGreaterThanOrEqual(WARM + 13_000);
  });

  test('a signature is as old as when its request arrived, however long an order is on its way', async () => {
    const live = createLiveEnv();
    let later = 0;
    const clock = { ...live.clock, wallNow: () => live.clock.wallNow() + later };
    server = await openTestServer({ latency: { order_ms: 5_000 } }, { env: { ...live, clock } });
    const order = { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'limit', price: 1_000 };
    const held = server.ask('/v1/order', { method: 'POST', body: order });
    // It has arrived once what came after it is answered.
    await server.ask('/v1/status');
    later = 3_600_000;
    await advance({ to_time: WARM + 10_000 });
    const { status, body } = await held;
    expect([status, body.created_time]).toEqual([201, WARM + 5_000]);
  });
});
