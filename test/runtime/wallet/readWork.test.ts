/** What a wallet has at work, beside a service in a test's hands: all of it, or the reason why that is not known. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Budget } from '../../../src/budget/index.ts';
import {
  defaultDialect,
  type Exchange,
  type MonitorRecord,
  type ServiceRequest,
} from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import type { Accepted } from '../../../src/runtime/wallet/index.ts';
import type { Made } from '../../../src/runtime/wallet/madeOf.ts';
import { readWork, type Reading } from '../../../src/runtime/wallet/readWork.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { execution, order, position } from '../../streams/records.ts';
import { isFull } from '../../tiers.ts';

const monitor = (id: string, status: MonitorRecord['status'] = 'armed'): MonitorRecord => ({
  monitor_id: id,
  name: null,
  group_id: null,
  trigger: { type: 'price_level', symbol: 'BTC', price: 100, direction: 'above' },
  action: {
    type: 'order',
    request: { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' },
  },
  status,
  rearm: false,
  fired_count: 0,
  last_fired_time: null,
  last_error: null,
  created_time: 1,
  request: {},
});

const answered = (status: number, body: unknown): Exchange => ({
  kind: 'answered',
  response: { status, headers: {}, body },
});
const refused = (status: number, code: string): Exchange =>
  answered(status, { error: { code, message: 'For a test.', details: {} }, request_id: 'r' });

/** What is not an answer to the question: the state is unknown then. */
const FAILURES: Readonly<Record<string, Exchange>> = {
  'a server error': answered(500, 'oops'),
  'another shape': answered(200, { items: [{}], next_cursor: null }),
  'no items': answered(200, {}),
  'no answer': { kind: 'no_answer', reason: 'timeout' } as Exchange,
  'a refusal': refused(403, 'insufficient_scope'),
  'a page of a gateway': answered(404, '<html>'),
  'an envelope of a gateway': answered(404, { error: { code: 'not_found' } }),
};

interface Books {
  orders: string[];
  executions: Array<{ id: string; status: string }>;
  monitors: Array<{ id: string; status: string }>;
  positions: number[];
}

/** Lists of two records a page, and records by their ids. */
function serve(books: Books, known: Partial<Parameters<typeof readWork>[0]['known']> = {}) {
  const env = createVirtualEnv();
  const asked: ServiceRequest[] = [];
  const spent: number[] = [];
  const earlier: Made[] = [];
  const ended: string[] = [];
  const recent = new Set<string>();
  const unseen = new Set<string>();
  /** By the number of the request, from 0, or by what is asked for. */
  const failures = new Map<number | string, Exchange>();
  const recordOf: Record<string, unknown> = {};

  function listOf({ endpoint, query }: ServiceRequest): readonly unknown[] {
    switch (endpoint) {
      case 'orders.list':
        return books.orders.map((id) => order(id));
      case 'executions.list':
        return books.executions
          .filter(({ status }) => status === query['status'])
          .map(({ id, status }) => execution(id, status));
      case 'monitors.list':
        return books.monitors
          .filter(({ status }) => status === query['status'])
          .map(({ id, status }) => monitor(id, status));
      default:
        return books.positions.map((size, at) => position(size, `S${at}`));
    }
  }

  function answer(request: ServiceRequest): Exchange {
    const id = request.pathParams['id'];
    const failure = failures.get(asked.length) ?? failures.get(id ?? request.endpoint);
    asked.push(request);
    if (failure !== undefined) return failure;
    if (id !== undefined) {
      const found = recordOf[id];
      return found === undefined ? refused(404, 'not_found') : answered(200, found);
    }
    const all = listOf(request);
    const from = Number(request.query['cursor'] ?? 0);
    const next = from + 2 < all.length ? String(from + 2) : null;
    return answered(200, { items: all.slice(from, from + 2), next_cursor: next });
  }

  return {
    env,
    asked,
    spent,
    earlier,
    ended,
    recent,
    unseen,
    failures,
    recordOf,
    read: (more: Partial<Parameters<typeof readWork>[0]> = {}): Promise<Reading> =>
      readWork({
        env,
        budget: {
          admit: () => ({ admitted: true }),
          spend: (weight: number) => void spent.push(weight),
        } as unknown as Budget,
        dialect: defaultDialect,
        request: answer,
        accepted: {
          earlier: () => earlier,
          ended: (id) => void ended.push(id),
          isRecent: (id) => recent.has(id),
          isUnseen: (id) => unseen.has(id),
        } satisfies Pick<Accepted, 'earlier' | 'ended' | 'isRecent' | 'isUnseen'>,
        known: {
          wallet: 'main',
          orders: [],
          executions: [],
          positions: [],
          monitors: [],
          isOwn: () => true,
          ...known,
        },
        isConnected: true,
        until: 10_000,
        ...more,
      }),
  };
}

const booksDrawn = fc.record({
  orders: fc.nat(5),
  running: fc.nat(3),
  paused: fc.nat(3),
  interrupted: fc.nat(3),
  armed: fc.nat(5),
  held: fc.nat(3),
  fired: fc.nat(9),
  positions: fc.nat(3),
});
const ids = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_none, at) => `${prefix}_${at}`);

test('every page of what may still act is read and nothing else, and one that fails makes all of it unknown', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    counts: booksDrawn,
    failsAt: fc.option(fc.nat(20), { nil: undefined }),
    failure: fc.constantFrom(...Object.keys(FAILURES)),
  });
  await holdLaw(150, drawn, async ({ counts, failsAt, failure }) => {
    const executions = (['running', 'paused', 'interrupted'] as const).flatMap((status) =>
      ids(status, counts[status]).map((id) => ({ id, status })),
    );
    const standing = [
      ...ids('mon', counts.armed).map((id) => ({ id, status: 'armed' })),
      ...ids('held', counts.held).map((id) => ({ id, status: 'paused' })),
    ];
    const books = {
      orders: ids('ord', counts.orders),
      // A history of months, which takes no request.
      executions: [...executions, ...ids('old', 9).map((id) => ({ id, status: 'completed' }))],
      monitors: [...standing, ...ids('old', counts.fired).map((id) => ({ id, status: 'fired' }))],
      positions: Array.from({ length: counts.positions }, (_none, at) => at + 1),
    };
    const service = serve(books);
    if (failsAt !== undefined) service.failures.set(failsAt, FAILURES[failure]!);
    const reading = await service.read();
    const hasFailed = failsAt !== undefined && failsAt < service.asked.length;
    tried.take(hasFailed ? failure : 'whole');
    expect(reading.ok).toBe(!hasFailed);
    // Each request is of the wallet, and paid for.
    expect(service.asked.every(({ wallet }) => wallet === 'main')).toBe(true);
    // The largest page takes the fewest requests of a start that waits for them.
    const { pageMax } = defaultDialect.limits;
    expect(service.asked.every(({ query }) => query['limit'] === pageMax)).toBe(true);
    expect(service.spent).toHaveLength(service.asked.length);
    if (!reading.ok) {
      expect(reading.reason).not.toBe('');
      return;
    }
    const { work } = reading;
    expect(work.orders.map((one) => one.order_id)).toEqual(books.orders);
    expect(work.monitors.map((one) => one.monitor_id)).toEqual(standing.map(({ id }) => id));
    expect(work.positions.map(({ size }) => size)).toEqual(books.positions);
    expect(work.executions.map((one) => one.execution_id)).toEqual(executions.map(({ id }) => id));
  });
  if (isFull) expect(tried.rare([...Object.keys(FAILURES), 'whole'], 5)).toEqual([]);
});

test('a record that can’t be read hides no other of its list where that is asked for', async () => {
  const { total_size: _lacking, ...bad } = execution('bad');
  const page = { items: [bad, execution('good')], next_cursor: '' };
  const known = { executions: [execution('bad')] };
  const service = serve({ orders: [], executions: [], monitors: [], positions: [] }, known);
  service.failures.set('executions.list', answered(200, page));
  service.recordOf['bad'] = bad;
  const strict = await service.read();
  expect(strict).toMatchObject({ ok: false, reason: 'the answer has another shape' });
  const unread: unknown[] = [];
  const onUnreadable = (one: unknown): void => void unread.push(one);
  const reading = await service.read({ kinds: ['execution'], onUnreadable });
  const names = reading.work.executions.map(({ execution_id: id }) => id);
  expect([reading.ok, new Set(names)]).toEqual([true, new Set(['good'])]);
  expect(unread).toContainEqual({ id: 'bad', field: 'total_size' });
  expect(service.ended).toEqual([]);
});

test.each<[string, Exchange, string]>([
  ['a 429 of the service', refused(429, 'rate_limited'), 'rate_limited'],
  ['a 429 of a gateway', answered(429, '<html>'), '429 '],
  [
    'a 429 whose body never came',
    { kind: 'no_answer', reason: 'timeout', unread: { status: 429, headers: {} } } as Exchange,
    'timeout',
  ],
  ['what could not be sent', { kind: 'not_sent', reason: 'unreachable' } as Exchange, 'unreach'],
])(
  '%s is no answer: it is asked again as long as there is time',
  async (_what, exchange, reason) => {
    for (const isForGood of [false, true]) {
      const service = serve({
        orders: ['a', 'b', 'c'],
        executions: [],
        monitors: [],
        positions: [],
      });
      if (isForGood) service.failures.set('orders.list', exchange);
      // The first request, and the second page of one that was answered.
      else for (const at of [0, 7]) service.failures.set(at, exchange);
      const reading = service.read({ until: 2_000 });
      for (let step = 0; step < 10; step++) {
        for (let tick = 0; tick < 50; tick++) await Promise.resolve();
        service.env.queue.advanceTo(service.env.queue.now() + 250);
      }
      const result = await reading;
      expect(result.ok).toBe(!isForGood);
      if (!result.ok) expect(result.reason).toContain(reason);
      else expect(result.work.orders.map(({ order_id: id }) => id)).toEqual(['a', 'b', 'c']);
    }
  },
);

test('a kind that can’t be read leaves the others as they are', async () => {
  const service = serve({ orders: ['ord'], executions: [], monitors: [], positions: [] });
  const made = { kind: 'execution', id: 'exe', wallet: 'main', instance: 'one' } as Made;
  service.earlier.push(made);
  service.failures.set('monitors.list', refused(404, 'not_found'));
  const reading = await service.read();
  const failed = new Map([['monitor', { reason: '404 not_found', isRefused: true }]]);
  expect(reading).toMatchObject({ ok: false, reason: '404 not_found' });
  if (!reading.ok) expect([...reading.failed.keys()]).toEqual([...failed.keys()]);
  if (!reading.ok) expect(reading.failed.get('monitor')).toMatchObject(failed.get('monitor')!);
  expect(reading.work.orders.map(({ order_id: id }) => id)).toEqual(['ord']);
  expect(service.ended).toEqual(['exe']);
});

describe('what no list has is looked up by its id', () => {
  const NONE: Books = { orders: [], executions: [], monitors: [], positions: [] };
  const exit = { reduce_only: true };
  const kinds = [
    ['an entry order', { orders: [order('x')] }, order('x'), 'cancelled'],
    ['an exit order', { orders: [{ ...order('x'), ...exit }] }, order('x'), 'filled'],
    ['an entry', { executions: [execution('x')] }, execution('x'), 'completed'],
    ['an exit', { executions: [{ ...execution('x'), ...exit }] }, execution('x'), 'stopped'],
    ['a monitor', { monitors: [monitor('x')] }, monitor('x'), 'fired'],
  ] as const;
  const countOf = (reading: Reading): number =>
    reading.ok
      ? reading.work.orders.length + reading.work.executions.length + reading.work.monitors.length
      : -1;

  test.each(kinds)('%s that is open is at work, one that has ended is not', async (...each) => {
    const [, known, record, over] = each;
    const service = serve(NONE, known);
    service.recordOf['x'] = record;
    expect(countOf(await service.read())).toBe(1);
    expect(service.ended).toEqual([]);
    service.recordOf['x'] = { ...record, status: over };
    expect(countOf(await service.read())).toBe(0);
    expect(service.ended).toEqual(['x']);
  });

  test.each(kinds)(
    '%s that is not found has ended only if nothing speaks against it',
    async (...each) => {
      const [, known] = each;
      const service = serve(NONE, known);
      // Its stream shows it: the lookup may be behind.
      expect(countOf(await service.read())).toBe(-1);
      expect(countOf(await service.read({ isConnected: false }))).toBe(0);
      service.unseen.add('x');
      expect(countOf(await service.read())).toBe(0);
      service.recent.add('x');
      expect(countOf(await service.read())).toBe(-1);
      expect(service.ended).toEqual(['x', 'x']);
    },
  );

  test.each(Object.entries(FAILURES))(
    'an answer that is none leaves it unknown: %s',
    async (_name, failure) => {
      const service = serve(NONE, { orders: [order('x')] });
      service.failures.set('x', failure);
      expect(countOf(await service.read({ isConnected: false }))).toBe(-1);
      expect(service.ended).toEqual([]);
    },
  );

  test('what an earlier process had accepted is looked up too, each once', async () => {
    const service = serve(
      { ...NONE, orders: ['listed'] },
      { orders: [order('x'), order('listed')] },
    );
    for (const id of ['x', 'y', 'listed']) service.earlier.push({ kind: 'order', id } as Made);
    for (const id of ['x', 'y']) service.recordOf[id] = order(id);
    const reading = await service.read();
    expect(reading.ok && reading.work.orders.map((one) => one.order_id)).toEqual([
      'listed',
      'x',
      'y',
    ]);
    const gets = service.asked.filter(({ endpoint }) => endpoint === 'orders.get');
    expect(gets.map(({ pathParams }) => pathParams['id'])).toEqual(['x', 'y']);
  });
});
