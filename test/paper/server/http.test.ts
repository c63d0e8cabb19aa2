import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signed, testFeed, codeOf, RESTING_ORDER } from '../core/openTestService.ts';
import { openTestServer, type TestServer } from './openTestServer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({}, { feeds: [testFeed(), testFeed('HYPE/USDC')] });
});
afterAll(() => server.close());

/** Sends raw bytes, and returns everything received until the peer closes. */
async function sendBytes(text: string): Promise<string> {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('utf8');
}

describe('over HTTP', () => {
  test('AUTH-1: a signed order is placed and read back', async () => {
    const placed = await server.ask('/v1/order', { body: RESTING_ORDER });
    expect(placed.status).toBe(201);
    const read = await server.ask(`/v1/orders/${placed.body.order_id}`);
    expect(read.body).toMatchObject({ status: 'open', request: RESTING_ORDER });
  });

  test('AUTH-7: request id, wallet, weights and date are headers', async () => {
    const { headers } = await server.ask('/v1/status');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': expect.stringMatching(/^req_/),
      'x-service-wallet-resolved': 'main',
      'x-service-weight': '1',
      'x-service-weight-remaining': expect.stringMatching(/^\d+$/),
    });
    expect(Math.abs(Date.parse(headers['date'] ?? '') - Date.now())).toBeLessThan(60_000);
  });

  test('ORD-5: the path is signed as sent, encoded slash and query included', async () => {
    const target = '/v1/candles/HYPE%2FUSDC?interval=1m&limit=1';
    const answer = await server.ask(target);
    expect([answer.status, answer.body.symbol]).toEqual([200, 'HYPE/USDC']);
  });

  test('AUTH-6: Idempotency-Key is echoed, on refusals too', async () => {
    const headers = { 'idempotency-key': '7f9c24e8-3b12-4fef-91d0-56a2d5a4d1f2' };
    const answer = await server.ask('/v1/order', { body: {}, headers });
    expect([answer.status, answer.headers['idempotency-key']]).toEqual([
      422,
      headers['idempotency-key'],
    ]);
  });

  test.each(['7b22613a22ff227d', 'fffe7b7d', 'ff'])(
    'AUTH-2: the bytes that are sent are signed, UTF-8 or not: %s is no JSON',
    async (hex) => {
      const bytes = Buffer.from(hex, 'hex');
      const target = '/v1/order';
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac('sha256', server.secret)
        .update(`${timestamp}POST${target}`)
        .update(bytes)
        .digest('hex');
      const answer = await fetch(new URL(target, server.baseUrl), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-service-api-key-id': server.keyId,
          'x-service-timestamp': timestamp,
          'x-service-signature': signature,
        },
        body: bytes,
      });
      const { error } = (await answer.json()) as { error: { code: string } };
      expect([answer.status, error.code]).toEqual([400, 'invalid_json']);
    },
  );

  test('AUTH-2: a body that comes in chunks, without its length, is read', async () => {
    const { keyId, secret } = server;
    const { headers, bodyText } = signed(
      '/v1/order',
      { keyId, secret, body: RESTING_ORDER },
      Date.now(),
    );
    const half = bodyText.length >> 1;
    const chunks = [bodyText.slice(0, half), bodyText.slice(half)];
    const head = {
      ...headers,
      host: 'localhost',
      connection: 'close',
      'transfer-encoding': 'chunked',
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
    const parts = [...chunks, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
    const text = ['POST /v1/order HTTP/1.1', ...lines, '', parts.join('')].join('\r\n');
    expect(await sendBytes(text)).toMatch(/^HTTP\/1\.1 201 [^]*"status":"open"/);
  });

  test('a body over 256 KiB is 413, after path and method, before credentials', async () => {
    const bodyText = JSON.stringify({ pad: 'x'.repeat(256 * 1024) });
    expect((await server.ask('/v1/nothing', { bodyText })).status).toBe(404);
    expect((await server.ask('/v1/order', { bodyText, method: 'PUT' })).status).toBe(405);
    const answer = await server.ask('/v1/order', { bodyText, keyId: 'vk_nobody' });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large']);
    const fits = await server.ask('/v1/order', { bodyText: `"${'x'.repeat(256 * 1024 - 2)}"` });
    expect(fits.status).toBe(422);
  });

  test('two at once with one key have one effect', async () => {
    const before = (await server.ask('/v1/orders')).body.items.length;
    const asked = { body: RESTING_ORDER, headers: { 'idempotency-key': 'at-once' } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => server.ask('/v1/order', asked)),
    );
    expect(new Set(answers.map(({ body }) => body.order_id)).size).toBe(1);
    expect((await server.ask('/v1/orders')).body.items).toHaveLength(before + 1);
  });

  test('WHK-1: a webhook’s token cannot be predicted from another service', async () => {
    const other = await openTestServer();
    const hook = { name: 'chart', action: { type: 'order', request: RESTING_ORDER } };
    const [here, there] = await Promise.all(
      [server, other].map((each) => each.ask('/v1/webhooks', { body: hook })),
    );
    await other.close();
    expect(here!.body.token).toMatch(/^wh_[0-9a-f]{32}$/);
    expect(there!.body.token).not.toBe(here!.body.token);
  });

  test('a connection is reused for the next request', async () => {
    const raw = signed('/v1/status', server, Date.now());
    const lines = Object.entries(raw.headers).map(([name, value]) => `${name}: ${value}`);
    const head = ['GET /v1/status HTTP/1.1', 'host: localhost', ...lines].join('\r\n');
    const answer = await sendBytes(`${head}\r\n\r\n${head}\r\nconnection: close\r\n\r\n`);
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  test('VER-1: nothing under /api/', async () => {
    const answer = await server.ask('/api/v1/status');
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
  });
});

describe('a refused upgrade is answered as HTTP, with the envelope', () => {
  const refusalOf = async (path: string, headers: Record<string, string>) => {
    const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}${path}`, { headers });
    socket.on('error', () => {});
    const [, response] = (await once(socket, 'unexpected-response')) as [
      unknown,
      NodeJS.ReadStream,
    ];
    const text = (await response.toArray()).join('');
    return {
      status: (response as unknown as { statusCode: number }).statusCode,
      body: JSON.parse(text) as { error: { code: string }; request_id: string },
    };
  };

  test('401 without credentials', async () => {
    const { status, body } = await refusalOf('/v1/stream', {});
    expect([status, body.error.code]).toEqual([401, 'missing_credentials']);
    expect(body.request_id).toMatch(/^req_/);
  });

  test('403 without the scope read', async () => {
    const key = (await server.control('POST', '/paper/keys', { label: 'a', scopes: ['trade'] }))
      .body;
    const asked = { keyId: key.key_id, secret: key.secret };
    const { headers } = signed('/v1/stream', asked, Date.now());
    const { status, body } = await refusalOf('/v1/stream', headers as Record<string, string>);
    expect([status, body.error.code]).toEqual([403, 'insufficient_scope']);
  });

  test('404 elsewhere', async () => {
    expect((await refusalOf('/v1/streams', {})).status).toBe(404);
  });

  test('a plain GET of the stream is asked to upgrade', async () => {
    const answer = await server.ask('/v1/stream');
    expect([answer.status, answer.body.error.details.fields[0].code]).toEqual([
      422,
      'upgrade_required',
    ]);
  });

  /** Signed, as raw text, beside the lines given; the body is sent after the head. */
  const rawRequest = (
    target: string,
    lines: readonly string[],
    body?: object,
    keys: { keyId: string; secret: string } = server,
  ): string => {
    const raw = signed(target, { ...keys, ...(body && { body }) }, Date.now());
    const headers = Object.entries(raw.headers).map(([name, value]) => `${name}: ${value}`);
    const head = [`${raw.method} ${target} HTTP/1.1`, 'host: localhost', ...headers, ...lines];
    if (body !== undefined) head.push(`content-length: ${raw.bodyText.length}`);
    return `${head.join('\r\n')}\r\n\r\n${raw.bodyText}`;
  };
  /** What answers, until it matches; the connection is then given up. */
  const answerTo = async (text: string, until: RegExp): Promise<string> => {
    const { hostname, port } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.write(text);
    for await (const chunk of socket) {
      received += String(chunk);
      if (until.test(received)) break;
    }
    return received;
  };

  const H2C = ['connection: Upgrade, HTTP2-Settings', 'upgrade: h2c', 'http2-settings: AAMAAABk'];
  const BAD_HANDSHAKE = ['connection: upgrade', 'upgrade: websocket'];
  const HANDSHAKE = [
    ...BAD_HANDSHAKE,
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  ];

  test('an offer of another protocol is passed over, and the body with it is read', async () => {
    const answer = await answerTo(rawRequest('/v1/order', H2C, RESTING_ORDER), /order_id/);
    expect(answer).toMatch(/^HTTP\/1\.1 201/);
  });

  test.each([
    ['h2c', H2C],
    ['websocket', HANDSHAKE],
  ])('STR-1: a request for events that offers %s gets its events', async (_name, offer) => {
    const answer = await answerTo(rawRequest('/v1/stream/sse?channels=price:BTC', offer), /data:/);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[^]*text\/event-stream[^]*event: _meta/);
  });

  test('AUTH-7: a handshake without its key is refused with its request id', async () => {
    const answer = await sendBytes(rawRequest('/v1/stream', BAD_HANDSHAKE));
    const [, header] = /^x-request-id: (req_\d+)\r$/m.exec(answer) ?? [];
    expect(answer).toMatch(/^HTTP\/1\.1 422 [^]*"code":"upgrade_required"/);
    expect(answer).toContain(`"request_id":"${header}"`);
    const { headers, socket } = await server.openSocket();
    expect(headers['x-request-id']).toMatch(/^req_\d+$/);
    socket.terminate();
  });

  test('STR-1: a handshake that fails touches no socket beside it, and each answer has its own id', async () => {
    const before = [await server.openSocket(), await server.openSocket()];
    const refused = await sendBytes(rawRequest('/v1/stream', BAD_HANDSHAKE));
    const after = await server.openSocket();
    const ids = [...before, after].map(({ headers }) => String(headers['x-request-id']));
    ids.push(/^x-request-id: (.+)\r$/m.exec(refused)![1]!);
    for (const id of ids) expect(id).toMatch(/^req_\d+$/);
    expect(new Set(ids).size).toBe(4);
    for (const { socket, send, until } of [...before, after]) {
      send({ id: 'still', op: 'subscribe', channel: '_meta' });
      expect(await until(({ id }) => id === 'still')).toMatchObject({ type: 'ack' });
      socket.terminate();
    }
  });

  test.each([
    ['without credentials', () => `GET /v1/stream HTTP/1.1\r\nhost: localhost`, HANDSHAKE],
    ['under a foreign name', () => `GET /v1/stream HTTP/1.1\r\nhost: foreign.example`, HANDSHAKE],
    [
      'without its key',
      (own: TestServer) => rawRequest('/v1/stream', [], undefined, own).trimEnd(),
      BAD_HANDSHAKE,
    ],
  ])(
    'the service ends behind an upgrade %s that its client keeps open',
    async (_how, head, lines) => {
      const own = await openTestServer();
      const { hostname, port } = new URL(own.baseUrl);
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += String(chunk)));
      socket.write(`${[head(own), ...lines].join('\r\n')}\r\n\r\n`);
      await once(socket, 'end');
      expect(received).toMatch(/^HTTP\/1\.1 4\d\d [^]*"request_id":"req_\d+"}$/);
      await own.close();
      socket.destroy();
    },
  );

  const TOO_LONG = [`x-long: ${'x'.repeat(40_000)}`];

  test('AUTH-7: a head that is too large is refused with its request id', async () => {
    const answer = await sendBytes(rawRequest('/v1/status', TOO_LONG));
    const [, header] = /^x-request-id: (req_\d+)\r$/m.exec(answer) ?? [];
    expect(answer).toMatch(/^HTTP\/1\.1 431 [^]*"code":"payload_too_large"/);
    expect(answer).toContain(`"request_id":"${header}"`);
  });

  test('what is no HTTP is refused without a name, as there is no request', async () => {
    expect(await sendBytes('nonsense\r\n\r\n')).toBe(
      'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n',
    );
  });

  const CHUNKED =
    'POST /v1/order HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n';

  test.each([
    ['is no chunk', 'zz\r\n', '400 Bad Request'],
    ['has too much beside its chunks', `5;${'x'.repeat(40_000)}\r\n`, '413 Payload Too Large'],
  ])('a request whose body %s is answered, as nothing came of it', async (_what, body, status) => {
    expect(await sendBytes(CHUNKED + body)).toBe(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  });

  test.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a broken body', `${CHUNKED}zz\r\n`],
  ])(
    'an order is not refused for %s behind it, which may be read as its answer',
    async (_what, more) => {
      const order = { ...RESTING_ORDER, client_order_id: `before-${more.length}` };
      const answer = await sendBytes(rawRequest('/v1/order', [], order) + more);
      expect(answer).toBe('');
    },
  );

  test('a broken request behind an answer is answered', async () => {
    const { hostname, port } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      if (received === '') socket.write(`${CHUNKED}zz\r\n`);
      received += String(chunk);
    });
    socket.write(rawRequest('/v1/status', []));
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 Bad Request/);
  });

  test('a refusal is not written into an answer that goes out', async () => {
    const open = rawRequest('/v1/stream/sse?channels=price:BTC', []);
    const { hostname, port } = new URL(server.baseUrl);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      if (received === '') socket.write(rawRequest('/v1/status', TOO_LONG));
      received += String(chunk);
    });
    socket.on('error', () => {});
    socket.write(open);
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(received).not.toContain('431');
  });

  test('a body that is no HTTP is refused, as no answer has begun', async () => {
    const head = rawRequest('/v1/status', ['transfer-encoding: chunked']);
    expect(await sendBytes(`${head}zz\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('AUTH-7: an expectation that is unknown is passed over', async () => {
    const answer = await answerTo(rawRequest('/v1/status', ['expect: a-miracle']), /\}$/);
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*x-request-id: req_\d+/);
  });
});
