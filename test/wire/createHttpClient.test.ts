import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDialect, defaultDialect } from '../../src/contract/dialect.ts';
import type { ServiceRequest } from '../../src/contract/exchange.ts';
import { createLiveEnv } from '../../src/env/createLiveEnv.ts';
import { createVirtualEnv } from '../../src/env/createVirtualEnv.ts';
import { classify } from '../../src/outcomes/index.ts';
import { createClient } from '../../src/wire/createClient.ts';
import { createClockOffset } from '../../src/wire/createClockOffset.ts';
import { createEventStream } from '../../src/wire/createEventStream.ts';
import { createHttpClient, type HttpClientOptions } from '../../src/wire/createHttpClient.ts';
import { createSigner } from '../../src/wire/createSigner.ts';
import { postJson } from '../../src/wire/postJson.ts';
import { closedPort, startHttp, startTcp } from './startServer.ts';

const env = createLiveEnv();
const SECRET = 'vs_canary_secret';

function clientTo(baseUrl: string, options: Partial<HttpClientOptions> = {}) {
  const dialect = options.dialect ?? defaultDialect;
  const signer = createSigner({ keyId: 'vk_1', secret: SECRET, dialect, clock: env.clock });
  const client = createHttpClient({ baseUrl, dialect, signer, env, ...options });
  onTestFinished(() => client.close());
  return client;
}

const read: ServiceRequest = { endpoint: 'account.get', pathParams: {}, query: {}, body: '' };
const place: ServiceRequest = {
  endpoint: 'orders.place',
  pathParams: {},
  query: {},
  body: '{"symbol":"BTC","size":0.1,"note":"ü€"}',
};

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, url, headers } = request;
  return { method, url, headers, body: Buffer.concat(chunks).toString() };
}

/** Answers 200 `{}` and records requests. */
function recorder(): { received: Received[]; listener: RequestListener } {
  const received: Received[] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push(await receive(request));
    response.setHeader('content-type', 'application/json').end('{}');
  };
  return { received, listener: (request, response) => void listener(request, response) };
}

describe('what goes out', () => {
  test('AUTH-1, AUTH-2: the signature covers the path and body bytes that the server receives', async () => {
    const { received, listener } = recorder();
    const { url } = await startHttp(listener);
    await clientTo(url).request({ ...place, wallet: 'main', idempotencyKey: 'key-1' });
    const [request] = received;
    expect(request).toMatchObject({ method: 'POST', url: '/v1/order', body: place.body });
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'idempotency-key': 'key-1',
      'x-service-wallet': 'main',
      'x-service-api-key-id': 'vk_1',
    });
    const timestamp = String(request!.headers['x-service-timestamp']);
    const text = `${timestamp}POST/v1/order${request!.body}`;
    const expected = createHmac('sha256', SECRET).update(text).digest('hex');
    expect(request!.headers['x-service-signature']).toBe(expected);
  });

  test('ORD-5: a spot symbol travels percent-encoded, and the query as it was given', async () => {
    const { received, listener } = recorder();
    const { url } = await startHttp(listener);
    await clientTo(`${url}/prefix/`).request({
      endpoint: 'market.candles',
      pathParams: { symbol: 'HYPE/USDC' },
      query: { interval: '1m', limit: 5 },
      body: '',
    });
    expect(received[0]!.url).toBe('/prefix/v1/candles/HYPE%2FUSDC?interval=1m&limit=5');
    expect(received[0]!.headers).not.toHaveProperty('content-type');
  });

  test('AUTH-9: health is not signed', async () => {
    const { received, listener } = recorder();
    const { url } = await startHttp(listener);
    await clientTo(url).request({ ...read, endpoint: 'utility.health' });
    expect(Object.keys(received[0]!.headers).filter((name) => name.startsWith('x-'))).toEqual([]);
  });

  test('DIAL-1: header names and paths come from the dialect', async () => {
    const { received, listener } = recorder();
    const { url } = await startHttp(listener);
    const dialect = createDialect({
      headers: { wallet: 'X-Account' },
      endpoints: { 'account.get': { path: '/accounts/me' } },
    });
    await clientTo(url, { dialect }).request({ ...read, wallet: 'sub' });
    expect(received[0]!.url).toBe('/v1/accounts/me');
    expect(received[0]!.headers['x-account']).toBe('sub');
  });

  test('an unserialisable request rejects: that is a programming error', async () => {
    const { received, listener } = recorder();
    const { url } = await startHttp(listener);
    const client = clientTo(url);
    await expect(client.request({ ...read, wallet: 'a\r\nb' })).rejects.toThrow('header');
    const cancel: ServiceRequest = { ...read, endpoint: 'orders.cancel', pathParams: { id: '' } };
    await expect(client.request(cancel)).rejects.toThrow("can't be ''");
    expect(received).toEqual([]);
  });
});

describe('what comes back', () => {
  test('an answer is status, lower-case headers and parsed body, refusals too', async () => {
    const { url } = await startHttp((_request, response) => {
      response.writeHead(422, { 'X-Request-Id': 'req_1', 'Set-Cookie': ['a=1', 'b=2'] });
      response.end('{"error":{"code":"would_cross","message":"no"},"request_id":"req_1"}');
    });
    const exchange = await clientTo(url).request(place);
    expect(exchange).toMatchObject({
      kind: 'answered',
      response: {
        status: 422,
        headers: { 'x-request-id': 'req_1', 'set-cookie': 'a=1, b=2' },
        body: { error: { code: 'would_cross' } },
      },
    });
  });

  test('a response arriving byte by byte is assembled, split characters included', async () => {
    const body = Buffer.from('{"note":"ü€😀"}');
    const { url } = await startTcp((socket) => {
      socket.setNoDelay(true);
      socket.once('data', () => {
        const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;
        writeByteByByte(socket, Buffer.concat([Buffer.from(head), body]));
      });
    });
    const exchange = await clientTo(url).request(read);
    expect(exchange).toMatchObject({ kind: 'answered', response: { body: { note: 'ü€😀' } } });
  });

  test('an informational answer before the answer is not the answer', async () => {
    const { url } = await startTcp((socket) => {
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}',
        ),
      );
    });
    expect(await clientTo(url).request(place)).toMatchObject({
      kind: 'answered',
      response: { status: 201 },
    });
  });
});

function writeByteByByte(socket: Socket, bytes: Buffer, index = 0): void {
  if (index === bytes.length) return void socket.end();
  socket.write(bytes.subarray(index, index + 1), () =>
    setImmediate(() => writeByteByByte(socket, bytes, index + 1)),
  );
}

const answerWith = (text: string) => (socket: Socket) =>
  void socket.once('data', () => socket.end(text));

describe('no answer: it may have been executed', () => {
  const broken: Array<[string, string, (socket: Socket) => void]> = [
    [
      'the connection is reset after the request',
      'connection_lost',
      (socket) => {
        socket.once('data', () => socket.resetAndDestroy());
      },
    ],
    [
      'the connection is closed without a word',
      'connection_lost',
      (socket) => {
        socket.once('data', () => socket.end());
      },
    ],
    [
      'a body ends before its length',
      'connection_lost',
      answerWith('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"a":1}'),
    ],
    [
      'a chunked body is cut off',
      'connection_lost',
      answerWith('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n'),
    ],
    [
      'a body without a length is cut off',
      'unreadable_body',
      answerWith('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"order_id":"ord_'),
    ],
    [
      'the body is empty',
      'unreadable_body',
      answerWith('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      'the body is not UTF-8',
      'unreadable_body',
      (socket) => {
        socket.once('data', () => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n');
          socket.end(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
        });
      },
    ],
    [
      'a proxy answers with a page',
      'unreadable_body',
      answerWith('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 13\r\n\r\n<html></html>'),
    ],
    ['the answer is not HTTP', 'connection_lost', answerWith('SSH-2.0-OpenSSH_9\r\n')],
  ];
  test.each(broken)('%s', async (_name, reason, onSocket) => {
    const { url } = await startTcp(onSocket);
    expect(await clientTo(url).request(place)).toMatchObject({ kind: 'no_answer', reason });
  });

  test('an error from a proxy’s page keeps the request id, for the service’s support', async () => {
    const head = 'HTTP/1.1 502 Bad Gateway\r\nX-Request-Id: req_77\r\nContent-Length: 13';
    const { url } = await startTcp(answerWith(`${head}\r\n\r\n<html></html>`));
    const http = clientTo(url);
    const exchange = await http.request(place);
    expect(exchange).toMatchObject({ kind: 'no_answer', requestId: 'req_77' });
    expect(classify(exchange)).toEqual({
      kind: 'unknown',
      reason: "502 without a content type, which is not the service's answer (request req_77)",
    });
    const call = createClient(http, defaultDialect).orders.place({ body: {} as never });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'NoAnswerError', requestId: 'req_77' });
    expect((error as Error).message).toContain('req_77');
  });

  test('a redirect is not followed', async () => {
    const { received, listener } = recorder();
    const target = await startHttp(listener);
    const { url } = await startHttp((_request, response) => {
      response.writeHead(307, { Location: `${target.url}/v1/order` }).end();
    });
    const exchange = await clientTo(url).request(place);
    expect(exchange).toMatchObject({ kind: 'no_answer', reason: 'redirected' });
    expect(received).toEqual([]);
  });

  test('a body beyond the cap is not read to its end', async () => {
    let written = 0;
    const { url } = await startHttp((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 0x20);
      const write = (): void => {
        if (response.destroyed || written > 512 * 1024 * 1024) return;
        written += chunk.length;
        response.write(chunk, write);
      };
      write();
    });
    const exchange = await clientTo(url, { maxResponseBytes: 100_000 }).request(read);
    expect(exchange).toMatchObject({ kind: 'no_answer', reason: 'body_too_large' });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  test('LIM-3: a hanging service times out after 30 s, by the environment’s timers', async () => {
    const virtual = createVirtualEnv();
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const { url, sockets } = await startHttp(() => resolve());
    const client = clientTo(url, { env: virtual });
    const exchange = client.request(place);
    await arrived;
    virtual.queue.advanceTo(29_999);
    await new Promise(setImmediate);
    expect(sockets.size).toBe(1);
    virtual.queue.advanceTo(30_000);
    expect(await exchange).toEqual({ kind: 'no_answer', reason: 'timeout' });
  });

  test('closing aborts requests in flight', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const { url } = await startHttp(() => resolve());
    const client = clientTo(url);
    const exchange = client.request(place);
    await arrived;
    await client.close();
    expect(await exchange).toEqual({ kind: 'no_answer', reason: 'closed' });
    expect(await client.request(place)).toEqual({ kind: 'not_sent', reason: 'closed' });
  });

  test('a signal aborts requests in flight', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const { url } = await startHttp(() => resolve());
    const controller = new AbortController();
    const exchange = clientTo(url).request(place, { signal: controller.signal });
    await arrived;
    controller.abort();
    expect(await exchange).toEqual({ kind: 'no_answer', reason: 'aborted' });
  });

  test('one request is written once, however often its connection is lost', async () => {
    let requests = 0;
    const { url } = await startTcp((socket) => {
      socket.on('data', () => {
        requests += 1;
        socket.resetAndDestroy();
      });
    });
    const client = clientTo(url);
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => client.request(read)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(Array.from({ length: 40 }, () => 'no_answer'));
    expect(requests).toBe(40);
  });
});

describe('not sent: certainly no byte left', () => {
  test('connection refused, for any number of requests', async () => {
    const client = clientTo(`http://127.0.0.1:${await closedPort()}`);
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => client.request(place)));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: 'not_sent', reason: 'not_connected' });
    }
  });

  test('the name does not resolve', async () => {
    const client = clientTo('https://trimtab.invalid');
    expect(await client.request(place)).toMatchObject({ kind: 'not_sent' });
  });

  test('the signal was aborted before', async () => {
    const { received, listener } = recorder();
    const { url } = await startHttp(listener);
    const exchange = await clientTo(url).request(place, { signal: AbortSignal.abort() });
    expect(exchange).toEqual({ kind: 'not_sent', reason: 'aborted' });
    expect(received).toEqual([]);
  });

  test('the time is up while all connections are busy', async () => {
    const virtual = createVirtualEnv();
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const bodies: string[] = [];
    const { url } = await startHttp((request) => {
      bodies.push(request.url ?? '');
      resolve();
    });
    const client = clientTo(url, { env: virtual, connections: 1 });
    const first = client.request(read);
    await arrived;
    const second = client.request(read);
    virtual.queue.advanceTo(30_000);
    expect(await first).toEqual({ kind: 'no_answer', reason: 'timeout' });
    expect(await second).toEqual({ kind: 'not_sent', reason: 'timeout' });
    // A third request on the freed connection shows that the second never followed.
    void client.request({ ...read, endpoint: 'utility.status' });
    await expect.poll(() => bodies).toEqual(['/v1/account', '/v1/status']);
  });

  test('closing ends the connections of reads and of orders', async () => {
    const { url, sockets } = await startHttp(recorder().listener);
    const client = clientTo(url);
    await Promise.all([client.request(read), client.request(place)]);
    expect(sockets.size).toBe(2);
    await client.close();
    // A server ends one that is idle after five seconds.
    await expect.poll(() => sockets.size, { timeout: 2_000 }).toBe(0);
  });

  test('an order does not wait behind reads that hang, nor a read behind orders that do', async () => {
    const asked: string[] = [];
    const { url, sockets } = await startHttp((request) => void asked.push(String(request.method)));
    const client = clientTo(url);
    const requests = Array.from({ length: 40 }, () => client.request(read));
    await expect.poll(() => asked.length).toBe(16);
    const orders = Array.from({ length: 40 }, () => client.request(place));
    await expect.poll(() => asked.length).toBe(32);
    expect(asked.slice(16)).toEqual(Array.from({ length: 16 }, () => 'POST'));
    expect(sockets.size).toBe(32);
    await client.close();
    const outcomes = await Promise.all([...requests, ...orders]);
    expect(outcomes.filter(({ kind }) => kind === 'no_answer')).toHaveLength(32);
    await expect.poll(() => sockets.size).toBe(0);
  });
});

describe('TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'trimtab-tls-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const made = spawnSync(
    'openssl',
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${key} -out ${cert} -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost`.split(
      ' ',
    ),
  );

  async function startTls(): Promise<{ port: number; received: Received[] }> {
    const { received, listener } = recorder();
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { port: (server.address() as AddressInfo).port, received };
  }

  test.skipIf(made.status !== 0)('an untrusted certificate: not sent', async () => {
    const { port, received } = await startTls();
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
    const exchange = await clientTo(`https://localhost:${port}`).request(place);
    expect(exchange).toMatchObject({ kind: 'not_sent', reason: 'not_connected' });
    expect(received).toEqual([]);
  });

  test.skipIf(made.status !== 0)(
    'an untrusted certificate gets no signature of an event stream, and no alert',
    async () => {
      const { port, received } = await startTls();
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
      onTestFinished(() => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
      const baseUrl = `https://localhost:${port}`;
      const states: string[] = [];
      const signer = createSigner({
        keyId: 'k',
        secret: 's',
        dialect: defaultDialect,
        clock: env.clock,
      });
      const decode = (): never => expect.unreachable();
      const subscriptions = [{ channel: 'price', params: { symbol: 'BTC' } }];
      const stream = createEventStream(
        { baseUrl, subscriptions, dialect: defaultDialect, signer, env, decode },
        {
          onFrame: () => {},
          onFault: () => {},
          onStatus: ({ state }) => void states.push(state),
        },
      );
      const answer = await postJson({ url: `${baseUrl}/secret`, body: {}, timeoutMs: 5_000, env });
      expect(answer.kind).toBe('failed');
      await expect.poll(() => states.at(-1)).toBe('lost');
      await stream.close();
      expect(states).not.toContain('open');
      expect(received).toEqual([]);
    },
  );

  test.skipIf(made.status !== 0)('a certificate of a given authority is trusted', async () => {
    const { port } = await startTls();
    const client = clientTo(`https://localhost:${port}`, { ca: readFileSync(cert, 'utf8') });
    expect(await client.request(place)).toMatchObject({ kind: 'answered' });
  });
});

test('plain text is for this machine only, and no address may hold credentials', () => {
  for (const url of ['http://example.com', 'http://10.0.0.1', 'http://127.0.0.1.evil.example']) {
    expect(() => clientTo(url)).toThrow(/use https/);
  }
  expect(() => clientTo('ftp://localhost')).toThrow('needs the scheme https');
  expect(() => clientTo('https://user:pass@example.com')).toThrow(/^(?!.*pass@).*credentials/);
  expect(() => clientTo('nonsense')).toThrow('not a URL');
  for (const url of ['http://localhost:1', 'http://[::1]:1', 'http://127.8.8.8:1']) clientTo(url);
});

test('the service’s clock is learned from its answers, and the next signature follows it', async () => {
  const skewMs = 600_000;
  const timestamps: number[] = [];
  const { url } = await startHttp((request, response) => {
    timestamps.push(Number(request.headers['x-service-timestamp']));
    response.setHeader('Date', new Date(Date.now() + skewMs).toUTCString());
    response
      .writeHead(401)
      .end('{"error":{"code":"timestamp_out_of_window","message":"late"},"request_id":"r"}');
  });
  const clockOffset = createClockOffset();
  const signer = createSigner({
    keyId: 'vk_1',
    secret: SECRET,
    dialect: defaultDialect,
    clock: env.clock,
    offsetMs: () => clockOffset.offsetMs(),
  });
  const client = clientTo(url, { signer, clockOffset });
  await client.request(read);
  await client.request(read);
  const [before, after] = timestamps as [number, number];
  expect(after - before).toBeGreaterThanOrEqual(598);
  expect(after - before).toBeLessThanOrEqual(603);
});

describe('what is learned of the service’s clock', () => {
  const SKEW_MS = 600_000;

  /** The offset after one answer. */
  async function learned(asked: ServiceRequest, listener: RequestListener): Promise<number> {
    const { url } = await startHttp(listener);
    const clockOffset = createClockOffset();
    await clientTo(url, { clockOffset }).request(asked);
    return clockOffset.offsetMs();
  }
  const status: ServiceRequest = { ...read, endpoint: 'utility.status' };
  const exact: RequestListener = (_request, response) => {
    response.sendDate = false;
    const server_time = Date.now() + SKEW_MS;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ server_time }));
  };

  test('an answer from a cache says nothing, since its time is old', async () => {
    const offsetMs = await learned(read, (_request, response) => {
      response.setHeader('Date', new Date(Date.now() - SKEW_MS).toUTCString());
      response.setHeader('Age', '600').end('{}');
    });
    expect(offsetMs).toBe(0);
  });

  // RFC 9111: stored for so many seconds. Some proxies write 0 on each answer of the service itself.
  test('an answer that a proxy gives the age 0 is the service’s own', async () => {
    const { url } = await startHttp((_request, response) => {
      response.setHeader('Date', new Date(Date.now() + SKEW_MS).toUTCString());
      response.setHeader('Age', '0').end('{}');
    });
    const clockOffset = createClockOffset();
    const client = clientTo(url, { clockOffset });
    await client.request(read);
    await client.request(read);
    expect(clockOffset.offsetMs()).toBeGreaterThan(SKEW_MS - 2_000);
  });

  test.each([
    ['a page', 'text/html', '<html>maintenance</html>'],
    ['JSON of its own', 'application/json', '{"message":"maintenance"}'],
  ])('a gateway’s refusal says nothing of it: %s', async (_what, type, text) => {
    const offsetMs = await learned(read, (_request, response) => {
      response.setHeader('Date', new Date(Date.now() + SKEW_MS).toUTCString());
      response.writeHead(503, { 'content-type': type }).end(text);
    });
    expect(offsetMs).toBe(0);
  });

  test('a status answer is one reading: its two times do not confirm each other', async () => {
    let skewMs = 0;
    const { url } = await startHttp((_request, response) => {
      response.setHeader('Date', new Date(Date.now() + skewMs).toUTCString());
      const server_time = Date.now() + skewMs;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ server_time }));
    });
    const clockOffset = createClockOffset();
    const client = clientTo(url, { clockOffset });
    await client.request(status);
    skewMs = SKEW_MS;
    await client.request(status);
    expect(Math.abs(clockOffset.offsetMs())).toBeLessThan(2_000);
    await client.request(status);
    expect(clockOffset.offsetMs()).toBeGreaterThan(SKEW_MS - 2_000);
  });

  test('a refused time is believed at once, whatever was learned before', async () => {
    let skewMs = 0;
    const { url } = await startHttp((_request, response) => {
      response.setHeader('Date', new Date(Date.now() + skewMs).toUTCString());
      if (skewMs === 0) return response.end('{}');
      return response
        .writeHead(401)
        .end('{"error":{"code":"timestamp_out_of_window","message":"late"},"request_id":"r"}');
    });
    const clockOffset = createClockOffset();
    const client = clientTo(url, { clockOffset });
    await client.request(read);
    expect(clockOffset.offsetMs()).toBe(0);
    skewMs = SKEW_MS;
    await client.request(read);
    expect(Math.abs(clockOffset.offsetMs() - SKEW_MS)).toBeLessThan(2_000);
  });

  test('the status has the exact time, and no other answer does', async () => {
    expect(Math.abs((await learned(status, exact)) - SKEW_MS)).toBeLessThan(1_000);
    expect(await learned(read, exact)).toBe(0);
  });
});

test('no exchange shows the secret, on any failure', async () => {
  const { url } = await startTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const refused = `http://127.0.0.1:${await closedPort()}`;
  for (const address of [url, refused]) {
    const client = clientTo(address);
    const shown = inspect(await client.request(place), { depth: null, showHidden: true });
    expect(shown + inspect(client, { depth: null, showHidden: true })).not.toContain(SECRET);
  }
});

test('a response that the dialect cannot read counts as none, and names its request', async () => {
  const { url } = await startHttp((_request, response) => {
    response.writeHead(201, { 'X-Trace': 't9' }).end('{"order_id":"ord_1"}');
  });
  const dialect = createDialect(
    { headers: { requestId: 'X-Trace' } },
    {
      shapes: {
        normaliseAnswer() {
          throw new Error('no such shape');
        },
      },
    },
  );
  expect(await clientTo(url, { dialect }).request(place)).toMatchObject({
    kind: 'no_answer',
    reason: 'not_normalised',
    requestId: 't9',
    unread: { status: 201, headers: { 'x-trace': 't9' }, isEmpty: false },
  });
});

test('a refusal without an envelope names its request by the header of the dialect', async () => {
  const { url } = await startHttp((_request, response) => {
    response.writeHead(403, { 'X-Trace': 't7' }).end('{"message":"no"}');
  });
  const dialect = createDialect({ headers: { requestId: 'X-Trace' } });
  const client = createClient(clientTo(url, { dialect }), dialect);
  await expect(client.account.get()).rejects.toMatchObject({ code: 'unknown', requestId: 't7' });
});
