import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import {
  COMMAND_NAMES,
  COMMANDS,
  createDialect,
  defaultDialect,
  ENDPOINT_IDS,
  ERROR_CODES,
  type ServerFrame,
} from '../../src/contract/index.ts';
import { createLiveEnv, createRandom, type Env, type Log } from '../../src/env/index.ts';
import { decodeFrame } from '../../src/frames/index.ts';
import { connectService } from '../../src/service/connectService.ts';
import { openService } from '../../src/service/index.ts';
import {
  createBackoff,
  createChangeableSigner,
  createClient,
  createClockOffset,
  createCommands,
  createEventStream,
  createHttpClient,
  createPaperControls,
  createSendGate,
  createSigner,
  createSocket,
  postJson,
  readEveryPage,
  readNamedRefusal,
} from '../../src/wire/index.ts';
import { createSseParser } from '../../src/wire/createSseParser.ts';
import { toServiceError } from '../../src/wire/errors/index.ts';
import { nameRefusal, retryAfterOf } from '../../src/wire/nameRefusal.ts';
import { requireRequest } from '../../src/wire/requireCall.ts';
import { requireSafeUrl } from '../../src/wire/requireSafeUrl.ts';
import { requireSendable } from '../../src/wire/requireSendable.ts';
import { toSseChannels } from '../../src/wire/toSseChannels.ts';
import { createDraw } from '../fuzz/Draw.ts';
import { createKnown } from '../fuzz/Known.ts';
import { validRequest } from '../fuzz/ShapedRequest.ts';
import { openTestService, testFeed } from '../paper/core/openTestService.ts';
import { startHttp, startTcp } from '../wire/startServer.ts';
import { startSocketServer } from '../wire/startSocketServer.ts';
import { expectRecorded } from './expectRecorded.ts';
import { resultText, resultTextOf, valueText } from './resultText.ts';

const NOW = 1_800_000_000_000;
const live = createLiveEnv();

/** Real sockets and timers; the times that are sent and read stand still. */
function stillEnv(lines: string[] = []): Env {
  const log: Log = {
    debug: (message, fields) => void lines.push(`debug ${message} ${valueText(fields)}`),
    info: (message, fields) => void lines.push(`info ${message} ${valueText(fields)}`),
    warn: (message, fields) => void lines.push(`warn ${message} ${valueText(fields)}`),
    error: (message, fields) => void lines.push(`error ${message} ${valueText(fields)}`),
    with: () => log,
  };
  const clock = { wallNow: () => NOW, monotonicNow: () => 1_000 };
  return { ...live, clock, log, random: { next: () => 0.5 } };
}

/** A text without the port that the system has given. */
const plain = (text: string): string => text.replaceAll(/127\.0\.0\.1:\d+/g, 'server');

/** Answers of the service and of what stands before it. */
const HEADERS: ReadonlyArray<Record<string, string>> = [
  { 'content-type': 'application/json', 'x-request-id': 'req_1' },
  { 'content-type': 'application/json; charset=utf-8', date: 'Fri, 15 Jan 2027 08:00:09 GMT' },
  { 'content-type': 'text/html', 'retry-after': '7' },
  { age: '12', 'content-type': 'application/json' },
  {},
];
const envelope = (code: string, details: object = {}): string =>
  JSON.stringify({ error: { code, message: `about ${code}`, details }, request_id: 'req_9' });
const BODIES: readonly string[] = [
  '{"order_id":"ord_1","status":"open"}',
  '{"items":[],"next_cursor":null}',
  '{"server_time":1800000009000,"layers":{}}',
  '{"items":[',
  '',
  '<html>no</html>',
  'null',
  '[]',
  envelope('not_found', { id: 'x' }),
  envelope('rate_limited', { retry_after_seconds: 3, bucket_exceeded: 'key_minute' }),
  envelope('timestamp_out_of_window'),
  envelope('insufficient_scope', { required_scope: 'algo' }),
  envelope('validation_failed', { fields: [{ path: 'size', code: 'too_small', message: 'm' }] }),
  envelope('of_a_newer_service'),
];
const STATUSES = [200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503];

test('what a client makes of each answer', { timeout: 300_000 }, async () => {
  let next = { status: 200, headers: HEADERS[0]!, body: '' };
  const received: string[] = [];
  const server = await startHttp((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { host: _, ...headers } = request.headers;
      const body = Buffer.concat(chunks).toString();
      received.push(`${request.method} ${request.url} ${JSON.stringify(headers)} ${body}`);
      response.sendDate = false;
      response.writeHead(next.status, next.headers).end(next.body);
    });
  });
  const env = stillEnv();
  const address = {
    keyId: 'vk_1',
    secret: 'vs_1',
    baseUrl: server.url,
    wsUrl: 'ws://127.0.0.1:1/v1/stream',
  };
  const parts = connectService(address, { env });
  onTestFinished(() => Promise.all([parts.http.close(), parts.socket.close()]).then(() => {}));
  const exchanges: string[] = [];
  const calls: string[] = [];
  for (const status of STATUSES)
    for (const [at, body] of BODIES.entries())
      for (const headers of at < 2 ? HEADERS : [HEADERS[at % HEADERS.length]!]) {
        next = { status, headers, body: status === 204 ? '' : body };
        const request = {
          endpoint: 'orders.get',
          pathParams: { id: 'ord_1' },
          query: {},
          body: '',
        } as const;
        exchanges.push(await resultTextOf(() => parts.http.request(request)));
        calls.push(
          await resultTextOf(() => parts.client.orders.get({ id: 'ord_1' })),
          await resultTextOf(() => parts.client.orders.list()),
          `${parts.clockOffset.offsetMs()}`,
        );
        if (at === 2) calls.push(await resultTextOf(() => parts.client.utility.status()));
      }
  received.splice(0);
  next = { status: 404, headers: HEADERS[0]!, body: envelope('not_found') };
  const draw = createDraw('calls');
  const { instruments } = openTestService({}, { feeds: [testFeed('BTC', 600)] }).core.engine.market;
  const known = createKnown(instruments, ['main']);
  const client = parts.client as never as Record<
    string,
    Record<string, (input: unknown) => Promise<unknown>>
  >;
  const refusals: string[] = [];
  for (const endpoint of ENDPOINT_IDS.filter((id) => !id.startsWith('streams.'))) {
    const [family, method] = endpoint.split('.') as [string, string];
    const call = (input: unknown): Promise<string> =>
      resultTextOf(() => client[family]![method]!(input));
    const { pathParams, query, body } = validRequest(endpoint, draw, known);
    const input = { ...pathParams, query, ...(body === undefined ? {} : { body }) };
    await call({ ...input, idempotencyKey: 'key' });
    await call({ ...input, wallet: 'other', idempotencyKey: 'key' });
    for (const wrong of [
      undefined,
      null,
      'text',
      [],
      { ...input, more: 1 },
      { ...input, query: 4 },
      { ...input, wallet: '' },
      { ...input, idempotencyKey: 7 },
      { ...input, id: '', symbol: '' },
      { ...input, id: '..', symbol: 5 },
      { ...input, body: { size: NaN } },
      { ...input, body: { at: new Date(0) } },
      { ...input, query: { limit: Infinity } },
    ])
      refusals.push(
        plain(await call(wrong)).replaceAll(/"idempotencyKey":"[^"]+"/g, '"idempotencyKey":"…"'),
      );
  }
  // A launch without a key has one of its own.
  const sent = received.map((line) =>
    line.replaceAll(/"idempotency-key":"[0-9a-f-]{36}"/g, '"idempotency-key":"…"'),
  );
  const cyclic: Record<string, unknown> = {};
  cyclic['own'] = cyclic;
  const unsendable = [
    1,
    NaN,
    -Infinity,
    5n,
    () => 1,
    Symbol('s'),
    null,
    undefined,
    'x',
    [1, undefined],
    Object.assign([], { 1: 1 }),
    { a: { b: [new Map()] } },
    new Date(0),
    cyclic,
    { toJSON: () => 1 },
    Object.create(null),
    { a: undefined },
  ].map((value) => resultText(() => requireSendable(value, ['body'])));
  const requests = [
    null,
    {},
    { endpoint: 'x' },
    { endpoint: 'orders.get' },
    { endpoint: 'orders.get', pathParams: [] },
    { endpoint: 'orders.get', pathParams: { id: 7 } },
    { endpoint: 'orders.list', body: {} },
    { endpoint: 'orders.get', pathParams: { id: 'a' } },
  ].map((request) => resultText(() => requireRequest(request)));
  await expectRecorded(
    'wireHttp',
    new Map([
      [
        'http',
        new Map([
          ['exchanges', exchanges],
          ['calls', calls.map(plain)],
          ['sent', sent],
          ['refusals', refusals],
          ['values', [...unsendable, ...requests]],
        ]),
      ],
    ]),
  );
});

const RAW: ReadonlyArray<[how: string, bytes: string, ends: 'end' | 'destroy' | 'open']> = [
  ['nothing', '', 'end'],
  ['a reset', '', 'destroy'],
  ['no HTTP', 'hello\r\n\r\n', 'end'],
  ['half a head', 'HTTP/1.1 200 OK\r\ncontent-', 'end'],
  [
    'half a body',
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"a":',
    'end',
  ],
  ['half a body, reset', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"a":', 'destroy'],
  [
    'an answer without a length',
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"a":1}',
    'end',
  ],
  [
    'early hints',
    'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}',
    'end',
  ],
  ['a large answer', `HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n${'x'.repeat(900)}`, 'end'],
  [
    'a redirect',
    'HTTP/1.1 302 Found\r\nlocation: http://elsewhere/\r\ncontent-length: 0\r\n\r\n',
    'end',
  ],
  ['a wrong chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'end'],
  ['silence', '', 'open'],
];

test('answers that are none', { timeout: 300_000 }, async () => {
  const lines: string[] = [];
  let now = RAW[0]!;
  const server = await startTcp((socket: Socket) => {
    socket.once('data', () => {
      const [, bytes, ends] = now;
      if (ends === 'destroy') socket.write(bytes, () => socket.resetAndDestroy());
      else if (ends === 'end') socket.end(bytes);
    });
  });
  const env = stillEnv();
  const signer = createSigner({
    keyId: 'vk_1',
    secret: 'vs_1',
    dialect: defaultDialect,
    clock: env.clock,
  });
  for (const one of RAW) {
    now = one;
    const http = createHttpClient({
      baseUrl: server.url,
      dialect: defaultDialect,
      signer,
      env,
      maxResponseBytes: 500,
    });
    const options = one[2] === 'open' ? { timeoutMs: 60 } : {};
    for (const endpoint of ['orders.list', 'orders.bulkCancel'] as const) {
      const request = { endpoint, pathParams: {}, query: {}, body: '' };
      const exchange = await http.request(request, options);
      // What Node says of it beside its code may change with it.
      const { cause, ...rest } = exchange as { cause?: { code?: string } };
      // Which call of the system meets a reset first is nobody's choice.
      const code = one[2] === 'destroy' ? '' : String(cause?.code);
      lines.push(`${one[0]} ${endpoint} ${valueText(rest)} ${code}`);
      if (endpoint !== 'orders.list' || one[2] === 'open') continue;
      const client = createClient(http, defaultDialect);
      const failed = await client.account.get().catch((error: Error) => error);
      if (failed instanceof Error && one[2] !== 'destroy')
        lines.push(`${failed.name} ${failed.message}`);
    }
    const aborted = new AbortController();
    aborted.abort();
    const request = { endpoint: 'orders.list', pathParams: {}, query: {}, body: '' } as const;
    lines.push(valueText(await http.request(request, { signal: aborted.signal })));
    await http.close();
    lines.push(valueText(await http.request(request)));
  }
  await expectRecorded('wireBroken', new Map([['answers', new Map([['raw', lines.map(plain)]])]]));
});

const FRAME = {
  channel: 'price',
  params: { symbol: 'BTC' },
  event: 'other',
  wallet: 'main',
  seq: 1,
  ts: 2,
  data: {},
};
const result = (id: unknown, more: object): string =>
  JSON.stringify({ type: 'result', id, wallet: 'main', ...more });

/** What the other side of a socket does once it is open, or instead of opening. */
const PEERS: Readonly<Record<string, (socket: WebSocket) => void>> = {
  'frames, then a close': (socket) => {
    for (const text of [
      JSON.stringify(FRAME),
      '{',
      'null',
      JSON.stringify({ ...FRAME, seq: 'x' }),
      JSON.stringify({ type: 'ack', id: '1', wallet: 'main', channel: 'price', params: {} }),
    ])
      socket.send(text);
    socket.close(4008, 'slow consumer');
  },
  'a binary frame': (socket) => socket.send(Buffer.from([1, 2])),
  'a large frame': (socket) => socket.send('x'.repeat(3_000)),
  'an end': (socket) => socket.terminate(),
  'a normal close': (socket) => socket.close(1000),
};
const REFUSALS: Readonly<Record<string, string>> = {
  '401 of the service': `HTTP/1.1 401 Unauthorized\r\ndate: Fri, 15 Jan 2027 08:00:30 GMT\r\n\r\n${envelope('unknown_key')}`,
  '401 of a clock': `HTTP/1.1 401 Unauthorized\r\ndate: Fri, 15 Jan 2027 08:01:40 GMT\r\n\r\n${envelope('timestamp_out_of_window')}`,
  '429 with a wait': `HTTP/1.1 429 Slow\r\nretry-after: 9\r\n\r\n${envelope('rate_limited', { retry_after_seconds: 4 })}`,
  '503 of a gateway':
    'HTTP/1.1 503 Unavailable\r\nretry-after: 30\r\ncontent-type: text/html\r\n\r\n<html>',
  '302': 'HTTP/1.1 302 Found\r\nlocation: ws://elsewhere\r\n\r\n',
  'no HTTP': 'hello\r\n\r\n',
};

test('what a socket reports of its peer', { timeout: 300_000 }, async () => {
  const outcomes = new Map<string, string[]>();
  const follow = async (about: string, wsUrl: string): Promise<void> => {
    const lines: string[] = [];
    const env = stillEnv(lines);
    const clockOffset = createClockOffset();
    const signer = createSigner({
      keyId: 'vk_1',
      secret: 'vs_1',
      dialect: defaultDialect,
      clock: env.clock,
    });
    const decode = (text: string) => decodeFrame(text, defaultDialect);
    const socket = createSocket({
      wsUrl,
      dialect: defaultDialect,
      signer,
      env,
      decode,
      clockOffset,
      maxPayloadBytes: 2_000,
      wallet: 'main',
    });
    lines.push(valueText(await socket.command('get_orders', {})));
    await new Promise<void>((resolve) => {
      socket.open({
        onFrame: (frame) => lines.push(valueText(frame)),
        onFault: (fault) => lines.push(valueText(fault)),
        onStatus(status) {
          lines.push(valueText(status));
          if (status.state === 'lost') resolve();
        },
      });
    });
    await socket.close();
    lines.push(
      `offset ${clockOffset.offsetMs()}`,
      valueText(await socket.command('get_orders', {})),
    );
    outcomes.set(about, lines.map(plain));
  };
  for (const [about, onConnection] of Object.entries(PEERS)) {
    const { wsUrl, upgrades } = await startSocketServer({ onConnection });
    await follow(about, wsUrl);
    const { host: _, 'sec-websocket-key': __, ...headers } = upgrades[0]!.headers;
    outcomes
      .get(about)!
      .push(`${upgrades[0]!.method} ${upgrades[0]!.url} ${JSON.stringify(headers)}`);
  }
  for (const [about, answer] of Object.entries(REFUSALS)) {
    const refuse = (socket: Socket): boolean => {
      socket.end(answer);
      return true;
    };
    await follow(about, (await startSocketServer({ refuse })).wsUrl);
  }
  await expectRecorded('wireSockets', new Map([['peers', outcomes]]));
});

test('commands, and what answers them', { timeout: 300_000 }, async () => {
  const lines: string[] = [];
  const replies: ReadonlyArray<(id: unknown) => string[]> = [
    (id) => [result(id, { ok: true, data: { order_id: 'ord_1' }, weight: 2, request_id: 'r1' })],
    (id) => [
      result('another', { ok: true, data: {} }),
      result(id, { ok: true, data: { items: [] } }),
    ],
    (id) => [
      result(id, { ok: false, error: { code: 'not_found', message: 'm' }, request_id: 'r2' }),
    ],
    (id) => [result(id, { ok: false, error: { code: 'newer', message: 'm' }, weight: 1 })],
    (id) => [result(id, { ok: false, request_id: 'r3' })],
    (id) => [
      JSON.stringify({
        type: 'error',
        id,
        wallet: 'main',
        error: { code: 'invalid_json', message: 'm' },
        request_id: 'r4',
      }),
    ],
  ];
  let at = 0;
  const server = await startSocketServer({
    onMessage(socket, message) {
      const { id, ...rest } = message;
      lines.push(
        `sent ${JSON.stringify(rest).replaceAll(/"idempotency_key":"[0-9a-f-]{36}"/g, '"idempotency_key":"…"')}`,
      );
      for (const text of replies[at++ % replies.length]!(id)) socket.send(text);
    },
  });
  const env = stillEnv(lines);
  const { socket, close } = openService(
    { base_url: 'http://127.0.0.1:1', ws_url: server.wsUrl, key_id: 'vk_1', secret: 'vs_1' },
    { env, wallet: 'main' },
  );
  onTestFinished(close);
  const frames: ServerFrame[] = [];
  await new Promise<void>((resolve) => {
    const onStatus = ({ state }: { state: string }): void => void (state === 'open' && resolve());
    socket.open({ onFrame: (frame) => frames.push(frame), onFault: () => {}, onStatus });
  });
  const draw = createDraw('commands');
  const { instruments } = openTestService({}, { feeds: [testFeed('BTC', 600)] }).core.engine.market;
  const known = createKnown(instruments, ['main']);
  const commands = createCommands(socket, defaultDialect) as never as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >;
  const hideKey = (text: string): string => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
  for (const name of COMMAND_NAMES) {
    const method = name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());
    const { pathParams, query, body } = validRequest(COMMANDS[name], draw, known);
    const args = { ...pathParams, ...query, ...(body as object) };
    for (const given of [
      [args],
      [args, { wallet: 'w', idempotencyKey: 'k' }],
      [null],
      [args, 7],
      [{ ...args, size: NaN }],
    ])
      lines.push(`${method} ${hideKey(await resultTextOf(() => commands[method]!(...given)))}`);
  }
  lines.push(
    valueText(
      socket.send({
        id: 's',
        op: 'subscribe',
        channel: 'price',
        params: { symbol: 'BTC' },
      } as never),
    ),
  );
  await socket.command('get_positions', {});
  lines.push(valueText(frames));
  await expectRecorded(
    'wireCommands',
    new Map([['commands', new Map([['lines', lines.map(plain)]])]]),
  );
});

test('event streams, and the parts of the wire alone', { timeout: 300_000 }, async () => {
  const events = (text: string, chunk: number): string => {
    const found: unknown[] = [];
    const parse = createSseParser((event) => found.push(event));
    for (let at = 0; at < text.length; at += chunk) parse(text.slice(at, at + chunk));
    return valueText(found);
  };
  const texts = [
    'data: a\n\n',
    ': comment\ndata: a\ndata: b\nid: 1\nevent: e\n\n',
    'data:a\r\n\r\ndata:b\r\r',
    'data\n\n',
    'id: 4\n\ndata: x\n\n',
    'retry: 5\ndata:  two blanks\n\n',
    'event: only\n\n',
    '\uFEFFdata: mark\n\n',
    'data: unended',
  ];
  const sse = texts.flatMap((text) => [1, 2, 5, 100].map((chunk) => events(text, chunk)));
  const streams: string[] = [];
  const answers: ReadonlyArray<[status: number, type: string, body: string]> = [
    [200, 'text/event-stream', `data: ${JSON.stringify(FRAME)}\n\ndata: {\n\n: ping\n\n`],
    [
      200,
      'text/event-stream',
      `event: x\nid: price:BTC:1\ndata: ${JSON.stringify({ ...FRAME, seq: 2 })}\n\n`,
    ],
    [200, 'text/html', '<html>'],
    [401, 'application/json', envelope('unknown_key')],
    [429, 'application/json', envelope('rate_limited', { retry_after_seconds: 4 })],
    [503, 'text/html', '<html>'],
    [302, 'text/plain', ''],
  ];
  for (const [status, type, body] of answers) {
    const server = await startHttp((request, response) => {
      const { host: _, ...headers } = request.headers;
      streams.push(`${request.method} ${request.url} ${JSON.stringify(headers)}`);
      response.writeHead(status, { 'content-type': type, location: '/x' }).end(body);
    });
    const env = stillEnv();
    for (const dialect of [
      defaultDialect,
      createDialect({ names: { channels: { price: 'px' } } }),
    ]) {
      const signer = createSigner({ keyId: 'vk_1', secret: 'vs_1', dialect, clock: env.clock });
      const subscriptions = [
        { channel: 'price' as const, params: { symbol: 'PURR/USDC' } },
        { channel: 'candles' as const, params: { symbol: 'BTC', interval: '1m', limit: 3 } },
      ];
      await new Promise<void>((resolve) => {
        createEventStream(
          {
            baseUrl: server.url,
            subscriptions,
            dialect,
            signer,
            env,
            wallet: 'w',
            decode: (text) => decodeFrame(text, dialect),
          },
          {
            onFrame: (frame) => streams.push(valueText(frame)),
            onFault: (fault) => streams.push(valueText(fault)),
            onStatus(given) {
              streams.push(valueText(given));
              if (given.state === 'lost' || given.state === 'closed') resolve();
            },
          },
        );
      });
    }
  }
  const draw = createDraw('offset');
  const offsets = Array.from({ length: 12 }, () => {
    const offset = createClockOffset();
    const shift = draw.pick([0, 0, 400, -9_000, 3_600_000]);
    return valueText(
      Array.from({ length: 30 }, (_none, at) => {
        const sentAt = NOW + at * 1_000;
        const receivedAt = sentAt + draw.pick([0, 20, 300, -1]);
        const jump = draw.chance(0.1) ? 50_000 : 0;
        const resolutionMs = draw.pick([1, 1_000]);
        const serverTime = Math.floor((sentAt + shift + jump) / resolutionMs) * resolutionMs;
        offset.learn({
          serverTime: draw.chance(0.05) ? NaN : serverTime,
          resolutionMs,
          sentAt,
          receivedAt,
          isTimeRefused: draw.chance(0.1),
        });
        return offset.offsetMs();
      }),
    );
  });
  const backoff = createBackoff(createRandom('waits'));
  const waits = Array.from({ length: 12 }, (_none, at) => {
    if (at === 9) backoff.reset();
    return valueText(backoff.next());
  });
  const errors = [...Object.keys(ERROR_CODES), 'newer'].flatMap((code) =>
    [400, 422, 429, 500].map((status) => {
      const body = JSON.parse(
        envelope(code, {
          fields: [{ path: 'a', code: 'c' }],
          required_scope: 'algo',
          retry_after_seconds: 2,
          bucket_exceeded: 'b',
          resolved_value: 4,
        }),
      ) as unknown;
      const error = toServiceError({
        status,
        headers: { 'retry-after': '3', 'x-request-id': 'h' },
        body,
      });
      const own: Record<string, unknown> = {};
      for (
        let of: object | null = Object.getPrototypeOf(error);
        of !== null && of !== Error.prototype;
        of = Object.getPrototypeOf(of)
      )
        for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(of)))
          if (get) own[name] = get.call(error);
      return valueText([error, own]);
    }),
  );
  const naked = [undefined, null, 'x', { error: 4 }].map((body) =>
    valueText(toServiceError({ status: 502, headers: {}, body })),
  );
  const names = [200, 401, 429, 503].flatMap((status) =>
    ['', '{', envelope('unknown_key'), envelope('rate_limited', { retry_after_seconds: 4 })].map(
      (body) => {
        const name = nameRefusal(status, body);
        return valueText([
          name,
          readNamedRefusal(name),
          retryAfterOf({ body, header: '6', now: NOW }),
          retryAfterOf({ body, header: undefined, now: NOW }),
        ]);
      },
    ),
  );
  const urls = [
    'http://127.0.0.1:1',
    'http://example.org',
    'https://example.org/a',
    'ws://localhost/x',
    'wss://h/x',
    'ws://h',
    'x',
    'https://a:b@h',
    'ftp://h',
    'http://[::1]:5',
    'https://h/?q=1#f',
  ].flatMap((url) =>
    (['http', 'ws'] as const).map((scheme) => resultText(() => requireSafeUrl(url, scheme).href)),
  );
  const addresses = [
    null,
    {},
    { base_url: '' },
    { base_url: 'http://h', ws_url: 7 },
    { base_url: 'https://h', ws_url: 'wss://h', key_id: 'vk_1' },
    { base_url: 'https://h', ws_url: 'wss://h', key_id: 'vk_1', secret: 'vs_\n' },
    { base_url: 'https://h\n', ws_url: 'wss://h', key_id: 'k', secret: 's' },
  ].map((address) => resultText(() => typeof openService(address as never)));
  const pages: string[] = [];
  for (const cursors of [[undefined], ['a', 'b', null], ['a', 'a'], ['', null]]) {
    let page = 0;
    pages.push(
      await resultTextOf(() =>
        readEveryPage(2, async (query) => ({
          items: [query],
          next_cursor: cursors[page++] ?? null,
        })),
      ),
    );
  }
  const signatures = [
    defaultDialect,
    createDialect({ signing: { signQueryString: false } }),
  ].flatMap((dialect) => {
    const first = createSigner({
      keyId: 'vk_1',
      secret: 'vs_1',
      dialect,
      clock: { wallNow: () => NOW },
      offsetMs: () => 4_500,
    });
    const signer = createChangeableSigner(first);
    const before = signer.sign({ method: 'POST', path: '/v1/order?a=1', body: '{"a":"ü"}' });
    signer.change(
      createSigner({ keyId: 'vk_2', secret: 'vs_2', dialect, clock: { wallNow: () => NOW } }),
    );
    return [
      before,
      signer.keyId,
      signer.sign({ method: 'GET', path: '/v1/orders?limit=2', body: '' }),
      Object.keys(signer),
    ].map(valueText);
  });
  const gate = createSendGate();
  const order: string[] = [];
  gate.close();
  const passed = [1, 2].map((number) => gate.pass(async () => void order.push(`sent ${number}`)));
  order.push(`in flight ${gate.inFlight}`);
  gate.open();
  await Promise.all(passed);
  await gate.drained();
  order.push(`in flight ${gate.inFlight}`);
  const channels = [
    [],
    [{ channel: 'price', params: { symbol: 'A/B' } }],
    [
      {
        channel: 'candles',
        params: { symbol: 'BTC', interval: '1m', include_forming: true, limit: 3 },
      },
      { channel: 'account.state', params: {} },
    ],
    [
      { channel: 'executions', params: { wallet: 'w' } },
      { channel: 'moon', params: { a: 'x:y,z%' } },
    ],
  ].map((list) => resultText(() => toSseChannels(list as never)));
  const posted: string[] = [];
  const receiver = await startHttp((request, response) => {
    const code = Number(request.url!.slice(1));
    request
      .resume()
      .on('end', () =>
        response.writeHead(code, { 'retry-after': '5' }).end('x'.repeat(code === 200 ? 3 : 20_000)),
      );
  });
  for (const path of ['/200', '/429', '/500', '/302'])
    posted.push(
      await resultTextOf(() =>
        postJson({ url: `${receiver.url}${path}`, body: { a: 1 }, timeoutMs: 5_000, env: live }),
      ),
    );
  posted.push(
    await resultTextOf(() =>
      postJson({ url: 'http://example.org', body: 1, timeoutMs: 50, env: live }),
    ),
  );
  for (const base of ['http://127.0.0.1:1', 'https://example.org', 'x'])
    posted.push(
      await resultTextOf(async () => {
        const controls = createPaperControls(base, live);
        try {
          return await controls.replay();
        } finally {
          await controls.close();
        }
      }),
    );
  await expectRecorded(
    'wireParts',
    new Map([
      [
        'parts',
        new Map([
          ['sse', sse],
          ['streams', streams.map(plain)],
          ['offsets', [...offsets, ...waits]],
          ['errors', [...errors, ...naked, ...names]],
          ['addresses', [...urls, ...addresses, ...channels]],
          ['signatures', signatures],
          ['others', [...pages, ...order, ...posted.map(plain)]],
        ]),
      ],
    ]),
  );
});
