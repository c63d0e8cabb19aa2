import { test } from 'vitest';
import * as contract from '../../src/contract/index.ts';
import { ENDPOINT_IDS, type EndpointId } from '../../src/contract/index.ts';
import { averageAfter } from '../../src/contract/averageAfter.ts';
import { compareMove, isWithin, offsetPrice } from '../../src/contract/bounds.ts';
import { requireFields, requireText } from '../../src/contract/failures/requireFields.ts';
import { farthestSweep } from '../../src/contract/farthestSweep.ts';
import { isOfCache } from '../../src/contract/isOfCache.ts';
import { isSellable } from '../../src/contract/isSellable.ts';
import { nextCursor } from '../../src/contract/nextCursor.ts';
import { addSize, floorSize, shareOf, snapSize, sumSizes } from '../../src/contract/sizes.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import { LAUNCHES } from '../contract/launches.ts';
import { publishedSchemas } from '../contract/publishedSchemas.ts';
import { createDraw } from '../fuzz/Draw.ts';
import { createKnown } from '../fuzz/Known.ts';
import { validRequest } from '../fuzz/ShapedRequest.ts';
import { spoil } from '../fuzz/spoil.ts';
import { openTestService, testFeed } from '../paper/core/openTestService.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { resultText, valueText } from './resultText.ts';

const { checkRequest, checkShape, createDialect, defaultDialect } = contract;

const { instruments } = openTestService({}, { feeds: [testFeed('BTC', 600)] }).core.engine.market;

/** What a field may hold instead; none fits everywhere. */
const WRONG: ReadonlyArray<[how: string, value: unknown]> = [
  ['null', null],
  ['a text', 'wrong'],
  ['an empty text', ''],
  ['0', 0],
  ['below zero', -1],
  ['a fraction', 0.123_456_789],
  ['large', 1e15],
  ['true', true],
  ['a list', []],
  ['an object', { wrong: 1 }],
  ['not a number', NaN],
  ['the name of every object', JSON.parse('{"__proto__":1}')],
];

type Tree = Record<string, unknown>;

/** Each place of a tree that holds a value. */
function placesOf(tree: unknown, path: readonly string[] = []): string[][] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) => [
    [...path, name],
    ...placesOf(value, [...path, name]),
  ]);
}

/** A copy of the tree with one place changed; undefined takes the field away. */
function changed(tree: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  const copy = (Array.isArray(tree) ? [...tree] : { ...(tree as Tree) }) as Tree;
  if (rest.length > 0) copy[name!] = changed(copy[name!], rest, value);
  else if (value === undefined) delete copy[name!];
  else copy[name!] = value;
  return copy;
}

/** The fields of both, those of objects in them too: forms that exclude one another meet. */
function joined(one: unknown, other: unknown): unknown {
  if (!isTree(one) || !isTree(other)) return other;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const has = (tree: Tree, name: string): boolean => Object.hasOwn(tree, name);
  return Object.fromEntries(
    names.map((name) => {
      if (!has(other, name)) return [name, one[name]];
      return [name, has(one, name) ? joined(one[name], other[name]) : other[name]];
    }),
  );
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Requests of each endpoint as they should be, and then each field wrong in each way. */
function requestsOf(endpoint: EndpointId): Outcome {
  const draw = createDraw(`requests ${endpoint}`);
  const known = createKnown(instruments, ['main']);
  known.now = 1_735_700_000_000;
  const spec = defaultDialect.endpoints[endpoint];
  const check = (what: string, body: unknown, dialect = defaultDialect): string =>
    `${what} ${JSON.stringify(body)} ${resultText(() => checkRequest(endpoint, body, dialect))}`;
  const strict = createDialect({ limits: { pacemakerMinSeconds: 700, pageMax: 20 } });
  const [valid, wrong, spoiled, queries] = [[], [], [], []] as [
    string[],
    string[],
    string[],
    string[],
  ];
  for (let at = 0; at < 12; at++) {
    const { body, query } = validRequest(endpoint, draw, known);
    queries.push(`${valueText(query)} ${resultText(() => checkShape(spec.query, query))}`);
    queries.push(resultText(() => checkShape(strict.endpoints[endpoint].query, query)));
    for (const place of placesOf(query).slice(0, 4)) {
      const [how, value] = draw.pick(WRONG);
      const other = changed(query, place, value);
      queries.push(`${place} ${how} ${resultText(() => checkShape(spec.query, other))}`);
    }
    if (spec.body === null) continue;
    valid.push(check('valid', body), check('strict', body, strict));
    const places = placesOf(body);
    for (const place of places) {
      const name = place.join('.');
      wrong.push(check(`${name} missing`, changed(body, place, undefined)));
      wrong.push(check(`${name} beside`, changed(body, [...place.slice(0, -1), 'beside'], 1)));
      const [how, value] =
        at < 4 ? draw.pick(WRONG) : WRONG[(at + places.indexOf(place)) % WRONG.length]!;
      wrong.push(check(`${name} ${how}`, changed(body, place, value)));
    }
    for (let more = 0; more < 4; more++) {
      const another = validRequest(endpoint, draw, known).body;
      wrong.push(check('two in one', joined(body, another)));
      if (isTree(body) && Array.isArray(body['legs']))
        wrong.push(check('many legs', { ...body, legs: Array(9 + more).fill(body['legs'][0]) }));
    }
    for (let more = 0; more < 3; more++) {
      const request = validRequest(endpoint, draw, known);
      const how = spoil(request, draw);
      // What only a text can hold is refused before its shape is read.
      if (valueText(request.body).length < 4_000) spoiled.push(check(how, request.body));
    }
  }
  return new Map([
    ['valid', valid],
    ['wrong', wrong],
    ['spoiled', spoiled],
    ['queries', queries],
  ]);
}

/** Legs, one for each rule of which field excludes or needs another (LEG-1 to LEG-9). */
const LEGS: readonly object[] = [
  {},
  { price: 1, min_move_bps: 5 },
  { price: 1, exit_style: 'native', unwind_algo: 'pacemaker', unwind_params: {} },
  { price: 1, exit_style: 'algo_unwind' },
  { price: 1, exit_style: 'algo_unwind', unwind_algo: 'flowband' },
  { price: 1, exit_style: 'algo_unwind', unwind_algo: '__proto__' },
  { price: 1, exit_style: 'algo_unwind', unwind_algo: 'pacemaker' },
  {
    price: 1,
    exit_style: 'algo_unwind',
    unwind_algo: 'pacemaker',
    unwind_params: { duration_seconds: 30, strategy: 'passive' },
  },
  { price: 1, exit_style: 'algo_unwind', unwind_algo: 'smartexit', unwind_params: { slices: 2 } },
  { price: 1, exit_style: 'algo_unwind', unwind_algo: 'glidemaker' },
  {
    at: { indicator: 'sma', interval: '1m' },
    exit_style: 'algo_unwind',
    unwind_algo: 'ghostsweep',
    unwind_params: { sweep_limit_bps: 4 },
  },
  { at: { indicator: 'rsi', interval: '1m' } },
  { at: { indicator: 'bollinger', interval: '1m' } },
  { at: { indicator: 'bollinger', interval: '1m', series: 'value' } },
  { at: { indicator: 'macd', interval: '1m', series: 'signal' } },
  { at: { indicator: 'unknown', interval: '1m' } },
  { offset: { mult: 1, indicator: 'rsi', interval: '1m' } },
  { offset: { mult: 1, indicator: 'atr', interval: '1m' }, price: 3 },
  { offset: { mult: 0, indicator: 'atr', interval: '1m' } },
  { trail: { interval: '1m' } },
  { trail: { pct: 1, interval: '1m' }, min_move_bps: 4 },
  { trail: { pct: 1, interval: '1m', min_move_bps: 3 }, min_move_bps: 4 },
  { trail: { pct: 100, interval: '1m', mult: 1, indicator: 'atr', params: {}, series: 'value' } },
  { trail: { mult: 2, indicator: 'sma', interval: '1m' } },
  { trail: { mult: 2, indicator: 'atr', interval: '1m' } },
  { trail: { indicator: 'ema', interval: '1m', params: { period: 501 } } },
  { trail: { indicator: 'stochastic', interval: '1m', series: 'k' } },
  {
    trail: { pct: 1, interval: '1m' },
    exit_style: 'algo_unwind',
    unwind_algo: 'smartexit',
  },
];
const BASE = { symbol: 'BTC', side: 'buy', size: 1 };
const ORDERS: readonly object[] = [
  { ...BASE, order_type: 'market', price: 1, time_in_force: 'gtc', price_from: {} },
  { ...BASE, order_type: 'market', price: 1, time_in_force: 'ioc' },
  { ...BASE, order_type: 'limit' },
  { ...BASE, order_type: 'limit', price: 1, slippage_bps: 1 },
  {
    ...BASE,
    order_type: 'limit',
    price: 1,
    price_from: { indicator: 'sma', interval: '1m' },
    time_in_force: 'ioc',
  },
  {
    ...BASE,
    order_type: 'limit',
    price_from: { indicator: 'sma', interval: '1m', min_move_bps: 1 },
  },
  { ...BASE, order_type: 'limit', price_from: { indicator: 'adx', interval: '1m', track: true } },
];

test('requests are taken and refused as before', { timeout: 300_000 }, async () => {
  const outcomes = new Map<string, Outcome>(ENDPOINT_IDS.map((id) => [id, requestsOf(id)]));
  const launches = LAUNCHES.map(([name, request]) => {
    return `${name} ${resultText(() => checkRequest('executions.launch', request, defaultDialect))}`;
  });
  const verdict = (endpoint: EndpointId, body: unknown): string =>
    `${JSON.stringify(body)} ${resultText(() => checkRequest(endpoint, body, defaultDialect))}`;
  const legs = LEGS.flatMap((leg) => [
    verdict('positions.attachLegs', { stop_loss: leg }),
    verdict('positions.attachLegs', { take_profit: leg, stop_loss: { price: 1 } }),
    verdict('orders.place', { ...BASE, order_type: 'market', take_profit: leg }),
    resultText(() => contract.formOf(leg as never)),
    resultText(() => contract.minMoveOf(leg as never)),
  ]);
  const orders = ORDERS.map((order) => verdict('orders.place', order));
  outcomes.set(
    'verdicts',
    new Map([
      ['launches', launches],
      ['legs', legs],
      ['orders', orders],
    ]),
  );
  await expectRecorded('contractRequests', outcomes);
});

test('what is published, and every message of the tables', async () => {
  const lines = (table: object): string[] =>
    Object.entries(table).map(([name, row]) => `${name} ${valueText(row)}`);
  const published = publishedSchemas();
  const { endpoints: _, shapes: __, ...dialect } = defaultDialect;
  await expectRecorded(
    'contractTables',
    new Map([
      ['published', new Map(Object.entries(published).map(([name, part]) => [name, lines(part)]))],
      [
        'tables',
        new Map([
          ['failures', lines(contract.FAILURES)],
          ['error codes', lines(contract.ERROR_CODES)],
          ['indicators', lines(contract.INDICATORS)],
          ['limits', lines({ ...contract.LIMITS, tiers: contract.FEE_TIERS })],
          ['commands', lines(contract.COMMANDS)],
          ['intervals', lines(contract.INTERVAL_MS)],
          ['dialect', lines(dialect)],
          ['algos', contract.algoRecords(45).map(valueText)],
          ['indicator records', contract.indicatorRecords().map(valueText)],
        ]),
      ],
    ]),
  );
});

const UNREAD = [
  { status: 502, headers: { 'content-type': 'text/html; charset=utf-8' }, isEmpty: false },
  { status: 301, headers: { location: 'https://elsewhere' }, isEmpty: false },
  { status: 200, headers: { 'content-type': 'application/problem+json' }, isEmpty: false },
  { status: 200, headers: { 'content-type': '<script>' }, isEmpty: false },
  { status: 204, headers: {}, isEmpty: true },
];
const NUMBERS = [
  0,
  1,
  -1,
  0.1,
  0.3,
  1.005,
  2.675,
  99.995,
  100.5,
  1234.5678,
  0.000_123_45,
  1e-9,
  60_123.4,
  123_456.7,
  2 ** 53 + 2,
  1e21,
  -3.5,
  0.1 + 0.2,
  34.999_999_999,
  NaN,
  Infinity,
  -Infinity,
];

test('figures, grids and texts', async () => {
  const draw = createDraw('figures');
  const numbers = [...NUMBERS];
  for (let at = 0; at < 60; at++) {
    const places = draw.int(0, 7);
    numbers.push(Number((draw.number(0, 1) * 10 ** draw.int(-3, 6)).toFixed(places)));
  }
  const grids = [
    { price_decimals: 2, price_significant_figures: 5, size_decimals: 3 },
    { price_decimals: 0, price_significant_figures: 5, size_decimals: 0 },
    { price_decimals: 6, price_significant_figures: 5, size_decimals: 5 },
    { price_decimals: 12, price_significant_figures: 8, size_decimals: 8 },
  ];
  const grid: string[] = [];
  for (const value of numbers) {
    grid.push(`${value} ${resultText(() => contract.toPlainDecimal(value))}`);
    grid.push(resultText(() => contract.decimalsOf(value)));
    for (const decimals of [-1, 0, 2, 5, 25]) {
      grid.push(resultText(() => contract.hasDecimals(value, decimals)));
      for (const mode of ['nearest', 'down', 'up'] as const)
        grid.push(resultText(() => contract.roundTo(value, decimals, mode)));
    }
    for (const one of grids) {
      grid.push(
        resultText(() => [
          contract.isValidSize(value, one),
          contract.isValidPrice(value, one),
          contract.toValidSize(value, one),
          isSellable(value, one),
          isSellable(value, undefined),
        ]),
        resultText(() => contract.tickAt(value, one)),
      );
      for (const mode of ['nearest', 'down', 'up'] as const)
        grid.push(resultText(() => contract.toValidPrice(value, one, mode)));
    }
  }
  const sizes: string[] = [];
  const bounds: string[] = [];
  for (let at = 0; at < 200; at++) {
    const [a, b] = [draw.pick(numbers), draw.pick(numbers)];
    const decimals = draw.int(0, 8);
    sizes.push(
      resultText(() => [snapSize(a, decimals), shareOf(a, b, decimals), floorSize(a, decimals)]),
      resultText(() => sumSizes([a, b, -a, -b, 0.1, 0.2, -0.3])),
      resultText(() => {
        const sum = sumSizes([a]);
        addSize(sum, b);
        addSize(sum, -b);
        return sum;
      }),
      resultText(() => averageAfter(draw.pick([null, a, b]), b, a * b, b)),
    );
    const bps = draw.pick([0, 1, 5, 12.5, 500, 10_000]);
    const to = offsetPrice(a, bps, 10_000);
    bounds.push(
      resultText(() => [to, offsetPrice(a, -bps / 4, 100), offsetPrice(a, NaN, 100)]),
      resultText(() => [compareMove(a, to, bps), compareMove(a, b, bps), compareMove(a, a, 0)]),
      resultText(() => [isWithin(a, b), isWithin(a * 1.1, 1.1 * a), isWithin(a + b, b + a)]),
    );
  }
  const bars: string[] = [];
  for (const interval of contract.INTERVALS)
    for (const time of [0, 1, 1_735_689_599_999, 1_735_689_600_000, 1_735_862_400_000, -5]) {
      const open = contract.barOpenTime(time, interval);
      bars.push(`${interval} ${time} ${open} ${contract.barCloseTime(open, interval)}`);
    }
  const headers = [
    undefined,
    null,
    '',
    '3',
    '0',
    '-1',
    '1.5',
    'x',
    4,
    -2,
    'Thu, 01 Jan 2026 00:00:09 GMT',
  ];
  const hosts = [
    undefined,
    '',
    'localhost',
    'LOCALHOST',
    'localhost:80',
    '127.0.0.1',
    '127.9.9.9:1',
    '128.0.0.1',
    '[::1]',
    '[::1]:80',
    '::1',
    'example.org',
    'example.org:443',
    '[',
    'a.localhost',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '[::ffff:7f00:1]',
    '127.0.0.1.example.org',
    '1270.0.1',
  ];
  const texts = [
    ...headers.map((asked) =>
      resultText(() => contract.readRetryAfterMs(asked, 1_767_225_600_000)),
    ),
    ...headers.map((asked) => resultText(() => contract.readRetryAfterMs(asked))),
    ...hosts.map(
      (host) => `${host} ${resultText(() => [contract.isLoopback(host), contract.hostOf(host)])}`,
    ),
    ...[undefined, '0', '1', '', 'x', '0.0'].map((age) =>
      resultText(() => isOfCache({ headers: age === undefined ? {} : { age } } as never)),
    ),
    ...ENDPOINT_IDS.map((id) => `${id} ${valueText(contract.delayOf(id))}`),
    ...['connection_lost', 'timeout', 'unreadable_body', 'redirected', 'not_normalised'].flatMap(
      (reason) =>
        UNREAD.map((unread) =>
          resultText(() => contract.showNoAnswer({ reason, unread } as never)),
        ),
    ),
    ...[undefined, { code: 'ENOTFOUND' }, { code: 'not a code' }, new Error('x')].map((cause) =>
      resultText(() => contract.showNotSent({ reason: 'not_connected', cause })),
    ),
    ...[
      1,
      'x',
      'vs_secret',
      'http://a:b@c',
      null,
      undefined,
      [],
      [1],
      {},
      NaN,
      -Infinity,
      true,
      'y'.repeat(90),
    ].flatMap((value) => [
      resultText(() => contract.showValue(['a', 0], value)),
      resultText(() => contract.showValue(['token'], value)),
      resultText(() => contract.issueText({ path: ['a'], message: 'said' } as never, { a: value })),
    ]),
    ...[
      {},
      { next_cursor: 'c' },
      { next_cursor: null },
      { next_cursor: '' },
      { next_cursor: 4 },
    ].map((page) => resultText(() => nextCursor(page as never))),
    ...[
      undefined,
      null,
      {},
      { error: {} },
      { error: { code: 'not_found', message: 'm' }, request_id: 'r' },
      { error: { code: 'not_found', message: 'm' }, request_id: '' },
      { error: { code: 'new_code', message: 'm', details: null }, request_id: 'r' },
      {
        error: {
          code: 'internal',
          message: 'm',
          details: { fields: [{ path: 'a', code: 'c' }, 4] },
        },
        request_id: 'r',
      },
    ].flatMap((body) =>
      [200, 399, 400, 404, 408, 425, 429, 499, 500, 503].map(
        (status) => `${status} ${resultText(() => contract.readRefusal(status, body))}`,
      ),
    ),
    resultText(() => contract.readFieldIssues({ fields: [{ path: 'a', code: 'c' }, 4, null] })),
    resultText(() => contract.readFieldIssues({ fields: 'x' })),
    resultText(() => contract.readFieldIssues(null)),
    ...Object.keys(contract.ERROR_CODES).map((code) =>
      resultText(() => [
        code,
        contract.statusOf(code as never),
        contract.statusOf(code as never, true),
        contract.isTransient(code),
        contract.isErrorCode(`${code}x`),
      ]),
    ),
    ...Object.keys(contract.FAILURES).map((code) =>
      resultText(() => [contract.failureAnchor(code as never), contract.isFailureCode(code)]),
    ),
    ...(['armed', 'paused', 'fired', 'stopped', 'failed'] as const).flatMap((status) =>
      [true, false].map((rearm) => resultText(() => contract.isMonitorOver({ status, rearm }))),
    ),
    ...[undefined, null, 'x', {}, { a: 1 }, { a: undefined, b: null }].flatMap((given) => [
      resultText(() => requireFields('call', given, ['a', 'b'])),
      resultText(() => requireText('call', 'name', given)),
      resultText(() => withoutUndefined((given ?? {}) as object)),
    ]),
    ...['place_order', 'toString', ''].map((name) =>
      resultText(() => [contract.isCommandName(name), contract.isChannelName(name)]),
    ),
    ...contract.INDICATOR_IDS.map((id) =>
      resultText(() => contract.withDefaults(id, { period: 3, mult: 4 })),
    ),
    ...[undefined, { side: 'short', size: 2 }, { side: 'long', size: 3 }].map((position) =>
      resultText(() => contract.signedSize(position as never)),
    ),
    ...['BTC', 'PURR/USDC', '/', 'a/b/c'].map((symbol) =>
      resultText(() => [contract.isSpot(symbol), contract.baseOf(symbol)]),
    ),
    ...LAUNCHES.map(([, launch]) => resultText(() => farthestSweep(launch as never, 61_000))),
    ...ENDPOINT_IDS.flatMap((id) =>
      [
        { id: 'a/b', symbol: 'PURR/USDC', token: 't' },
        { id: '..', symbol: '', token: '.' },
        {},
      ].map((params) =>
        resultText(() => contract.fillPath(contract.ENDPOINTS[id].path, params as never)),
      ),
    ),
    ...contract.COMMAND_NAMES.map((name) =>
      resultText(() =>
        contract.splitArgs(name, {
          id: 'x',
          symbol: 'BTC',
          size: 1,
          limit: 2,
          status: 'open',
        }),
      ),
    ),
  ];
  await expectRecorded(
    'contractFigures',
    new Map([
      [
        'figures',
        new Map([
          ['grid', grid],
          ['sizes', sizes],
          ['bounds', bounds],
          ['bars', bars],
          ['texts', texts],
        ]),
      ],
    ]),
  );
});

const NAMES = {
  fields: { order_id: 'oid', 'stop_loss.price': 'trigger', constructor: 'maker', size: 'qty' },
  query: { limit: 'most', cursor: 'after' },
  words: { algo: { smartexit: 'exit' }, 'take_profit.side': { buy: 'B' }, side: { sell: 'S' } },
  codes: { not_found: 'E404' },
  channels: { price: 'px' },
  events: { tick: 't', snapshot: 'all' },
  commands: { place_order: 'place' },
  clientIdPrefix: 'own-',
};

test('names and shapes of another service, both ways', async () => {
  const shapes = {
    encodeRequest: (request: contract.WireRequest) => ({
      ...request,
      query: { ...request.query, v: 1 },
    }),
    normaliseAnswer: ({ status, body }: contract.WireAnswer) => ({
      status: status === 418 ? 422 : status,
      body: (body as Tree | null)?.['wrapped'] ?? body,
    }),
    encodeClientMessage: (message: unknown) => JSON.stringify({ message }),
    normaliseServerFrame: (json: unknown) => (json as Tree)['frame'] ?? json,
    encodeSseChannels: (wishes: readonly contract.ChannelWish[]) =>
      wishes.length > 1 ? wishes.map(({ channel }) => channel).join('+') : undefined,
  };
  const dialects = {
    plain: defaultDialect,
    named: createDialect({ names: NAMES }),
    shaped: createDialect({}, { shapes }),
    both: createDialect({ names: NAMES }, { shapes, values: { limits: { pageMax: 7 } } }),
  };
  const outcomes = new Map<string, Outcome>();
  const draw = createDraw('dialects');
  const requests = ENDPOINT_IDS.flatMap((id) =>
    [1, 2].map(() => validRequest(id, draw, createKnown(instruments, ['main']))),
  );
  for (const [name, dialect] of Object.entries(dialects)) {
    const { toWire, fromWire, encodeClientMessage, normaliseServerFrame, toSse } = dialect.shapes;
    const sent = requests.map(({ endpoint, pathParams, query, body }) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const request = {
        endpoint,
        query,
        body: text,
        pathParams: { ...pathParams, id: 'client:a' },
      };
      return resultText(() => toWire(request as never));
    });
    const answers = [
      { order_id: 1, oid: 2, qty: 3, legs: [{ algo: 'exit', side: 'S' }], maker: 4 },
      { wrapped: { oid: 5, take_profit: { side: 'B', trigger: 6 }, stop_loss: { trigger: 7 } } },
      { error: { code: 'E404', message: 'm', details: { fields: [{ path: 'qty', code: 'c' }] } } },
      null,
      'text',
      [],
    ].flatMap((body) =>
      [200, 404, 418].map((status) =>
        resultText(() => fromWire('orders.get', { status, headers: {}, body } as never)),
      ),
    );
    const frames = [
      { channel: 'px', event: 't', params: {}, wallet: 'main', seq: 1, ts: 2, data: { qty: 1 } },
      { frame: { channel: 'price', event: 'tick' } },
      { type: 'error', error: { code: 'E404', message: 'm' } },
      { type: 'result', ok: true, data: { oid: 1 } },
    ].map((json) => resultText(() => normaliseServerFrame(json)));
    const messages = [
      { id: '1', op: 'subscribe', channel: 'price', params: { symbol: 'BTC' } },
      { id: '2', op: 'unsubscribe', channel: 'executions' },
      { id: '3', op: 'command', command: 'place_order', args: { size: 1, side: 'sell' } },
      { id: '4', op: 'command', command: 'cancel_order', args: { id: 'client:a' }, wallet: 'w' },
      { id: '5', op: 'command', command: 'cancel_order', args: { id: 7 } },
      { id: '6', op: 'command', command: 'get_orders' },
    ].map((message) => resultText(() => encodeClientMessage(message as never)));
    const wishes = [
      [],
      [{ channel: 'price', params: { symbol: 'BTC' } }],
      [
        { channel: 'price', params: { symbol: 'BTC' } },
        { channel: 'executions', params: {} },
      ],
    ].map((each) => resultText(() => toSse(each)));
    outcomes.set(
      name,
      new Map([
        ['requests', sent],
        ['answers', answers],
        ['frames', [...frames, ...messages, ...wishes]],
      ]),
    );
  }
  const refused = [
    { headers: { wallet: '' } },
    { limits: { pageMax: 0 } },
    { limits: { pacemakerMinSeconds: 90_000 } },
    { budget: { readGate: 2 } },
    { endpoints: { 'orders.place': { path: 'order' } } },
    { endpoints: { nothing: {} } },
    { names: { fields: { a: 'x', b: 'x' } } },
    { names: { words: { side: { buy: 'x', sell: 'x' } } } },
    { names: { codes: { a: '' } } },
    { stream: { lacks: ['price'] } },
    { executions: { transitions: { running: ['resume'] } } },
  ].map((values) => resultText(() => createDialect(values as never).budget));
  outcomes.set('refused', new Map([['values', refused]]));
  await expectRecorded('contractDialects', outcomes);
});
