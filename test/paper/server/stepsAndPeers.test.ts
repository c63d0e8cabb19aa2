import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createLiveEnv, TaskQueue, type Env } from '../../../src/env/index.ts';
import { signed, TAPE_START, testFeed } from '../core/openTestService.ts';
import { openTestServer, type TestServer } from './openTestServer.ts';

let server: TestServer;
afterEach(() => server.close());

const MINUTE = 60_000;
const WARM = TAPE_START + 500 * MINUTE;
const advance = (body: unknown) => server.control('POST', '/paper/replay/advance', body);

test('steps by bars that come in one write are each taken from where the one before ended', async () => {
  server = await openTestServer();
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname);
  const asked = [1, 2, 3].map((bars) => {
    const body = JSON.stringify({ bars, interval: '1m' });
    const head = `POST /paper/replay/advance HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}`;
    return `${head}\r\ncontent-type: application/json\r\n\r\n${body}`;
  });
  socket.write(asked.join(''));
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString()));
  const times = () =>
    [...text.matchAll(/"time":(\d+)/g)].map(([, time]) => (Number(time) - WARM) / MINUTE);
  await expect.poll(times).toHaveLength(3);
  expect(times()).toEqual([1, 3, 6]);
  socket.destroy();
});

test('a replay that has ended takes a step, also one that was never paused', async () => {
  server = await openTestServer({ paused: false, speed: 'max' }, { feeds: [testFeed('BTC', 510)] });
  const replay = () => server.control('GET', '/paper/replay');
  await expect.poll(async () => (await replay()).body.state).toBe('ended');
  const { end_time } = (await replay()).body;
  const { status, body } = await advance({ to_time: end_time + MINUTE });
  expect([status, body.time, body.state]).toEqual([200, end_time, 'ended']);
});

test('a replay that goes on within a bar ends with the tape, and not later', async () => {
  server = await openTestServer({}, { feeds: [testFeed('BTC', 510)] });
  await advance({ to_time: WARM + 30_500 });
  await server.control('POST', '/paper/replay/speed', { speed: 'max' });
  const replay = () => server.control('GET', '/paper/replay');
  await expect.poll(async () => (await replay()).body.state).toBe('ended');
  const { time, end_time } = (await replay()).body;
  expect([time, end_time]).toEqual([WARM + 10 * MINUTE, WARM + 10 * MINUTE]);
});

test('the end of a step is told with the time that it reached', async () => {
  server = await openTestServer({}, { feeds: [testFeed('BTC', 510)] });
  const socket = await server.openSocket();
  const { body } = await advance({ to_time: WARM + 100 * MINUTE });
  expect(body.time).toBeLessThan(WARM + 100 * MINUTE);
  const { ts, data } = await socket.until(({ event }) => event === 'advanced');
  expect([ts, data]).toEqual([body.time, { to_time: body.time }]);
});

test.each([
  [{ to_time: WARM, bars: 1, interval: '1m' }, 'to_time'],
  [{ to_time: WARM, interval: '1m' }, 'to_time'],
  [{ to_time: WARM, bars: 1 }, 'to_time'],
  [{ bars: 1 }, 'interval'],
  [{ interval: '1m' }, 'bars'],
  [{}, 'bars'],
])('a step is to a time or by bars of an interval: %j names %s', async (body, path) => {
  server = await openTestServer();
  const answer = await advance(body);
  const paths = answer.body.error?.details.fields.map((field: { path: string }) => field.path);
  expect([answer.status, paths]).toEqual([422, [path]]);
});

test('a stream that is gone is no one’s: nothing is published for it any more', async () => {
  server = await openTestServer();
  const socket = await server.openSocket();
  socket.send({
    id: 'a',
    op: 'subscribe',
    channel: 'candles',
    params: { symbol: 'BTC', interval: '1m' },
  });
  await socket.until(({ event }) => event === 'snapshot');
  const step = { to_time: WARM + 5 * MINUTE, until: 'event' };
  expect((await advance(step)).body.time).toBe(WARM + MINUTE);
  socket.socket.close();
  await socket.closed;
  // By then the service has seen the end of the connection too.
  for (let call = 0; call < 3; call++) await server.ask('/v1/status');
  expect((await advance(step)).body.time).toBe(WARM + 5 * MINUTE);
});

test('an event stream that is gone is no one’s either', async () => {
  server = await openTestServer();
  const { keyId, secret } = server;
  const target = '/v1/stream/sse?channels=candles:BTC:1m';
  const { headers } = signed(target, { keyId, secret }, Date.now());
  const abort = new AbortController();
  const answer = await fetch(server.baseUrl + target, {
    headers: headers as Record<string, string>,
    signal: abort.signal,
  });
  expect(answer.status).toBe(200);
  const step = { to_time: WARM + 5 * MINUTE, until: 'event' };
  expect((await advance(step)).body.time).toBe(WARM + MINUTE);
  abort.abort();
  for (let call = 0; call < 3; call++) await server.ask('/v1/status');
  expect((await advance(step)).body.time).toBe(WARM + 5 * MINUTE);
});

test('a socket that is gone does not use up a fault', async () => {
  server = await openTestServer();
  const gone = await server.openSocket();
  gone.socket.close();
  await gone.closed;
  for (let call = 0; call < 3; call++) await server.ask('/v1/status');
  const socket = await server.openSocket();
  await server.control('POST', '/paper/faults', [{ kind: 'ws_drop', for_requests: 1 }]);
  expect(await socket.closed).toBe(1006);
});

test('a peer that answers pings and says nothing else stays', async () => {
  const queue = new TaskQueue(0);
  const live = createLiveEnv();
  const env: Env = {
    ...live,
    clock: { wallNow: live.clock.wallNow, monotonicNow: () => queue.now() },
    timers: { after: (delayMs, run) => queue.at(queue.now() + delayMs, run) },
  };
  server = await openTestServer({}, { env });
  const socket = await server.openSocket();
  let pings = 0;
  socket.socket.on('ping', () => pings++);
  const until = 5 * 60_000;
  for (let at = 5_000; at <= until; at += 5_000) {
    queue.advanceTo(at);
    if (at % 15_000 !== 0) continue;
    await expect.poll(() => pings, { interval: 1 }).toBe(at / 15_000);
    // Its answer to the ping has arrived by now.
    await server.ask('/v1/status');
  }
  expect(socket.socket.readyState).toBe(socket.socket.OPEN);
});
