import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultDialect,
  type Dialect,
  type Exchange,
  type ServiceRequest,
} from '../../../src/contract/index.ts';
import { createLookUp } from '../../../src/runtime/recovery/createLookUp.ts';
import { holdLaw } from '../../holdLaw.ts';
import { startPaper } from '../../wire/startPaper.ts';
import { createListedService } from '../listedService.ts';
import { GATEWAY_BODIES, STATUSES } from '../gateways.ts';
import { launch, modifyOrder, placeOrder, type Intent } from '../../../src/intents/index.ts';
import { idempotencyKeyOf } from '../../../src/journal/index.ts';
import { answered, buy, emission, order, setUpPipe } from '../setUpPipe.ts';

const raw = (status: number, body: unknown, headers: Record<string, string> = {}): Exchange => ({
  kind: 'answered',
  response: { status, headers, body },
});

const dialectOf = (pageMax: number): Dialect => ({
  ...defaultDialect,
  limits: { ...defaultDialect.limits, pageMax },
});

function setUp(answer: (request: ServiceRequest) => Exchange) {
  const asked: ServiceRequest[] = [];
  const budget = { admit: () => ({ admitted: true as const }), spend: () => {} };
  const lookUp = createLookUp({
    budget: budget as never,
    dialect: dialectOf(120),
    market: { now: () => 0 },
    request: (request) => (asked.push(request), answer(request)),
  });
  return { asked, lookUp };
}

const INTENTS = { order, launch: buy };
const NOT_FOUND = { error: { code: 'not_found', message: 'No such resource.' }, request_id: 'r' };

describe.each(Object.entries(INTENTS))('a lookup of %s', (_name, intent) => {
  test.each(Object.entries(GATEWAY_BODIES))(
    'concludes nothing from %s, at any status',
    async (_body, body) => {
      for (const status of STATUSES) {
        const { lookUp } = setUp(() => raw(status, body));
        const found = await lookUp(emission('d1', intent), 'key');
        expect([status, found.kind]).toEqual([status, 'unclear']);
      }
    },
  );
});

test('an order is missing by the service’s own not_found alone, at 404 and at no other status', async () => {
  for (const status of STATUSES) {
    const { lookUp } = setUp(() => raw(status, NOT_FOUND));
    const { kind } = await lookUp(emission('d1', order), 'key');
    expect([status, kind]).toEqual([status, status === 404 ? 'missing' : 'unclear']);
  }
  for (const code of ['unknown_wallet', 'unknown_symbol', 'no_position', 'no_such_route']) {
    const { lookUp } = setUp(() => answered(404, { error: { code, message: '' } }));
    expect([code, (await lookUp(emission('d1', order), 'key')).kind]).toEqual([code, 'unclear']);
  }
});

test('each is asked for by the client id that it carried, its own or the key, once the budget admits it', async () => {
  const asked: ServiceRequest[] = [];
  const spent: unknown[] = [];
  let isAdmitted = false;
  const lookUp = createLookUp({
    budget: {
      admit: () => ({ admitted: isAdmitted }),
      spend: (...all: unknown[]) => spent.push(all),
    } as never,
    dialect: dialectOf(120),
    market: { now: () => 0 },
    request: (request) => (
      asked.push(request),
      raw(200, { order_id: 'ord_1', client_order_id: 'mine' })
    ),
  });
  const named = { ...order, request: { ...order.request, client_order_id: 'mine' } };
  expect((await lookUp(emission('d1', named), 'key')).kind).toBe('unclear');
  expect([asked, spent]).toEqual([[], []]);
  isAdmitted = true;
  expect((await lookUp(emission('d1', named), 'key')).kind).toBe('found');
  await lookUp(emission('d1', order), 'key');
  expect(asked.map(({ pathParams }) => pathParams['id'])).toEqual(['client:mine', 'client:key']);
  expect(spent).toEqual([
    [2, 'lookup'],
    [2, 'lookup'],
  ]);
});

test('a cached response is not evidence', async () => {
  const { lookUp } = setUp(() => raw(404, NOT_FOUND, { age: '3' }));
  expect((await lookUp(emission('d1', order), 'key')).kind).toBe('unclear');
});

test('an order with another client id does not match', async () => {
  const { lookUp } = setUp(() => raw(200, { order_id: 'ord_1', client_order_id: 'other' }));
  expect((await lookUp(emission('d1', order), 'key')).kind).toBe('unclear');
});

describe('a change of an order', () => {
  const intent = modifyOrder({ order_id: 'ord_1' }, { price: 99, size: 2 });
  const sentBy = (id: string): ServiceRequest => ({
    endpoint: 'orders.modify',
    pathParams: { id },
    query: {},
    body: '{"price":99,"size":2}',
  });
  const record = (more: object) => ({
    order_id: 'ord_1',
    status: 'open',
    price: 100,
    size: 2,
    ...more,
  });
  const NEW = { price: 99, size: 2 };
  /** What is answered by the order's id, and by its client id. */
  const resultOf = async (id: string, byId: Exchange, byClientId = byId) => {
    const { asked, lookUp } = setUp(({ pathParams }) =>
      pathParams['id']!.startsWith('client:') ? byClientId : byId,
    );
    const { kind } = await lookUp(emission('d1', intent), 'key', sentBy(id));
    return [kind, ...asked.map(({ endpoint, pathParams }) => `${endpoint} ${pathParams['id']}`)];
  };
  const [ID, CLIENT] = ['orders.get ord_1', 'orders.get client:mine'];

  test.each(['open', 'filled', 'cancelled', 'expired', 'rejected'])(
    'was executed if the order has what it sets, and is %s',
    async (status) => {
      const found = raw(200, record({ ...NEW, status }));
      expect(await resultOf('ord_1', found)).toEqual(['found', ID]);
      expect(await resultOf('client:mine', found)).toEqual(['found', CLIENT]);
    },
  );

  test.each(['open', 'filled', 'expired', 'rejected'])(
    'left nothing if a field of the order is another, and it is %s',
    async (status) => {
      for (const more of [{ price: 100 }, { ...NEW, size: 3 }]) {
        expect(await resultOf('ord_1', raw(200, record({ ...more, status })))).toEqual([
          'missing',
          ID,
        ]);
      }
    },
  );

  test('ORD-3: of one that was cancelled, the client id shows whether it was made anew', async () => {
    const gone = record({ status: 'cancelled', client_order_id: 'mine' });
    const anew = raw(200, record({ ...NEW, order_id: 'ord_2', client_order_id: 'mine' }));
    expect(await resultOf('ord_1', raw(200, gone), anew)).toEqual(['found', ID, CLIENT]);
    expect(await resultOf('ord_1', raw(200, gone))).toEqual(['missing', ID, CLIENT]);
    expect(await resultOf('client:mine', raw(200, gone))).toEqual(['missing', CLIENT]);
    expect(await resultOf('ord_1', raw(200, gone), raw(502, {}))).toEqual(['unclear', ID, CLIENT]);
    const nameless = raw(200, record({ status: 'cancelled', client_order_id: null }));
    expect(await resultOf('ord_1', nameless)).toEqual(['unclear', ID]);
  });

  // It would be asked for every 20 s as long as the bot runs, and then again by each that comes after it.
  test('left nothing if the service has no order of its client id any more', async () => {
    expect(await resultOf('client:mine', raw(404, NOT_FOUND))).toEqual(['missing', CLIENT]);
    const gone = record({ status: 'cancelled', client_order_id: 'mine' });
    const byBoth = await resultOf('ord_1', raw(200, gone), raw(404, NOT_FOUND));
    expect(byBoth).toEqual(['missing', ID, CLIENT]);
    expect(await resultOf('client:mine', raw(404, NOT_FOUND, { age: '3' }))).toEqual([
      'unclear',
      CLIENT,
    ]);
    for (const body of Object.values(GATEWAY_BODIES))
      expect((await resultOf('client:mine', raw(404, body)))[0]).toBe('unclear');
  });

  test('is not shown by an answer without the order or the fields', async () => {
    const withoutSize = { order_id: 'ord_1', status: 'open', price: 100 };
    for (const answer of [raw(404, NOT_FOUND), raw(200, {}), raw(200, withoutSize)])
      expect(await resultOf('ord_1', answer)).toEqual(['unclear', ID]);
    const cached = raw(200, record(NEW), { age: '3' });
    expect(await resultOf('ord_1', cached)).toEqual(['unclear', ID]);
    for (const body of Object.values(GATEWAY_BODIES))
      for (const status of STATUSES)
        expect((await resultOf('ord_1', raw(status, body)))[0]).toBe('unclear');
  });

  test('is shown by a paper service: executed, not executed, and of an order that ended', async () => {
    const { client, http, dialect } = await startPaper();
    const resting = {
      symbol: 'BTC',
      side: 'buy',
      size: 0.01,
      order_type: 'limit',
      price: 9_000,
    } as const;
    const lookUp = createLookUp({
      budget: { admit: () => ({ admitted: true as const }), spend: () => {} } as never,
      dialect,
      market: { now: () => 0 },
      request: (request) => http.request(request),
    });
    const change = { price: 9_100, size: 0.02 };
    for (const id of ['mine', undefined]) {
      const { order_id } = await client.orders.place({
        body: { ...resting, ...(id === undefined ? {} : { client_order_id: id }) },
      });
      const sent = { ...sentBy(order_id), body: JSON.stringify(change) };
      const look = async () => (await lookUp(emission('d1', intent), 'key', sent)).kind;
      expect(await look()).toBe('missing');
      await client.orders.modify({ id: order_id, body: { price: 9_100 } });
      expect(await look()).toBe('missing');
      await client.orders.modify({ id: order_id, body: { size: 0.02 } });
      expect(await look()).toBe('found');
      await client.orders.cancel({ id: order_id });
      expect(await look()).toBe('found');
      const other = { ...sent, body: JSON.stringify({ price: 9_200 }) };
      const { kind } = await lookUp(emission('d1', intent), 'key', other);
      expect(kind).toBe(id === undefined ? 'unclear' : 'missing');
    }
  });
});

// Some services end a list with an empty cursor.
test.each([null, ''])(
  'an execution is searched on every page until the cursor %j, and not missing while more pages exist',
  async (last) => {
    const page = (from: number, next: string | null) => ({
      items: [{ execution_id: `exe_${from}`, client_execution_id: `c${from}` }],
      next_cursor: next,
    });
    const { asked, lookUp } = setUp(({ query }) => {
      const at = Number(query['cursor'] ?? 0);
      return raw(200, page(at, at < 3 ? String(at + 1) : last));
    });
    expect((await lookUp(emission('d1', buy), 'c3')).kind).toBe('found');
    expect(asked.map(({ query }) => query['cursor'])).toEqual([undefined, '1', '2', '3']);
    expect(asked[0]?.query['limit']).toBe(120);
    expect((await lookUp(emission('d1', buy), 'c9')).kind).toBe('missing');

    const endless = setUp(({ query }) => raw(200, page(0, String(query['cursor'] ?? '') + 'x')));
    expect((await endless.lookUp(emission('d1', buy), 'c9')).kind).toBe('unclear');
    const broken = setUp(({ query }) =>
      query['cursor'] === undefined ? raw(200, page(0, '1')) : raw(502, {}),
    );
    expect((await broken.lookUp(emission('d1', buy), 'c9')).kind).toBe('unclear');
  },
);

const TEN_MINUTES = 600_000;

test('a launch is looked for from its decision on, however long the history is and whatever the clocks say', async () => {
  const drawn = fc.record({
    decided: fc.integer({ min: 0, max: 2_000_000_000_000 }),
    /** The service's stamp less the decision's time. */
    late: fc.oneof(
      fc.constantFrom(-TEN_MINUTES, 0),
      fc.integer({ min: -TEN_MINUTES, max: 3 * TEN_MINUTES }),
    ),
    /** How far the service's clock was set back since; market time follows it. */
    setBack: fc.constantFrom(0, 0, 10 * TEN_MINUTES),
    isThere: fc.boolean(),
    pageMax: fc.constantFrom(1, 500),
  });
  await holdLaw(200, drawn, async ({ decided, late, setBack, isThere, pageMax }) => {
    const launched = Math.max(0, decided + late - setBack);
    const own = { execution_id: 'own', client_execution_id: 'key', created_time: launched };
    const history = Array.from({ length: 21 * pageMax }, (_, at) => ({
      execution_id: `old ${at}`,
      created_time: launched - 6 * TEN_MINUTES - at,
    }));
    const service = createListedService(
      ({ query }) =>
        [...(isThere ? [own] : []), ...history].filter(
          (one) => one.created_time >= Number(query['start_time'] ?? 0),
        ),
      pageMax,
    );
    const lookUp = createLookUp({
      budget: { admit: () => ({ admitted: true }), spend: () => {} } as never,
      dialect: dialectOf(pageMax),
      market: { now: () => decided - setBack },
      request: service.request,
    });
    const found = await lookUp({ ...emission('d1', buy), marketTime: decided }, 'key');
    expect(found).toEqual(isThere ? { kind: 'found', record: own } : { kind: 'missing' });
    expect(service.asked[0]!.query['start_time']).toSatisfy(Number.isInteger);
  });
});

test('by a real service a launch is found or missing behind more history than is read', async () => {
  const { client, controls, http, dialect } = await startPaper();
  const launch = async (name: string) => {
    const request = { symbol: 'BTC', side: 'buy', total_size: 0.01, algo: 'pacemaker' } as const;
    const params = { duration_seconds: 3_600 };
    const body = { ...request, params, client_execution_id: name };
    return client.executions.launch({ body, idempotencyKey: name });
  };
  for (let at = 0; at < 25; at++) await launch(`old-${at}`);
  const { time: former } = await client.account.get();
  const { time: decided } = await controls.advance({ bars: 45, interval: '1m' });
  expect(decided).toBeGreaterThan(former + 4 * TEN_MINUTES);
  const { execution_id } = await launch('mine');
  const spent: unknown[] = [];
  const lookUp = createLookUp({
    budget: {
      admit: () => ({ admitted: true as const }),
      spend: (...all: unknown[]) => spent.push(all),
    } as never,
    dialect: { ...dialect, limits: { ...dialect.limits, pageMax: 1 } },
    market: { now: () => decided },
    request: (request) => http.request(request),
  });
  const at = { ...emission('d1', buy), marketTime: decided };
  expect(await lookUp(at, 'mine')).toMatchObject({ kind: 'found', record: { execution_id } });
  expect(await lookUp(at, 'never')).toEqual({ kind: 'missing' });
  // Two pages in all, each at the weight of a list with a range.
  expect(spent).toEqual([
    [5, 'lookup'],
    [5, 'lookup'],
  ]);
});

test('an executed order answered 502 is not resent because a gateway has no route', async () => {
  let isGatewayBack = false;
  const budget = { admit: () => ({ admitted: true as const }), spend: () => {} };
  const lookUp = createLookUp({
    budget: budget as never,
    dialect: dialectOf(500),
    market: { now: () => 0 },
    request: () =>
      isGatewayBack
        ? answered(200, { order_id: 'ord_1' })
        : raw(404, { message: 'no Route matched with those values' }),
  });
  const { env, pipe, sent, states, run } = setUpPipe([raw(502, { message: 'bad gateway' })], {
    lookUp,
  });
  env.queue.at(300_000, () => (isGatewayBack = true));
  pipe.submit(emission('d1', order));
  await run(299_000);
  expect(states()).not.toContain('absent');
  expect(states().at(-1)).toBe('unknown');
  await run(400_000);
  expect(states().at(-1)).toBe('accepted');
  expect(sent).toHaveLength(1);
});

describe('a code of a newer service', () => {
  const newer = answered(422, { error: { code: 'from_the_future', message: 'no' } });

  test.each(Object.entries(INTENTS))('ends %s once nothing is found', async (_, intent) => {
    const lookUp = async () => ({ kind: 'missing' }) as const;
    const { pipe, sent, events, run } = setUpPipe([newer], { lookUp });
    pipe.submit(emission('d1', intent));
    await run(1_000);
    expect(events.at(-1)?.state).toBe('unknown');
    await run(200_000);
    expect(events.at(-1)).toMatchObject({
      state: 'rejected',
      fault: { code: 'from_the_future' },
    });
    expect(sent).toHaveLength(1);
  });

  test('does not hide an execution', async () => {
    const lookUp = async () => ({ kind: 'found', record: { execution_id: 'exe_1' } }) as const;
    const { pipe, states, run } = setUpPipe([newer], { lookUp });
    pipe.submit(emission('d1', buy));
    await run(10_000);
    expect(states().at(-1)).toBe('accepted');
  });

  test('refuses at once what cannot add exposure', async () => {
    const { pipe, sent, states, run } = setUpPipe([newer]);
    pipe.submit(emission('d1', { kind: 'close_position', symbol: 'BTC', request: {} } as Intent));
    await run(1_000);
    expect([states().at(-1), sent.length]).toEqual(['rejected', 1]);
  });
});

const NAMED: Record<string, Intent> = {
  order: placeOrder.limit({
    symbol: 'BTC',
    side: 'buy',
    size: 1,
    price: 100,
    client_order_id: 'mine',
  }),
  launch: launch.pacemaker({
    symbol: 'BTC',
    side: 'buy',
    total_size: 1,
    params: { duration_seconds: 60 },
    client_execution_id: 'mine',
  }),
};
const TRACKED = placeOrder.limit({
  symbol: 'BTC',
  side: 'buy',
  size: 1,
  price_from: { indicator: 'ema', length: 20, interval: '1m', track: true },
  client_order_id: 'mine',
} as never);

describe.each(Object.entries(NAMED))(
  'a record under an id that a strategy gave its %s',
  (name, intent) => {
    const ours = idempotencyKeyOf('d1', 1);
    const ids = {
      order_id: 'o',
      client_order_id: 'mine',
      execution_id: 'e',
      client_execution_id: 'mine',
    };
    const recordOf = (key: unknown) => ({ ...ids, idempotency_key: key });
    const kindOf = async (key: unknown, asked = intent, own = ours): Promise<string> => {
      const body = recordOf(key);
      const { lookUp } = setUp(() =>
        raw(200, asked.kind === 'launch' ? { items: [body], next_cursor: null } : body),
      );
      return (await lookUp(emission('d1', asked), own)).kind;
    };

    test.each([
      [ours, 'found', 'the decision’s own key'],
      [idempotencyKeyOf('d1', 0), 'found', 'the key of its former generation'],
      [idempotencyKeyOf('d2', 0), 'taken', 'another decision’s key'],
      ['by-hand', 'taken', 'a key that is not the bot’s'],
      [null, 'found', 'no key'],
      ['', 'found', 'an empty key'],
      [undefined, 'found', 'no such field'],
      [7, 'found', 'what is no key'],
    ])('with the key %s is %s: %s', async (key: unknown, kind: string, _what: string) => {
      expect(await kindOf(key)).toBe(kind);
    });

    test('is of its decision under the key of any former generation, and of none that is still to come', async () => {
      const kinds: string[] = [];
      for (const generation of [0, 1, 2, 3, 4]) {
        const third = idempotencyKeyOf('d1', 3);
        kinds.push(await kindOf(idempotencyKeyOf('d1', generation), undefined, third));
      }
      expect(kinds).toEqual(['found', 'found', 'found', 'found', 'taken']);
    });

    test('is not judged by its key where the strategy gave none', async () => {
      const { lookUp } = setUp(() =>
        raw(
          200,
          name === 'launch'
            ? {
                items: [{ execution_id: 'e', client_execution_id: ours, idempotency_key: 'other' }],
                next_cursor: null,
              }
            : { order_id: 'o', client_order_id: ours, idempotency_key: 'other' },
        ),
      );
      expect((await lookUp(emission('d1', name === 'launch' ? buy : order), ours)).kind).toBe(
        'found',
      );
    });

    test('is not judged by its key where the service makes the order anew as it moves it', async () => {
      if (name === 'order') expect(await kindOf('the service’s', TRACKED)).toBe('found');
    });
  },
);
