import type { Draw } from './Draw.ts';
import { sign, toBytes, type Credentials, type HttpParts } from './toHttp.ts';

/** Bytes to send, and what may come back. */
export interface HostileRequest {
  how: string;
  bytes: Buffer;
  /** Valid statuses; absent: any well-formed refusal or success. */
  expect?: readonly number[];
  /** The bytes aren't HTTP (any more): a bare refusal or a closed connection is valid, too. */
  broken?: boolean;
  /** Nothing follows: our side of the connection is closed. */
  end?: boolean;
  /** The answer to HEAD has no body. */
  head?: boolean;
}

interface Bench {
  draw: Draw;
  parts: HttpParts;
  credentials: Credentials;
  wallTime: number;
}

type Attack = (bench: Bench) => HostileRequest;

/** A request malformed outside its schema: credentials, headers, bytes, framing. */
export function hostileHttp(bench: Bench): HostileRequest {
  const attack = bench.draw.pick(bench.draw.chance(0.75) ? POLITE : RUDE);
  return attack(bench);
}

const signed = ({ parts, credentials, wallTime }: Bench): Buffer => {
  sign(parts, credentials, wallTime);
  return toBytes(parts);
};

const setHeader = (parts: HttpParts, name: string, value: string): void => {
  parts.headers = [...parts.headers.filter(([each]) => each !== name), [name, value]];
};

const withBody = (parts: HttpParts, body: Buffer | string): void => {
  parts.body = typeof body === 'string' ? Buffer.from(body) : body;
  parts.method = 'POST';
  parts.target = '/v1/order';
  setHeader(parts, 'content-type', 'application/json');
};

/** Characters that HTTP allows in a header's value. */
const HEADER_VALUES = [
  '',
  ' ',
  'x',
  '0',
  '-1',
  'null',
  '__proto__',
  'é',
  'a, b',
  'x'.repeat(4_000),
];

/** Well-formed HTTP that must be answered with the envelope. */
const POLITE: readonly Attack[] = [
  // Credentials.
  ({ parts }) => ({ how: 'unsigned', bytes: toBytes(parts) }),
  (bench) => {
    bench.credentials = { ...bench.credentials, secret: 'vs_wrong' };
    return { how: 'signed with another secret', bytes: signed(bench) };
  },
  (bench) => {
    bench.credentials = {
      ...bench.credentials,
      keyId: bench.draw.pick(['vk_none', '__proto__', '']),
    };
    return { how: 'unknown key', bytes: signed(bench) };
  },
  (bench) => {
    bench.wallTime += bench.draw.pick([-31_000, 32_000, -1e9, 1e12]);
    return { how: 'another time', bytes: signed(bench) };
  },
  (bench) => {
    sign(bench.parts, bench.credentials, bench.wallTime);
    for (const header of bench.parts.headers) {
      if (header[0] === 'x-service-signature') header[1] = header[1].toUpperCase();
    }
    return { how: 'signature in capitals', bytes: toBytes(bench.parts) };
  },
  (bench) => {
    sign(bench.parts, bench.credentials, bench.wallTime);
    const [name] = bench.draw.pick(bench.parts.headers.slice(-3));
    setHeader(bench.parts, name, bench.draw.pick(HEADER_VALUES));
    return { how: `${name} bent`, bytes: toBytes(bench.parts) };
  },
  (bench) => {
    sign(bench.parts, bench.credentials, bench.wallTime);
    const double = bench.draw.pick(bench.parts.headers.slice(-3));
    bench.parts.headers.push([double[0], double[1]]);
    return { how: `${double[0]} twice`, bytes: toBytes(bench.parts) };
  },
  ({ parts, draw }) => {
    parts.headers.push(
      draw.pick([
        ['cookie', 'session=1'],
        ['authorization', 'Bearer x'],
      ]),
    );
    return { how: 'session credentials', bytes: toBytes(parts) };
  },
  // Bodies.
  (bench) => {
    withBody(bench.parts, bench.draw.pick(BROKEN_JSON));
    return { how: 'broken JSON', bytes: signed(bench), expect: [400] };
  },
  (bench) => {
    withBody(bench.parts, Buffer.from(bench.draw.pick(BAD_UTF8)));
    return { how: 'not UTF-8', bytes: signed(bench), expect: [400, 401, 404, 422] };
  },
  (bench) => {
    const size = bench.draw.pick([262_145, 300_000]);
    withBody(bench.parts, JSON.stringify({ symbol: 'x'.repeat(size - 13) }));
    return { how: 'oversized', bytes: signed(bench), expect: [413] };
  },
  (bench) => {
    withBody(bench.parts, JSON.stringify({ symbol: 'x'.repeat(262_144 - 13) }));
    return { how: 'as large as may be', bytes: signed(bench), expect: [422] };
  },
  (bench) => {
    withBody(bench.parts, bench.draw.pick(BOMBS)());
    return { how: 'nested without end', bytes: signed(bench), expect: [400] };
  },
  (bench) => {
    const type = bench.draw.pick([
      'text/plain',
      '',
      'json',
      'application/jsonx',
      'multipart/form-data',
    ]);
    withBody(bench.parts, '{}');
    setHeader(bench.parts, 'content-type', type);
    return { how: `content type ${type}`, bytes: signed(bench), expect: [415] };
  },
  (bench) => {
    const type = bench.draw.pick([
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      'application/json;charset="utf-16"',
    ]);
    setHeader(bench.parts, 'content-type', type);
    return { how: `content type ${type}`, bytes: signed(bench) };
  },
  // Paths and methods.
  (bench) => {
    bench.parts.target = bench.draw.pick(PATHS);
    return { how: `path ${bench.parts.target.slice(0, 40)}`, bytes: signed(bench) };
  },
  (bench) => {
    bench.parts.target += bench.draw.pick(QUERIES);
    return { how: 'query', bytes: signed(bench) };
  },
  (bench) => {
    bench.parts.method = bench.draw.pick([
      'PUT',
      'PATCH',
      'DELETE',
      'POST',
      'OPTIONS',
      'TRACE',
      'QUERY',
    ]);
    return { how: `method ${bench.parts.method}`, bytes: signed(bench) };
  },
  (bench) => {
    bench.parts.method = 'HEAD';
    bench.parts.body = Buffer.alloc(0);
    return { how: 'method HEAD', bytes: signed(bench), head: true };
  },
  // Headers.
  (bench) => {
    const name = bench.draw.pick([
      'x-service-wallet',
      'idempotency-key',
      'x-request-id',
      'accept-encoding',
      'content-encoding',
      '__proto__',
      'constructor',
      'origin',
    ]);
    setHeader(bench.parts, name, bench.draw.pick(HEADER_VALUES));
    return { how: `header ${name}`, bytes: signed(bench) };
  },
  (bench) => {
    const wallet = bench.draw.pick(['nobody', '__proto__', 'MAIN', 'main, main', 'unlinked']);
    setHeader(bench.parts, 'x-service-wallet', wallet);
    return { how: `wallet ${wallet}`, bytes: signed(bench) };
  },
  (bench) => {
    for (let index = 0; index < 60; index++) bench.parts.headers.push([`x-${index}`, 'y']);
    return { how: 'many headers', bytes: signed(bench) };
  },
  (bench) => {
    const length = bench.parts.body.length;
    sign(bench.parts, bench.credentials, bench.wallTime);
    const chunk = Buffer.concat([
      Buffer.from(`${length.toString(16)}\r\n`),
      bench.parts.body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    bench.parts.headers.push(['transfer-encoding', 'chunked']);
    const body = length === 0 ? Buffer.from('0\r\n\r\n') : chunk;
    return { how: 'chunked', bytes: toBytes({ ...bench.parts, body }) };
  },
  (bench) => {
    setHeader(bench.parts, 'expect', '100-continue');
    return { how: 'expects 100', bytes: signed(bench) };
  },
  (bench) => {
    setHeader(bench.parts, 'connection', 'close');
    return { how: 'closes', bytes: signed(bench) };
  },
];

/** Bytes that are not a complete HTTP request. */
const RUDE: readonly Attack[] = [
  ({ draw }) => {
    const noise = Array.from({ length: draw.int(1, 400) }, () => draw.int(0, 255));
    return { how: 'noise', bytes: Buffer.from(noise), broken: true, end: true };
  },
  ({ draw }) => ({
    how: 'request line',
    bytes: Buffer.from(draw.pick(LINES), 'latin1'),
    broken: true,
    end: true,
  }),
  (bench) => {
    const bytes = signed(bench);
    const cut = bench.draw.int(1, Math.max(1, bytes.length - 1));
    return { how: 'cut off', bytes: bytes.subarray(0, cut), broken: true, end: true };
  },
  (bench) => {
    const length = bench.draw.pick(['-1', '1e3', '99999999999999999999', 'x', '5, 6', '0x10', '']);
    bench.parts.headers.push(['content-length', length]);
    return { how: `content-length ${length}`, bytes: signed(bench), broken: true, end: true };
  },
  (bench) => {
    bench.parts.headers.push(['content-length', '4'], ['transfer-encoding', 'chunked']);
    return { how: 'two framings', bytes: signed(bench), broken: true, end: true };
  },
  (bench) => {
    bench.parts.headers.push(['transfer-encoding', bench.draw.pick(['gzip', 'chunked, x', 'x'])]);
    return { how: 'unknown framing', bytes: signed(bench), broken: true, end: true };
  },
  (bench) => {
    bench.parts.headers.push(['transfer-encoding', 'chunked']);
    bench.parts.body = Buffer.from(
      bench.draw.pick(['zz\r\n', '5\r\nabc', 'ffffffffff\r\n', '-1\r\n']),
    );
    return { how: 'broken chunks', bytes: signed(bench), broken: true, end: true };
  },
  (bench) => {
    setHeader(bench.parts, 'x-long', 'x'.repeat(bench.draw.pick([15_000, 17_000, 90_000])));
    return { how: 'long header', bytes: signed(bench), broken: true };
  },
  (bench) => {
    for (let index = 0; index < 3_000; index++) bench.parts.headers.push([`x-${index}`, 'y']);
    return { how: 'thousands of headers', bytes: signed(bench), broken: true };
  },
  (bench) => {
    const name = bench.draw.pick(['bad name', 'bad\tname', 'é', '', 'a:b']);
    bench.parts.headers.push([name, 'x']);
    return { how: `header name ${name}`, bytes: signed(bench), broken: true, end: true };
  },
  (bench) => {
    bench.parts.headers.push(['x-bad', bench.draw.pick(['a\u0000b', 'a\nb', 'a\rb', '\u0007'])]);
    return {
      how: 'header with a control character',
      bytes: signed(bench),
      broken: true,
      end: true,
    };
  },
  (bench) => {
    bench.parts.headers = bench.parts.headers.filter(([name]) => name !== 'host');
    return { how: 'no host', bytes: signed(bench), broken: true };
  },
  (bench) => {
    bench.parts.target = bench.draw.pick([
      '/v1/account\u0000',
      '/v1/a b',
      '/v1/é',
      '*',
      '',
      'http://x/v1/account',
    ]);
    return { how: 'target', bytes: signed(bench), broken: true, end: true };
  },
  (bench) => {
    bench.parts.headers.push(
      ['connection', 'upgrade'],
      ['upgrade', bench.draw.pick(['websocket', 'h2c', 'x'])],
      ['sec-websocket-version', bench.draw.pick(['13', '8', 'x'])],
      ['sec-websocket-key', bench.draw.pick(['x', '', 'dGhlIHNhbXBsZSBub25jZQ=='])],
    );
    bench.parts.target = bench.draw.pick(['/v1/stream', '/v1/account', '/paper/replay', '/']);
    bench.parts.method = 'GET';
    bench.parts.body = Buffer.alloc(0);
    return { how: 'upgrade', bytes: signed(bench), broken: true };
  },
];

const BROKEN_JSON = [
  '{',
  '}',
  '[',
  '"',
  '{"a":}',
  '{"a":1,}',
  "{'a':1}",
  '{a:1}',
  'undefined',
  'NaN',
  '{"a":NaN}',
  '{"a":01}',
  '{"a":"\u0001"}',
  '{"a":"\\x"}',
  '{"a":"\\ud8"}',
  '\ufeff{}',
  '{}{}',
  '{"a":1}//',
  'null null',
  ' ',
];

const BAD_UTF8 = [
  [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
  [0x22, 0xc3, 0x28, 0x22],
  [0x22, 0xed, 0xa0, 0x80, 0x22],
  [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
  [0x80],
];

const BOMBS: ReadonlyArray<() => string> = [
  () => '['.repeat(100_000),
  () => '[' + '[],'.repeat(20) + '['.repeat(70),
  () => '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000),
];

const PATHS = [
  '/',
  '/v1',
  '/v1/',
  '/v1//account',
  '//v1/account',
  '/v1/account/',
  '/v1/./account',
  '/v1/x/../account',
  '/v1/%2e%2e/account',
  '/V1/account',
  '/v1/Account',
  '/v1/account%00',
  '/v1/%',
  '/v1/orders/%zz',
  '/v1/orders/%ff',
  '/v1/orders/%00',
  '/v1/orders/client:',
  '/v1/orders/client:__proto__',
  '/v1/orders/__proto__',
  '/v1/executions/constructor',
  '/v1/executions/toString/orders',
  '/v1/positions/__proto__',
  '/v1/positions/constructor/tpsl',
  '/v1/candles/__proto__?interval=1m',
  '/v1/candles/BTC?interval=__proto__',
  '/v1/candles/BTC?interval=constructor',
  '/v1/price/BTC%2FUSDC',
  '/v1/price/BTC/USDC',
  '/v1/leverage/toString',
  '/v1/webhooks/__proto__/deliveries',
  '/v1/baskets/__proto__',
  '/v1/monitors/__proto__',
  '/v1/monitors/groups/',
  '/v1/hooks/__proto__',
  '/v1/hooks/%2e%2e',
  '/api/account',
  '/api/',
  '/paper',
  '/paper/',
  '/paper/nothing',
  '/paper/keys/%ff',
  '/paper/keys/__proto__',
  '/paper/replay/%',
  `/v1/orders/${'x'.repeat(6_000)}`,
  `/v1${'/a'.repeat(3_000)}`,
  '/v1/account#x',
  '/v1/account;x=1',
  '/.git/config',
];

const QUERIES = [
  '?',
  '?&&&',
  '?=',
  '?limit=',
  '?limit=0',
  '?limit=501',
  '?limit=1e2',
  '?limit=1&limit=2',
  '?limit=%00',
  '?limit=%ff',
  '?limit=%',
  '?limit[]=1',
  '?limit[a]=1',
  '?cursor=',
  '?cursor=-1',
  '?cursor=99999999999999999999999999',
  '?cursor=1e3',
  '?cursor=%F0%9F%92%A5',
  '?cursor=__proto__',
  '?__proto__=1',
  '?__proto__[x]=1',
  '?constructor=1',
  '?start_time=-1',
  '?start_time=9007199254740993',
  '?start_time=1.5',
  '?start_time=9&end_time=1',
  '?symbol=__proto__',
  '?symbol=constructor',
  '?status=__proto__',
  '?depth=0',
  '?depth=101',
  `?x=${'y'.repeat(7_000)}`,
  `?${'a=1&'.repeat(1_500)}`,
  '?channels=',
  '?channels=__proto__',
  '?channels=price',
  '?channels=price:',
  '?channels=price:__proto__',
  '?channels=price:%25%25',
  '?channels=candles:BTC:__proto__',
  '?channels=,,,',
  '?channels=price:BTC:1:2:3',
];

const LINES = [
  '\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\n\n',
  'get /v1/account HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'FOO /v1/account HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'GET /v1/account HTTP/1.0\r\n\r\n',
  'CONNECT x:1 HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
  'GET /v1/account HTTP/1.1\r\nhost: localhost\r\n folded: y\r\n\r\n',
];
