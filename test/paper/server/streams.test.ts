import { once } from 'node:events';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { createLiveEnv, TaskQueue, type Env } from '../../../src/env/index.ts';
import { createDialect } from '../../../src/contract/index.ts';
import { LAUNCH, RESTING_ORDER, signed, testFeed } from '../core/openTestService.ts';
import { openTestServer, type TestServer } from './openTestServer.ts';

let server: TestServer;
afterEach(() => server.close());

const subscribe = (channel: string, params = {}) => ({
  id: channel,
  op: 'subscribe',
  channel,
  params,
});

/** A real event loop whose timers and monotonic clock the test advances. */
function createTurnedEnv(): { env: Env; queue: TaskQueue } {
  const queue = new TaskQueue(0);
  const live = createLiveEnv();
  const env: Env = {
    ...live,
    clock: { wallNow: live.clock.wallNow, monotonicNow: () => queue.now() },
    timers: { after: (delayMs, run) => queue.at(queue.now() + delayMs, run) },
  };
  return { env, queue };
}

describe('over a WebSocket', () => {
  test('STR-4: the handshake carries the request id, and the welcome comes first', async () => {
    server = await openTestServer();
    const { headers, until } = await server.openSocket();
    expect(headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^req_/),
      'x-service-wallet-resolved': 'main',
      'x-service-weight': '1',
    });
    const first = await until(() => true);
    expect(first).toMatchObject({ channel: '_meta', event: 'welcome', wallet: 'main', seq: 1 });
  });

  test('X-Service-Wallet of the upgrade is the session wallet', async () => {
    server = await openTestServer({ connections: [{ label: 'second' }] });
    const socket = await server.openSocket({ headers: { 'x-service-wallet': 'second' } });
    expect(await socket.until(() => true)).toMatchObject({ wallet: 'second' });
  });

  test('STR-6: orders placed by command and by REST both appear on account.state', async () => {
    server = await openTestServer();
    const socket = await server.openSocket();
    socket.send(subscribe('account.state'));
    await socket.until(({ event }) => event === 'snapshot');
    socket.send({ id: 'p', op: 'command', command: 'place_order', args: RESTING_ORDER });
    const result = await socket.until(({ type }) => type === 'result');
    expect(result).toMatchObject({ id: 'p', ok: true, weight: 2 });
    const frame = await socket.until(({ event }) => event === 'order');
    expect(frame).toMatchObject({ seq: 2, data: { order_id: result.data.order_id } });
    const { body } = await server.ask('/v1/order', { body: RESTING_ORDER });
    await socket.until(({ event, data }) => event === 'order' && data.order_id === body.order_id);
  });

  test('the idempotency key of a command is known to REST', async () => {
    server = await openTestServer();
    const socket = await server.openSocket();
    const command = { id: 'e', op: 'command', command: 'execute', args: LAUNCH };
    socket.send({ ...command, idempotency_key: 'shared' });
    const { data } = await socket.until(({ type }) => type === 'result');
    const headers = { 'idempotency-key': 'shared' };
    const again = await server.ask('/v1/execute', { body: LAUNCH, headers });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(data);
  });

  test('AUTH-5: a key that is revoked loses its streams, and no other key does', async () => {
    server = await openTestServer();
    const request = { label: 'second', scopes: ['read'] };
    const { key_id: id, secret } = (await server.control('POST', '/paper/keys', request)).body;
    const { headers } = signed('/v1/stream', { keyId: id, secret }, Date.now());
    const revoked = await server.openSocket({ headers: headers as Record<string, string> });
    const other = await server.openSocket();
    await server.control('DELETE', `/paper/keys/${id}`);
    expect(await revoked.closed).toBe(4001);
    other.send(subscribe('account.state'));
    await other.until(({ event }) => event === 'snapshot');
    expect(other.socket.readyState).toBe(other.socket.OPEN);
  });

  test('a message over the limit of a body ends its socket, unread', async () => {
    server = await openTestServer();
    const { socket, closed, messages } = await server.openSocket();
    const args = { ...RESTING_ORDER, client_order_id: 'x'.repeat(256 * 1_024) };
    socket.send(JSON.stringify({ id: 'long', op: 'command', command: 'place_order', args }));
    await once(socket, 'close', { signal: AbortSignal.timeout(5_000) });
    expect(await closed).toBe(1009);
    expect(messages.filter(({ id }) => id === 'long')).toEqual([]);
  });

  test('the server pings every 15 s and disconnects a peer after 45 s of silence', async () => {
    const { env, queue } = createTurnedEnv();
    server = await openTestServer({}, { env });
    const awake = await server.openSocket();
    const asleep = await server.openSocket({ autoPong: false });
    for (let beat = 1; beat <= 4; beat++) {
      const pinged = once(awake.socket, 'ping');
      queue.advanceTo(beat * 15_000);
      await pinged;
      // The answer to a command proves that the server has seen the pong.
      awake.send({ id: `b${beat}`, op: 'command', command: 'get_orders' });
      await awake.until(({ id }) => id === `b${beat}`);
    }
    await asleep.closed;
    expect(awake.socket.readyState).toBe(awake.socket.OPEN);
  });

  test('a peer is cut 45 s after its last sign, wherever the beat is then', async () => {
    const { env, queue } = createTurnedEnv();
    server = await openTestServer({}, { env });
    queue.advanceTo(7_000);
    const asleep = await server.openSocket({ autoPong: false });
    let isCut = false;
    void asleep.closed.then(() => (isCut = true));
    queue.advanceTo(20_000);
    asleep.send({ id: 'q', op: 'command', command: 'get_orders' });
    await asleep.until(({ id }) => id === 'q');
    queue.advanceTo(64_999);
    await server.ask('/v1/status');
    expect(isCut).toBe(false);
    queue.advanceTo(65_000);
    expect(await asleep.closed).toBe(1006);
  });

  test('a slow subscriber is closed with 4008; the others are not', async () => {
    const dialect = createDialect({ stream: { slowConsumerBytes: 64 * 1024 } });
    server = await openTestServer({}, { dialect });
    const slow = await server.openSocket();
    const quick = await server.openSocket();
    const params = { symbol: 'BTC', interval: '1m', limit: 5_000 };
    quick.send(subscribe('price', { symbol: 'BTC' }));
    await quick.until(({ type }) => type === 'ack');
    slow.socket.pause();
    for (let count = 0; count < 400; count++) slow.send(subscribe('candles', params));
    for (let step = 0; step < 20; step++) {
      await server.control('POST', '/paper/replay/advance', { bars: 1, interval: '1m' });
    }
    slow.socket.resume();
    expect(await slow.closed).toBe(4008);
    expect(quick.socket.readyState).toBe(quick.socket.OPEN);
    const again = await server.openSocket();
    expect(await again.until(() => true)).toMatchObject({ event: 'welcome', seq: 1 });
  });

  test('a long step waits for slow sockets, and loses no frame', async () => {
    server = await openTestServer();
    const socket = await server.openSocket();
    socket.send(subscribe('candles', { symbol: 'BTC', interval: '1m', include_forming: true }));
    await socket.until(({ event }) => event === 'snapshot');
    await server.control('POST', '/paper/replay/advance', { bars: 1_400, interval: '1m' });
    await socket.until(({ event }) => event === 'advanced');
    const closed = socket.messages.filter(({ event }) => event === 'bar_closed');
    expect(closed).toHaveLength(1_400);
    const seqs = socket.messages.filter(({ channel, seq }) => channel === 'candles' && seq);
    expect(seqs.map(({ seq }) => seq)).toEqual(seqs.map((_frame, index) => index + 1));
  });
});

describe('over SSE', () => {
  const openEvents = async (target: string) => {
    const raw = signed(target, server, Date.now());
    const agent = new Agent();
    const answer = await request(`${server.baseUrl}${target}`, {
      dispatcher: agent,
      headers: raw.headers as Record<string, string>,
    });
    let text = '';
    const events: Array<{ event: string; id: string; data: Record<string, unknown> }> = [];
    const comments: string[] = [];
    let wake = (): void => {};
    let isOver = false;
    answer.body.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
        if (lines[0]?.startsWith(': ')) comments.push(lines[0]);
        if (field('data') === '') continue;
        const data = JSON.parse(field('data')) as Record<string, unknown>;
        events.push({ event: field('event'), id: field('id'), data });
      }
      wake();
    });
    answer.body.on('error', () => {});
    answer.body.on('close', () => {
      isOver = true;
      wake();
    });
    const untilCount = async (count: number): Promise<typeof events> => {
      while (events.length < count) {
        if (isOver) throw new Error('The stream has ended.');
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return events;
    };
    return { status: answer.statusCode, headers: answer.headers, untilCount, comments, agent };
  };

  test('STR-1: channels in the query, frames with event, id and the same data', async () => {
    server = await openTestServer({}, { feeds: [testFeed(), testFeed('xyz:TSLA')] });
    const value = encodeURIComponent('xyz:TSLA');
    const channels = `account.state,candles:BTC:1m,price:${encodeURIComponent(value)}`;
    const stream = await openEvents(`/v1/stream/sse?channels=${channels}`);
    expect(stream.headers['content-type']).toBe('text/event-stream');
    const before = await stream.untilCount(3);
    expect(before.map(({ event, id }) => [event, id])).toEqual([
      ['_meta', '_meta:1'],
      ['account.state', 'account.state:1'],
      ['candles', 'candles:BTC:1m:1'],
    ]);
    await server.control('POST', '/paper/replay/advance', { bars: 1, interval: '1m' });
    const all = await stream.untilCount(6);
    const bar = all.find(({ data }) => data['event'] === 'bar_closed');
    expect(bar).toMatchObject({
      id: 'candles:BTC:1m:2',
      data: { channel: 'candles', params: { symbol: 'BTC', interval: '1m' }, wallet: 'main' },
    });
    expect(all.some(({ id }) => id.startsWith(`price:${value}:`))).toBe(true);
    await stream.agent.destroy();
  });

  const tesla = { symbol: 'xyz:TSLA' };

  test.each([
    ['price:xyz%3ATSLA', [tesla]],
    ['price:xyz%3aTSLA', [tesla]],
    ['price:xyz%253ATSLA', [tesla]],
    ['price%3Axyz%253ATSLA', [tesla]],
    ['candles:xyz%3ATSLA:1m', [{ ...tesla, interval: '1m' }]],
    ['price:xyz%3ATSLA,candles:BTC:1m', [tesla, { symbol: 'BTC', interval: '1m' }]],
    ['price:BTC%2Ccandles:xyz%3ATSLA:1m', [{ symbol: 'BTC' }, { ...tesla, interval: '1m' }]],
    ['price%3ABTC%2Cprice%3Axyz%253ATSLA', [{ symbol: 'BTC' }, tesla]],
    ['price%3ABTC,price:xyz%3ATSLA', [{ symbol: 'BTC' }, tesla]],
  ])('STR-1: channels=%s: a value is encoded once or twice', async (channels, wanted) => {
    server = await openTestServer({}, { feeds: [testFeed(), testFeed('xyz:TSLA')] });
    const stream = await openEvents(`/v1/stream/sse?channels=${channels}`);
    expect(stream.status).toBe(200);
    await server.control('POST', '/paper/replay/advance', { bars: 1, interval: '1m' });
    const frames = await stream.untilCount(1 + wanted.length);
    const params = new Set(frames.map(({ data }) => JSON.stringify(data['params'])));
    for (const each of wanted) expect(params).toContain(JSON.stringify(each));
    await stream.agent.destroy();
  });

  test('STR-1: params that are numbers and flags are read as such, on every channel', async () => {
    server = await openTestServer();
    const channels = [
      'orderbook:BTC',
      'orderbook:BTC:5',
      'candles:BTC:1m:true:7',
      'candles:BTC:1m::7',
    ];
    const stream = await openEvents(`/v1/stream/sse?channels=${channels.join(',')}`);
    expect(stream.status).toBe(200);
    const [, ...first] = await stream.untilCount(1 + channels.length);
    expect(first.map(({ id, data }) => [id, data['params']])).toEqual([
      ['orderbook:BTC:1', { symbol: 'BTC' }],
      ['orderbook:BTC:5:1', { symbol: 'BTC', depth: 5 }],
      [
        'candles:BTC:1m:true:7:1',
        { symbol: 'BTC', interval: '1m', include_forming: true, limit: 7 },
      ],
      ['candles:BTC:1m::7:1', { symbol: 'BTC', interval: '1m', limit: 7 }],
    ]);
    await stream.agent.destroy();
  });

  test.each([
    ['orderbook:BTC:0', 422, 'validation_failed'],
    ['orderbook:BTC:51', 422, 'validation_failed'],
    ['orderbook:BTC:5.5', 422, 'validation_failed'],
    ['orderbook:BTC:deep', 422, 'validation_failed'],
    ['candles:BTC:1m:maybe', 422, 'validation_failed'],
    ['gossip', 404, 'unknown_channel'],
    ['price', 422, 'validation_failed'],
    ['price:DOGE', 404, 'unknown_symbol'],
    ['price:BTC:1m', 422, 'validation_failed'],
    ['price%3ABTC%3A1m', 422, 'validation_failed'],
    ['price:%zz%3A', 422, 'validation_failed'],
    ['account.state:nobody', 404, 'unknown_wallet'],
  ])('channels=%s is refused before the stream starts: %i %s', async (channels, status, code) => {
    server = await openTestServer();
    const answer = await server.ask(`/v1/stream/sse?channels=${channels}`);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  test('a comment comes every 15 s, and silence ends no stream that is one-way', async () => {
    const { env, queue } = createTurnedEnv();
    server = await openTestServer({}, { env });
    const stream = await openEvents('/v1/stream/sse?channels=price:BTC');
    await stream.untilCount(1);
    for (let beat = 1; beat <= 5; beat++) queue.advanceTo(beat * 15_000);
    await server.control('POST', '/paper/replay/advance', { bars: 1, interval: '1m' });
    await stream.untilCount(2);
    expect(stream.comments).toEqual(Array.from({ length: 5 }, () => ': alive'));
    await stream.agent.destroy();
  });

  test('without channels it is 422; without a signature 401', async () => {
    server = await openTestServer();
    expect((await server.ask('/v1/stream/sse')).status).toBe(422);
    const unsigned = await server.ask('/v1/stream/sse?channels=price:BTC', { secret: 'vs_x' });
    expect(unsigned.status).toBe(401);
  });
});
