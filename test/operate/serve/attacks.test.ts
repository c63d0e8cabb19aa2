import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { openOperator, type Operator } from '../../../src/operate/serve/index.ts';
import type { TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot } from '../../runtime/openTestBot.ts';
import { configOf, openTwoWallets, STRATEGIES } from '../watchedBot.ts';

const READ = 'read-token-of-the-test';
const CONTROL = 'control-token-of-the-test';

let server: TestServer;
let bot: TestBot;
let operator: Operator;
let port: number;

beforeAll(async () => {
  server = await openTwoWallets();
  bot = await openTestBot(server, {
    strategies: STRATEGIES,
    async onBot(created, plan) {
      const operate = {
        listen: { host: '127.0.0.1', port: 0 },
        hosts: ['bot.example.org'],
        readToken: new Secret(READ),
        controlToken: new Secret(CONTROL),
        notify: null,
      };
      const config = configOf(plan, { operate });
      const now = (): number => created.instant;
      const from = { bot: created, plan, config, env: createLiveEnv(), now };
      operator = (await openOperator({ ...from, service: null, takesCommands: false }))!;
    },
  });
  await bot.step(2);
  port = Number(new URL(operator.address!).port);
});
afterAll(async () => {
  await operator.close();
  await bot.close();
  await server.close();
});

/** Bytes as they are, and what comes back until the server closes, or for a second. */
function send(bytes: string | Uint8Array, waitMs = 1_000): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(end, waitMs);
    socket.on('data', (part) => (text += part.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.write(bytes);
  });
}

interface Asked {
  method?: string;
  path?: string;
  host?: string | null;
  token?: string | undefined;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

const HOST = '127.0.0.1';

function request({ method = 'GET', path = '/api/state', ...asked }: Asked): string {
  const { host = HOST, token, headers = {}, body } = asked;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...(host === null ? [] : [`Host: ${host}`]),
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined || 'content-length' in headers
      ? []
      : [`content-length: ${Buffer.byteLength(body)}`]),
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const KILL = JSON.stringify({
  level: 'L4',
  reason: 'attack',
  nonce: 'attack-nonce',
  name: 'watched',
});
const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);

type Attack = readonly [what: string, asked: Asked, statuses: readonly number[]];

/** Reads without the right token. */
const TOKENS: Attack[] = [
  ['no token', {}, [401]],
  ['an empty token', { token: '' }, [401]],
  ['a token with one more character', { token: `${READ}x` }, [401]],
  ['a token with one less', { token: READ.slice(0, -1) }, [401]],
  ['a token in another case', { token: READ.toUpperCase() }, [401]],
  ['both tokens in one', { token: `${READ} ${CONTROL}` }, [401]],
  ['a very long token', { token: 'x'.repeat(8_000) }, [401]],
  ['a token that is too long for a header', { token: 'x'.repeat(40_000) }, [431]],
  ['basic authentication', { headers: { authorization: `Basic ${btoa(`a:${READ}`)}` } }, [401]],
  ['a lower-case scheme', { headers: { authorization: `bearer ${READ}` } }, [401]],
  ['no scheme', { headers: { authorization: READ } }, [401]],
  ['the token in the query', { path: `/api/state?token=${READ}` }, [401]],
  ['the token in a cookie', { headers: { cookie: `token=${READ}` } }, [401]],
  ['the token in another header', { headers: { 'x-token': READ } }, [401]],
  ['an injected line', { headers: { authorization: `Bearer x\r\nX-Admin: 1` } }, [401]],
  ['a pattern', { token: '.*' }, [401]],
  ['an object', { token: '[object Object]' }, [401]],
];

/** Control by those who may not. */
const CONTROLS: Attack[] = [
  [
    'a kill without a token',
    { method: 'POST', path: '/api/kill', body: KILL, headers: JSON_TYPE },
    [401],
  ],
  [
    'a kill with the token of readers',
    { method: 'POST', path: '/api/kill', token: READ, body: KILL, headers: JSON_TYPE },
    [401],
  ],
  ['a kill by GET', { path: '/api/kill', token: CONTROL }, [405]],
  [
    'a kill by GET with a query',
    { path: '/api/kill?level=L4&reason=x&nonce=12345678', token: CONTROL },
    [405],
  ],
  [
    'a kill by PUT',
    { method: 'PUT', path: '/api/kill', token: CONTROL, body: KILL, headers: JSON_TYPE },
    [405],
  ],
  ['a kill by DELETE', { method: 'DELETE', path: '/api/kill', token: CONTROL }, [405]],
  [
    'a kill by an overridden method',
    { path: '/api/kill', token: CONTROL, headers: { 'x-http-method-override': 'POST' } },
    [405],
  ],
  [
    'a kill as a form',
    {
      method: 'POST',
      path: '/api/kill',
      token: CONTROL,
      body: 'level=L4',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    [415],
  ],
  [
    'a kill as plain text',
    {
      method: 'POST',
      path: '/api/kill',
      token: CONTROL,
      body: KILL,
      headers: { 'content-type': 'text/plain' },
    },
    [415],
  ],
  [
    'a kill without a type',
    { method: 'POST', path: '/api/kill', token: CONTROL, body: KILL },
    [415],
  ],
  [
    'a kill of another site',
    {
      method: 'POST',
      path: '/api/kill',
      token: CONTROL,
      body: KILL,
      headers: { ...JSON_TYPE, origin: 'https://evil.example' },
    },
    [403],
  ],
  [
    'a kill of a page without an origin',
    {
      method: 'POST',
      path: '/api/kill',
      token: CONTROL,
      body: KILL,
      headers: { ...JSON_TYPE, origin: 'null' },
    },
    [403],
  ],
  [
    'a preflight',
    { method: 'OPTIONS', path: '/api/kill', headers: { origin: 'https://evil.example' } },
    [403],
  ],
  [
    'a rearm without a token',
    { method: 'POST', path: '/api/rearm', body: '{}', headers: JSON_TYPE },
    [401],
  ],
  [
    'a settlement with the token of readers',
    { method: 'POST', path: '/api/settle', token: READ, body: '{}', headers: JSON_TYPE },
    [401],
  ],
  [
    'a pause with the token of readers',
    {
      method: 'POST',
      path: '/api/strategies/first/pause',
      token: READ,
      body: '{}',
      headers: JSON_TYPE,
    },
    [401],
  ],
  [
    'a promotion with the token of readers',
    {
      method: 'POST',
      path: '/api/strategies/first/promote',
      token: READ,
      body: '{}',
      headers: JSON_TYPE,
    },
    [401],
  ],
];

/** Bodies that are none. */
const bodied = (body: string): Asked => ({
  method: 'POST',
  path: '/api/kill',
  token: CONTROL,
  body,
  headers: JSON_TYPE,
});
const BODIES: Attack[] = [
  ['an empty body', bodied(''), [400]],
  ['no JSON', bodied('{'), [400]],
  ['a list', bodied('[]'), [422]],
  ['null', bodied('null'), [422]],
  ['a number', bodied('1e999'), [422]],
  ['a deep list', bodied('['.repeat(8_000) + ']'.repeat(8_000)), [422, 400]],
  ['a prototype', bodied('{"__proto__":{"level":"L4","reason":"x","nonce":"12345678"}}'), [422]],
  ['a constructor', bodied('{"constructor":{"prototype":{"level":"L4"}}}'), [422]],
  ['a level twice', bodied('{"level":"L1","level":["L4"],"reason":"x","nonce":"12345678"}'), [422]],
  ['an unknown level', bodied('{"level":"L9","reason":"x","nonce":"12345678"}'), [422]],
  ['L0 as a kill', bodied('{"level":"L0","reason":"x","nonce":"12345678"}'), [422]],
  [
    'a long reason',
    bodied(JSON.stringify({ level: 'L1', reason: 'x'.repeat(5_000), nonce: '12345678' })),
    [422],
  ],
  [
    'a reason with an escape sequence',
    bodied(JSON.stringify({ level: 'L1', reason: '\u001B[2Jx', nonce: '12345678' })),
    [422],
  ],
  [
    'a nonce that is a path',
    bodied(JSON.stringify({ level: 'L1', reason: 'x', nonce: '../../etc' })),
    [422],
  ],
  ['a body above the limit', bodied('x'.repeat(20_000)), [413]],
  [
    'a length that lies',
    { ...bodied('{}'), headers: { ...JSON_TYPE, 'content-length': '99999999' } },
    [413],
  ],
  ['bytes that are no UTF-8', bodied('"\u{FFFD}\xFF"'), [400, 422]],
];

/** Other hosts and other sites. */
const HOSTS: Attack[] = [
  ['another host', { host: 'evil.example', token: READ }, [403]],
  ['a host that begins with ours', { host: '127.0.0.1.evil.example', token: READ }, [403]],
  ['a host that ends with ours', { host: 'evil-bot.example.org', token: READ }, [403]],
  ['a subdomain of ours', { host: 'x.bot.example.org', token: READ }, [403]],
  ['an empty host', { host: '', token: READ }, [403, 400]],
  ['no host', { host: null, token: READ }, [400]],
  ['user info in the host', { host: '127.0.0.1@evil.example', token: READ }, [403, 400]],
  ['two hosts', { host: '127.0.0.1, evil.example', token: READ }, [403, 400]],
  ['a decimal address', { host: '2130706433', token: READ }, [403]],
  ['a short address', { host: '127.1', token: READ }, [403]],
  [
    'an absolute address of another host',
    { path: 'http://evil.example/api/state', token: READ },
    [404],
  ],
  [
    'a request from another site',
    { token: READ, headers: { 'sec-fetch-site': 'cross-site' } },
    [403],
  ],
  [
    'a request from another port of this machine',
    { token: READ, headers: { origin: 'http://127.0.0.1:1' } },
    [403],
  ],
];

/** Paths that lead elsewhere. */
const PATHS: Attack[] = [
  ['a parent folder', { path: '/../../etc/passwd', token: READ }, [404]],
  ['an encoded parent folder', { path: '/%2e%2e/%2e%2e/etc/passwd', token: READ }, [404]],
  ['a parent below the page', { path: '/page/../../package.json', token: READ }, [404]],
  ['an encoded slash', { path: '/api%2fstate', token: READ }, [404]],
  ['two slashes', { path: '//api/state', token: READ }, [404]],
  ['a backslash', { path: '/..\\..\\etc', token: READ }, [404]],
  ['a zero byte', { path: '/api/intents/%00', token: READ }, [404]],
  ['a broken escape', { path: '/api/intents/%zz', token: READ }, [404]],
  ['a key that is a pattern', { path: '/api/intents/%25', token: READ }, [404]],
  ['a key that is a statement', { path: "/api/intents/'%20OR%201=1--", token: READ }, [404]],
  ['a script as a key', { path: '/api/intents/%3Cscript%3E', token: READ }, [404]],
  ['a prototype as a route', { path: '/__proto__', token: READ }, [404]],
  ['a very long path', { path: `/${'x'.repeat(12_000)}`, token: READ }, [404]],
  ['a limit that is none', { path: '/api/intents?limit=1e9', token: READ }, [422]],
  ['a report without a token', { path: '/api/report' }, [401]],
  ['a report by POST', { method: 'POST', path: '/api/report', token: READ, body: '{}' }, [405]],
  [
    'a report of another site',
    { path: '/api/report', token: READ, headers: { 'sec-fetch-site': 'cross-site' } },
    [403],
  ],
  ['a day that is a path', { path: '/api/report?day=../../etc/passwd', token: READ }, [400]],
  ['a day that is a statement', { path: "/api/report?day='%20OR%201=1--", token: READ }, [400]],
  ['a day that is a script', { path: '/api/report?day=%3Cscript%3E', token: READ }, [400]],
  ['a day with a zero byte', { path: '/api/report?day=2026-11-23%00', token: READ }, [400]],
  ['a day with a line break', { path: '/api/report?day=2026-11-23%0d%0aX:', token: READ }, [400]],
  ['a day beyond all calendars', { path: '/api/report?day=999999-01-01', token: READ }, [400]],
  ['a very long day', { path: `/api/report?day=${'2'.repeat(9_000)}`, token: READ }, [400]],
  ['a hundred days', { path: `/api/report?${'day=2026-11-23&'.repeat(100)}`, token: READ }, [400]],
  ['a symbol that is a prototype', { path: '/api/candles?symbol=__proto__', token: READ }, [404]],
  ['TRACE', { method: 'TRACE', token: READ }, [405]],
  ['an upgrade', { token: READ, headers: { upgrade: 'websocket' } }, [200]],
];

const secrets = [READ, CONTROL];
const level = (): string => bot.bot.killLevel;

describe.each([
  ['tokens', TOKENS],
  ['control', CONTROLS],
  ['bodies', BODIES],
  ['hosts and sites', HOSTS],
  ['paths', PATHS],
])('attacks by %s', (_group, attacks) => {
  test.each(attacks)('%s', async (_what, asked, statuses) => {
    let answer = await send(request(asked));
    // A search for tokens is slowed down: then that is the answer, and says no more.
    if (statusOf(answer) === 429) {
      expect(statuses).toContain(401);
      answer = '';
    } else expect(statuses).toContain(statusOf(answer));
    for (const secret of secrets) expect(answer).not.toContain(secret);
    expect(answer.toLowerCase()).not.toContain('access-control-allow');
    expect(answer.toLowerCase()).not.toContain('set-cookie');
    expect(answer).not.toMatch(/<script|root:x:|"dependencies"|at \S+ \(.*:\d+:\d+\)/);
    expect(level()).toBe('L0');
  });
});

test('there are more than 75 of them, and each says what it is', () => {
  const all = [TOKENS, CONTROLS, BODIES, HOSTS, PATHS].flat();
  expect(all.length).toBeGreaterThan(75);
  expect(new Set(all.map(([what]) => what)).size).toBe(all.length);
});

describe('bytes that are no request', () => {
  test.each([
    ['noise', Buffer.from([0, 1, 2, 3, 255, 254])],
    ['a TLS handshake', Buffer.from('160301020001', 'hex')],
    ['HTTP/2', Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    [
      'two lengths',
      Buffer.from(
        `POST /api/kill HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      ),
    ],
    [
      'a length and chunks',
      Buffer.from(
        `POST /api/kill HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/state HTTP/1.1\r\n\r\n`,
      ),
    ],
    ['a space before the colon', Buffer.from(`GET /api/state HTTP/1.1\r\nHost : ${HOST}\r\n\r\n`)],
    [
      'many headers',
      Buffer.from(`GET /api/state HTTP/1.1\r\nHost: ${HOST}\r\n${'A: b\r\n'.repeat(5_000)}\r\n`),
    ],
  ])('%s', async (_what, bytes) => {
    expect([0, 400, 401, 431]).toContain(statusOf(await send(bytes)));
    expect(level()).toBe('L0');
    const health = await send(request({ path: '/healthz' }));
    expect([200, 429]).toContain(statusOf(health));
  });
});

test('a body in chunks is not read beyond the limit', async () => {
  const chunk = `${(1_000).toString(16)}\r\n${'x'.repeat(1_000)}\r\n`;
  const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
  const head = request({ method: 'POST', path: '/api/kill', token: CONTROL, headers });
  expect(statusOf(await send(head + chunk.repeat(20)))).toBe(413);
  expect(level()).toBe('L0');
});

test('a flood of readers is bounded, a reader that stalls is let go, and the bot goes on', async () => {
  const sockets = Array.from({ length: 100 }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    // It asks, and never reads.
    socket.pause();
    socket.write(
      request({ path: '/api/events', token: READ }).replace('Connection: close', 'X: y'),
    );
    return socket;
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = bot.bot.instant;
  await bot.step(3);
  expect(bot.bot.instant).toBeGreaterThan(before);
  for (const socket of sockets) socket.destroy();
  await expect
    .poll(async () => statusOf(await send(request({ path: '/healthz' }))), { timeout: 10_000 })
    .toBe(200);
});
