import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { onTestFinished, test } from 'vitest';
import { createDialect } from '../../src/contract/index.ts';
import { createLiveEnv, type Env, type Log } from '../../src/env/index.ts';
import { connectService } from '../../src/service/connectService.ts';
import { createPaperControls } from '../../src/wire/index.ts';
import {
  LAUNCH,
  RESTING_ORDER,
  signed,
  TAPE_START,
  testFeed,
} from '../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../paper/server/openTestServer.ts';
import { drawFeeds } from './drawFeeds.ts';
import { expectRecorded } from './expectRecorded.ts';
import { resultTextOf, valueText } from './resultText.ts';

const NOW = 1_800_000_000_000;
const live = createLiveEnv();

/** Real sockets and timers; wall time stands still, so that what is signed and dated is the same each day. */
function stillEnv(lines: string[] = []): Env {
  const line =
    (level: string) =>
    (message: string, fields: object = {}): void =>
      void lines.push(`${level} ${message} ${valueText({ ...fields, stack: undefined })}`);
  const log: Log = {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    with: () => log,
  };
  const random = { next: () => 0.4 };
  return { ...live, clock: { ...live.clock, wallNow: () => NOW }, log, random };
}

/** Without what differs from run to run: ports, keys, secrets and folders. */
function plain(text: string, server: Pick<TestServer, 'keyId' | 'secret'>): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, 'server')
    .replaceAll(server.keyId, 'vk_demo')
    .replaceAll(server.secret, 'vs_demo')
    .replaceAll(/vk_[\w-]{12,}/g, 'vk_…')
    .replaceAll(/vs_[\w-]{12,}/g, 'vs_…');
}

// Node dates what the service has not.
const undated = (text: string): string =>
  text.replaceAll(/("date":"|date: )\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/gi, '$1…');

async function open(
  settings: Parameters<typeof openTestServer>[0] = {},
  more: Parameters<typeof openTestServer>[1] = {},
): Promise<TestServer> {
  const server = await openTestServer(settings, { env: stillEnv(), ...more });
  onTestFinished(() => server.close());
  return server;
}

const CONTROLS: ReadonlyArray<[method: string, path: string, body?: unknown]> = [
  ['GET', '/paper'],
  ['GET', '/paper/nothing'],
  ['PATCH', '/paper/keys'],
  ['GET', '/paper/keys'],
  ['POST', '/paper/keys', {}],
  ['POST', '/paper/keys', { label: 'k', scopes: [] }],
  ['POST', '/paper/keys', { label: '', scopes: ['read', 'write'], tier: 'gold', more: 1 }],
  ['POST', '/paper/keys', { label: 'k', scopes: ['read'], connection_id: 'nobody' }],
  [
    'POST',
    '/paper/keys',
    { label: 'k', scopes: ['read', 'trade'], tier: 'elite', connection_id: 'main' },
  ],
  ['DELETE', '/paper/keys/vk_none'],
  ['DELETE', '/paper/keys/%E0%A4'],
  ['GET', '/paper/connections'],
  ['POST', '/paper/connections', { label: 'Second One', balance: 5 }],
  ['POST', '/paper/connections', { label: 'second one', balance: 5, status: 'unlinked' }],
  ['POST', '/paper/connections', { label: '!!!', balance: 5, status: 'degraded' }],
  ['POST', '/paper/connections', { label: '', balance: -1 }],
  ['POST', '/paper/keys', { label: 'k', scopes: ['read'], connection_id: 'second-one-2' }],
  ['POST', '/paper/transfers', { amount: 0 }],
  ['POST', '/paper/transfers', { amount: 25, wallet: 'nobody' }],
  ['POST', '/paper/transfers', { amount: 25 }],
  ['POST', '/paper/transfers', { amount: -1e9 }],
  ['GET', '/paper/replay'],
  ['POST', '/paper/replay/advance', {}],
  ['POST', '/paper/replay/advance', { bars: 2 }],
  ['POST', '/paper/replay/advance', { bars: 2, interval: '2m' }],
  ['POST', '/paper/replay/advance', { bars: 2, interval: '5m', to_time: 5 }],
  ['POST', '/paper/replay/advance', { to_time: 5 }],
  ['POST', '/paper/replay/advance', { bars: 2, interval: '5m' }],
  ['POST', '/paper/replay/advance', { bars: 1, interval: '1h', until: 'event' }],
  ['POST', '/paper/replay/advance', { bars: 1, interval: '1m', until: 'tick' }],
  [
    'POST',
    '/paper/replay/advance',
    { bars: 1, interval: '1m', apart_from: [{ channel: 'x', params: {} }] },
  ],
  ['POST', '/paper/replay/speed', { speed: -1 }],
  ['POST', '/paper/replay/speed', { speed: 'slow' }],
  ['POST', '/paper/replay/speed', { speed: 1e-9 }],
  ['POST', '/paper/replay/advance', { bars: 1, interval: '1m' }],
  ['POST', '/paper/replay/speed', { speed: 0 }],
  ['POST', '/paper/replay/advance', { bars: 1, interval: '1m' }],
  ['POST', '/paper/faults', { kind: 'nothing' }],
  ['POST', '/paper/faults', []],
  ['POST', '/paper/faults', { kind: 'latency' }],
  ['POST', '/paper/faults', { kind: 'error_500', match: 'orders', rate: 2, for_requests: 0 }],
  [
    'POST',
    '/paper/faults',
    [
      { kind: 'clock_skew', seconds: 900, for_requests: 1 },
      { kind: 'degrade_layer', layer: 'x' },
    ],
  ],
  ['POST', '/paper/faults', { kind: 'degrade_layer', layer: 'orders', for_seconds: 900 }],
  ['GET', '/paper/faults'],
  ['DELETE', '/paper/faults'],
  ['GET', '/paper/openapi.json'],
  ['GET', '/paper/asyncapi.json'],
  ['POST', '/paper/restart'],
];

const AT_THE_DOOR: ReadonlyArray<[how: string, target: string, asked: object]> = [
  ['signed', '/v1/account', {}],
  ['another secret', '/v1/account', { secret: 'vs_wrong' }],
  ['an unknown key', '/v1/account', { keyId: 'vk_none' }],
  ['no key', '/v1/account', { headers: { 'x-service-api-key-id': undefined } }],
  [
    'no credentials',
    '/v1/account',
    {
      headers: {
        'x-service-api-key-id': undefined,
        'x-service-timestamp': undefined,
        'x-service-signature': undefined,
      },
    },
  ],
  [
    'a session',
    '/v1/account',
    {
      headers: {
        'x-service-api-key-id': undefined,
        'x-service-timestamp': undefined,
        'x-service-signature': undefined,
        cookie: 'a=1',
      },
    },
  ],
  [
    'a bearer',
    '/v1/account',
    {
      headers: {
        'x-service-api-key-id': undefined,
        'x-service-timestamp': undefined,
        'x-service-signature': undefined,
        authorization: 'Bearer x',
      },
    },
  ],
  ['31 s ago', '/v1/account', { timestamp: String(NOW / 1_000 - 31) }],
  ['30 s ago', '/v1/account', { timestamp: String(NOW / 1_000 - 30) }],
  ['30 s ahead', '/v1/account', { timestamp: String(NOW / 1_000 + 30) }],
  ['31 s ahead', '/v1/account', { timestamp: String(NOW / 1_000 + 31) }],
  ['no time', '/v1/account', { timestamp: 'soon' }],
  [
    'a signature in capitals',
    '/v1/account',
    { headers: { 'x-service-signature': 'A'.repeat(64) } },
  ],
  ['an unknown path', '/v1/nothing', {}],
  ['the dashboard', '/api/orders', {}],
  ['another method', '/v1/account', { method: 'DELETE' }],
  ['several methods', '/v1/order', { method: 'PUT', body: {} }],
  ['HEAD', '/v1/account', { method: 'HEAD' }],
  ['OPTIONS', '/v1/account', { method: 'OPTIONS' }],
  ['bad percents', '/v1/orders/%E0%A4', {}],
  ['a query twice', '/v1/orders?limit=1&limit=2', {}],
  ['a query with blanks', '/v1/orders?limit=1%20', {}],
  [
    'text as the content',
    '/v1/order',
    { body: RESTING_ORDER, headers: { 'content-type': 'text/plain' } },
  ],
  ['no type', '/v1/order', { body: RESTING_ORDER, headers: { 'content-type': undefined } }],
  [
    'a type with a charset',
    '/v1/order',
    { body: RESTING_ORDER, headers: { 'content-type': 'APPLICATION/JSON; charset=utf-8' } },
  ],
  ['no JSON', '/v1/order', { bodyText: '{"symbol":' }],
  ['a field twice', '/v1/order', { bodyText: '{"symbol":"BTC","symbol":"BTC"}' }],
  [
    'a number of many digits',
    '/v1/order',
    {
      bodyText: '{"symbol":"BTC","side":"buy","size":0.12345678901234567890,"order_type":"market"}',
    },
  ],
  [
    'a huge number',
    '/v1/order',
    { bodyText: '{"symbol":"BTC","side":"buy","size":1e400,"order_type":"market"}' },
  ],
  ['nested', '/v1/order', { bodyText: '['.repeat(200) + ']'.repeat(200) }],
  ['a body where none is taken', '/v1/executions/exe_1/stop', { body: { a: 1 } }],
  ['a list where none is taken', '/v1/executions/exe_1/stop', { body: [] }],
  ['an empty body', '/v1/executions/exe_1/stop', { body: {} }],
  [
    'a long key',
    '/v1/order',
    { body: RESTING_ORDER, headers: { 'idempotency-key': 'k'.repeat(256) } },
  ],
  ['a key', '/v1/order', { body: RESTING_ORDER, headers: { 'idempotency-key': 'k1' } }],
  ['the key again', '/v1/order', { body: RESTING_ORDER, headers: { 'idempotency-key': 'k1' } }],
  [
    'the key in another order',
    '/v1/order',
    {
      bodyText: JSON.stringify(RESTING_ORDER).replace('"BTC"', ' "BTC"'),
      headers: { 'idempotency-key': 'k1' },
    },
  ],
  [
    'the key for another order',
    '/v1/order',
    { body: { ...RESTING_ORDER, size: 0.002 }, headers: { 'idempotency-key': 'k1' } },
  ],
  ['a launch without a key', '/v1/execute', { body: LAUNCH }],
  ['a launch', '/v1/execute', { body: LAUNCH, headers: { 'idempotency-key': 'k2' } }],
  ['another wallet', '/v1/account', { headers: { 'x-service-wallet': 'second' } }],
  ['no wallet', '/v1/account', { headers: { 'x-service-wallet': 'nobody' } }],
  ['a stream without an upgrade', '/v1/stream', {}],
  ['health', '/v1/health', {}],
  ['status', '/v1/status', {}],
  ['rate limits', '/v1/rate-limits', {}],
  ['too much', '/v1/order', { bodyText: JSON.stringify({ symbol: 'x'.repeat(300_000) }) }],
  ['an alert', '/v1/hooks/none', { bodyText: 'text', headers: { 'content-type': 'text/plain' } }],
];

const RAW: readonly string[] = [
  'hello\r\n\r\n',
  'GET /v1/health HTTP/1.1\r\n\r\n',
  'GET /v1/health HTTP/1.1\r\nhost: example.org\r\n\r\n',
  'GET /paper/replay HTTP/1.1\r\nhost: example.org\r\n\r\n',
  'GET /paper/replay HTTP/1.1\r\nhost: localhost\r\norigin: https://example.org\r\n\r\n',
  'GET /v1/health HTTP/1.1\r\nhost: localhost\r\norigin: https://example.org\r\n\r\n',
  'GET /v1/health HTTP/1.1\r\nhost: localhost\r\nexpect: 200-ok\r\n\r\n',
  'GET /v1/health HTTP/1.1\r\nhost: localhost\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
  'POST /v1/order HTTP/1.1\r\nhost: localhost\r\ncontent-length: x\r\n\r\n',
  'POST /v1/hooks/t HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  `GET /v1/health HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  'GET /v1/stream HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  'GET /v1/stream HTTP/1.1\r\nhost: example.org\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  'GET /v1/account HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
];

/** What the server says to these bytes until it, or we, close. */
function sayRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
      if (/\r\n\r\n(\{.*\})$/.test(answer)) socket.end();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

test('controls and the door of a server', { timeout: 300_000 }, async () => {
  const server = await open({ connections: [{ label: 'second', balance: 700 }], warmup: 20 });
  const show = ({
    status,
    headers,
    body,
  }: {
    status: number;
    headers: object;
    body: unknown;
  }): string => {
    const { 'keep-alive': _, ...rest } = headers as Record<string, string>;
    return plain(`${status} ${JSON.stringify(rest)} ${JSON.stringify(body)}`, server);
  };
  const controls: string[] = [];
  for (const [method, path, body] of CONTROLS)
    controls.push(
      `${method} ${path} ${JSON.stringify(body)} ${undated(show(await server.control(method, path, body)))}`,
    );
  const door: string[] = [];
  for (const [how, target, asked] of AT_THE_DOOR)
    door.push(`${how} ${show(await server.ask(target, asked))}`);
  const port = Number(new URL(server.baseUrl).port);
  const raw: string[] = [];
  for (const bytes of RAW)
    raw.push(`${bytes.slice(0, 60)} ${undated(plain(await sayRaw(port, bytes), server))}`);
  const wired = createPaperControls(server.baseUrl, live);
  onTestFinished(() => wired.close());
  const { start_time: start } = await wired.replay();
  const calls = [
    () => wired.createKey({ label: 'wired', scopes: ['read'] }),
    () => wired.createKey({ label: '', scopes: [] }),
    () => wired.keys(),
    () => wired.revokeKey('vk_none'),
    () => wired.createConnection({ label: 'Third', balance: 4, status: 'degraded' }),
    () => wired.advance({ bars: 1, interval: '5m' }),
    () => wired.advance({ to_time: start }),
    () => wired.advance({ to_time: start + 3_600_000, until: 'event' }),
    () => wired.speed(0),
    () => wired.addFaults([{ kind: 'ws_drop', for_requests: 2 }]),
    () => wired.faults(),
    () => wired.clearFaults(),
    () => wired.addFaults([{ kind: 'x' }]),
    () => wired.restart(),
    () => wired.openapi(),
    () => wired.asyncapi(),
  ];
  const driven: string[] = [];
  for (const call of calls) driven.push(plain(undated(await resultTextOf(call)), server));
  await expectRecorded(
    'paperServer',
    new Map([
      [
        'server',
        new Map([
          ['controls', controls],
          ['door', door],
          ['raw', raw],
          ['driven', driven],
        ]),
      ],
    ]),
  );
});

test('faults that a test injects', { timeout: 300_000 }, async () => {
  const server = await open({ warmup: 20 });
  const lines: string[] = [];
  const faults: readonly object[] = [
    { kind: 'error_500', for_requests: 2 },
    { kind: 'error_503', match: 'GET /v1/account' },
    { kind: 'rate_limited', match: '/v1/orders', for_requests: 1 },
    { kind: 'drop_before', for_requests: 1 },
    { kind: 'drop_after', match: 'POST /v1/order', for_requests: 1 },
    { kind: 'truncate_body', for_requests: 1 },
    { kind: 'latency', ms: 5, for_requests: 2 },
    { kind: 'clock_skew', seconds: 60, for_requests: 2 },
    { kind: 'clock_skew', seconds: -10 },
    { kind: 'error_500', rate: 0.3 },
    { kind: 'error_500', rate: 0.5 },
    { kind: 'degrade_layer', layer: 'orders', status: 'down' },
    { kind: 'degrade_layer', layer: 'account' },
    { kind: 'degrade_layer', layer: 'market_data', status: 'down' },
    { kind: 'degrade_layer', layer: 'executions', status: 'down', for_requests: 2 },
  ];
  for (const fault of faults) {
    await server.control('POST', '/paper/faults', fault);
    for (const [target, asked] of [
      ['/v1/account', {}],
      ['/v1/orders', {}],
      ['/v1/order', { body: RESTING_ORDER }],
      ['/v1/price/BTC', {}],
      ['/v1/executions', {}],
      ['/v1/status', {}],
    ] as const) {
      const text = await server.ask(target, asked).then(
        ({ status, headers, body }) =>
          `${status} ${headers['x-service-weight'] ?? ''} ${headers['date'] ?? ''} ${JSON.stringify(body)}`,
        (error: Error & { code?: string }) => `failed ${error.code ?? error.message}`,
      );
      lines.push(plain(`${JSON.stringify(fault)} ${target} ${text}`, server));
    }
    lines.push(JSON.stringify((await server.control('GET', '/paper/faults')).body));
    await server.control('DELETE', '/paper/faults');
  }
  await expectRecorded('paperFaults', new Map([['faults', new Map([['lines', lines]])]]));
});

test('streams of a server', { timeout: 300_000 }, async () => {
  const feeds = drawFeeds('streams', { markets: 2, bars: 200, startTime: TAPE_START });
  const lines = new Map<string, string[]>();
  const server = await open({ warmup: 20 }, { feeds });
  const ask = (about: string, messages: readonly unknown[]): void =>
    void lines.set(
      about,
      messages.map((message) => plain(JSON.stringify(message), server)),
    );
  const advance = (): Promise<unknown> =>
    server.control('POST', '/paper/replay/advance', { bars: 3, interval: '1m' });

  const socket = await server.openSocket();
  for (const [at, channel] of [
    'account.state',
    'executions',
    'price',
    'candles',
    'moon',
  ].entries()) {
    const params = at < 2 ? {} : at === 3 ? { symbol: 'BTC', interval: '1m' } : { symbol: 'BTC' };
    socket.send({ id: `s${at}`, op: 'subscribe', channel, params });
  }
  socket.send({ id: 'c1', op: 'command', command: 'place_order', args: { ...RESTING_ORDER } });
  socket.send({ id: 'c2', op: 'command', command: 'execute', args: LAUNCH, idempotency_key: 'k' });
  socket.send('text');
  await socket.until(
    (message) => message.type === 'error' && message.error.code === 'validation_failed',
  );
  await advance();
  await server.control('POST', '/paper/faults', [{ kind: 'ws_duplicate', for_requests: 2 }]);
  await advance();
  await server.control('POST', '/paper/faults', [{ kind: 'ws_reorder', for_requests: 2 }]);
  await advance();
  await server.control('DELETE', '/paper/faults');
  socket.send({ id: 'last', op: 'unsubscribe', channel: 'price', params: { symbol: 'BTC' } });
  await socket.until((message) => message.id === 'last');
  ask('frames', socket.messages);
  const { 'sec-websocket-accept': _, ...headers } = socket.headers;
  ask('handshake', [headers]);
  await server.control('POST', '/paper/restart');
  const closes = [await socket.closed];
  const next = await server.openSocket();
  await server.control('POST', '/paper/faults', { kind: 'ws_drop', for_requests: 1 });
  closes.push(await next.closed);
  const revoked = await server.openSocket();
  await server.control('DELETE', `/paper/keys/${server.keyId}`);
  closes.push(await revoked.closed);
  ask('closes', closes);
  await expectRecorded('paperStreams', new Map([['socket', lines]]));
});

const CHANNELS = [
  'price:BTC',
  'price:PURR%252FUSDC,account.state',
  'candles:BTC:1m:true:3',
  'candles:BTC:1m:x',
  'executions:exe_1:main',
  'price',
  'price:BTC:1:2',
  'moon:1',
  '',
  'price:%25E0',
  'account.state:nobody',
  'orderbook:BTC:3,markets:BTC',
  '_meta',
];

test('event streams, refused upgrades and a change of the key', { timeout: 300_000 }, async () => {
  const feeds = drawFeeds('events', { markets: 2, bars: 200, startTime: TAPE_START });
  const server = await open({ warmup: 20 }, { feeds });
  const events: string[] = [];
  for (const channels of CHANNELS) {
    const target = `/v1/stream/sse?channels=${channels}`;
    const { headers } = signed(target, { keyId: server.keyId, secret: server.secret }, NOW);
    const abort = new AbortController();
    const response = await fetch(`${server.baseUrl}${target}`, {
      headers: headers as Record<string, string>,
      signal: abort.signal,
    });
    const about = `${channels} ${response.status} ${response.headers.get('content-type')} ${response.headers.get('x-service-weight')}`;
    if (response.status !== 200) {
      events.push(`${about} ${await response.text()}`);
      continue;
    }
    await server.control('POST', '/paper/replay/advance', { bars: 2, interval: '1m' });
    let text = '';
    for await (const chunk of response.body!) {
      text += Buffer.from(chunk).toString();
      if (text.includes('"event":"advanced"') && text.endsWith('\n\n')) break;
    }
    abort.abort();
    events.push(`${about} ${text}`);
  }
  const upgrades: string[] = [];
  for (const [how, asked] of [
    ['another secret', { secret: 'vs_x' }],
    ['an old time', { timestamp: '5' }],
    ['a wallet', { headers: { 'x-service-wallet': 'nobody' } }],
  ] as const) {
    const { headers } = signed(
      '/v1/stream',
      { keyId: server.keyId, secret: server.secret, ...asked },
      NOW,
    );
    const refused = new WebSocket(server.wsUrl, { headers: headers as Record<string, string> });
    upgrades.push(
      await new Promise<string>((resolve) => {
        refused.on('error', () => {});
        refused.on('unexpected-response', (_request, response) => {
          let text = '';
          response.on('data', (chunk) => (text += chunk));
          response.on('end', () =>
            resolve(`${how} ${response.statusCode} ${response.headers['content-type']} ${text}`),
          );
        });
      }),
    );
  }
  const keys: string[] = [];
  const env = stillEnv(keys);
  const { keyId, secret, baseUrl, wsUrl } = server;
  const parts = connectService({ keyId, secret, baseUrl, wsUrl }, { env });
  onTestFinished(() => Promise.all([parts.http.close(), parts.socket.close()]).then(() => {}));
  await new Promise<void>((resolve) => {
    parts.socket.open({
      onFrame: ({ kind }) => void keys.push(`frame ${kind}`),
      onFault: (fault) => void keys.push(valueText(fault)),
      onStatus(status) {
        keys.push(valueText(status));
        if (status.state === 'open') resolve();
      },
    });
  });
  const { body: made } = await server.control('POST', '/paper/keys', {
    label: 'next',
    scopes: ['read', 'trade', 'algo'],
  });
  const check = async (client: typeof parts.client): Promise<void> =>
    void keys.push(valueText((await client.utility.rateLimits()).tier));
  for (const pair of [
    { keyId, secret: 'vs_wrong' },
    { keyId: made.key_id as string, secret: made.secret as string },
  ]) {
    for (const checks of [check, async () => {}])
      keys.push(
        await resultTextOf(() =>
          parts.key.change(pair, checks, (unanswered) => keys.push(`changed ${unanswered}`)),
        ),
      );
    keys.push(
      valueText(parts.key.keyId === pair.keyId),
      await resultTextOf(() => parts.client.account.settings()),
    );
    keys.push(valueText((await parts.socket.command('get_positions', {})).kind));
  }
  await expectRecorded(
    'paperEvents',
    new Map([
      [
        'events',
        new Map([
          ['events', events.map((text) => plain(text, server))],
          ['upgrades', upgrades],
          [
            'keys',
            keys.map((text) => plain(text.replaceAll(/"x-request-id":"[^"]+"/g, ''), server)),
          ],
        ]),
      ],
    ]),
  );
});

test('a state file, as it is written, taken up and refused', { timeout: 300_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-recorded-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const state = join(folder, 'paper.state');
  const shown = (text: string): string => text.replaceAll(folder, '');
  const lines: string[] = [];
  const take = async (settings: object, more: object = {}): Promise<TestServer | null> => {
    try {
      return await openTestServer(
        { state, warmup: 20, ...settings },
        { env: stillEnv(lines), ...more },
      );
    } catch (error) {
      lines.push(shown(valueText(error)));
      return null;
    }
  };
  const first = (await take({}))!;
  await first.ask('/v1/order', { body: RESTING_ORDER, headers: { 'idempotency-key': 'k' } });
  await first.ask('/v1/execute', { body: LAUNCH, headers: { 'idempotency-key': 'l' } });
  await first.control('POST', '/paper/replay/advance', { bars: 4, interval: '1m' });
  const files = (): Array<[string, string]> =>
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  const cut = files().filter(([name]) => !name.includes('lock'));
  const whole = (text: string): string =>
    plain(text, first).replaceAll(/"tokenSecret":"[^"]*"/g, '');
  lines.push(...cut.map(([name, text]) => `${name} ${whole(text)}`));
  lines.push(
    shown(await resultTextOf(() => openTestServer({ state }, { env: stillEnv() }))).replaceAll(
      /\d{3,}/g,
      '…',
    ),
  );
  await first.close();
  lines.push(...files().map(([name, text]) => `${name} ${whole(text)}`));
  const put = (saved: ReadonlyArray<[string, string]>): void => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    for (const [name, text] of saved) writeFileSync(join(folder, name), text);
  };
  const change = (part: RegExp, edit: (text: string) => string): Array<[string, string]> =>
    cut.map(([name, text]) => [name, part.test(name) ? edit(text) : text]);
  const ways: ReadonlyArray<
    [how: string, saved: Array<[string, string]>, settings?: object, more?: object]
  > = [
    ['cut', cut],
    ['its log torn at the end', change(/log$/, (text) => text.slice(0, -5))],
    ['its log torn inside', change(/log$/, (text) => text.replace('"call"', '"cal'))],
    [
      'a log of another',
      change(/log$/, (text) => text.replace('"generation":1', '"generation":7')),
    ],
    ['without its log', cut.filter(([name]) => !name.endsWith('log'))],
    ['torn', change(/state$/, (text) => text.slice(0, 80))],
    ['no state', change(/state$/, () => '{"a":1}')],
    ['another version', change(/state$/, (text) => text.replace(/"version":\d+/, '"version":1'))],
    ['damaged', change(/state$/, (text) => text.replace('"service":{', '"service":{"more":1,'))],
    ['another tape', cut, {}, { feeds: [testFeed('BTC', 1_900)] }],
    ['other settings', cut, { half_spread_bps: 3 }],
    ['another dialect', cut, {}, { dialect: createDialect({ venue: { algoMinValue: 3 } }) }],
  ];
  for (const [how, saved, settings = {}, more = {}] of ways) {
    put(saved);
    lines.push(how);
    const server = await take(settings, more);
    if (server === null) continue;
    for (const target of ['/v1/orders', '/v1/executions', '/v1/account'])
      lines.push(
        whole(JSON.stringify(await server.ask(target))).replaceAll(/"keep-alive":"[^"]*"/g, ''),
      );
    await server.close();
  }
  await expectRecorded('paperState', new Map([['state', new Map([['lines', lines]])]]));
});
