import { describe, expect, test } from 'vitest';
import { createBudget } from '../../../src/budget/index.ts';
import type { Exchange, ServiceRequest } from '../../../src/contract/index.ts';
import {
  attachTpsl,
  modifyOrder,
  retireTpsl,
  setLeverage,
  stopLoss,
  takeProfit,
  type Intent,
} from '../../../src/intents/index.ts';
import { effectOf } from '../../../src/intents/effectOf.ts';
import { toServiceRequest } from '../../../src/intents/toServiceRequest.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import type { PipeOptions } from '../../../src/runtime/pipe/Pipe.ts';
import { createSettings } from '../../../src/runtime/pipe/createSettings.ts';
import { laneOf } from '../../../src/runtime/pipe/laneOf.ts';
import { answered, emission, rateLimited, setUpPipe, silence } from '../setUpPipe.ts';

/**
 * A pipe whose requests are those of its intents.
 *
 * @param target the one name of what each changes
 */
function setUp(
  answerOf: (request: ServiceRequest, attempt: number) => Exchange | Promise<Exchange>,
  target?: string,
  more: Partial<PipeOptions> = {},
  store = createMemoryStore(),
) {
  const sent: string[] = [];
  const keys = new Map<string, Set<string>>();
  const attempts = new Map<string, number>();
  const over: Partial<PipeOptions> = {
    concurrency: 4,
    prepare({ intent }, key) {
      const context = { idempotencyKey: key, resolve: (_kind: string, ref: string) => ref };
      const made = toServiceRequest(intent, context);
      if (!made.ok) return made;
      const effect = effectOf(intent);
      const verdict = { passed: true, passedGuards: [] } as const;
      const parts = { lane: laneOf(effect), weight: 2, opens: !effect.isExit, verdict, target };
      return { ok: true, prepared: { request: made.request, ...parts } };
    },
    send(request) {
      const key = request.idempotencyKey ?? '';
      const attempt = (attempts.get(key) ?? 0) + 1;
      attempts.set(key, attempt);
      sent.push(`${request.endpoint} ${request.body}`);
      keys.set(key, (keys.get(key) ?? new Set()).add(request.body));
      return answerOf(request, attempt);
    },
    ...more,
  };
  return { ...setUpPipe([silence], over, store), sent, keys };
}

const stopAt = (price: number): Intent => attachTpsl('BTC', { stop_loss: stopLoss.price(price) });
const attached = (price: number): string => `positions.attachLegs {"stop_loss":{"price":${price}}}`;
const RETIRED = 'positions.retireLegs ';
const at = ({ events }: ReturnType<typeof setUp>, name: string): string[] =>
  events.filter(({ emission: { decisionKey } }) => decisionKey === name).map(({ state }) => state);

test('an unanswered stop is not resent once a later one was sent', async () => {
  const pipe = setUp(({ body }) => (body.includes('90') ? silence : answered(200)));
  pipe.pipe.submit(emission('old', stopAt(90)));
  await pipe.run(1);
  pipe.pipe.submit(emission('new', stopAt(95)));
  await pipe.run(120_000);
  expect(pipe.sent).toEqual([attached(90), attached(95)]);
  expect(at(pipe, 'old').at(-1)).toBe('unresolved');
  expect(at(pipe, 'new').at(-1)).toBe('accepted');
});

describe('of a request of two fields, what no later one has set is still sent', () => {
  const broken: Exchange = { kind: 'not_sent', reason: 'no connection' };
  const pair = attachTpsl('BTC', {
    stop_loss: stopLoss.price(90),
    take_profit: takeProfit.price(120),
  });
  const target = attachTpsl('BTC', { take_profit: takeProfit.price(125) });
  const sized = modifyOrder({ order_id: 'o1' }, { size: 2, price: 90 });
  const moved = modifyOrder({ order_id: 'o1' }, { price: 95 });
  const TARGET = 'positions.attachLegs {"take_profit":{"price":125}}';

  test.each([
    ['a stop whose target moved', pair, target, attached(90), TARGET],
    ['a size', sized, moved, 'orders.modify {"size":2}', 'orders.modify {"price":95}'],
  ])('%s', async (_name, both, one, rest, later) => {
    for (const ended of [broken, rateLimited, silence]) {
      let count = 0;
      const pipe = setUp(() => (count++ === 0 ? ended : answered(200)));
      pipe.pipe.submit(emission('both', both));
      await pipe.run(1);
      pipe.pipe.submit(emission('one', one));
      await pipe.run(120_000);
      // After a 429 all wait, and leave in the order in which they were decided.
      const last = ended === rateLimited ? [pipe.sent[0], later] : [later, rest];
      expect(pipe.sent.slice(1)).toEqual(last);
      expect([at(pipe, 'both').at(-1), at(pipe, 'one').at(-1)]).toEqual(['accepted', 'accepted']);
      // AUTH-6: a service that has the first attempt would refuse other bytes under its key.
      expect([...pipe.keys.values()].every(({ size }) => size === 1)).toBe(true);
      // The next process would send the same bytes under the same key.
      const { key } = pipe.events.find(({ emission: of }) => of.decisionKey === 'both')!;
      const journaled = pipe.journal.store.entries(key).flatMap(({ state, data }) => {
        if (state !== 'sending') return [];
        const { body, idempotencyKey = key } = JSON.parse(data) as Record<string, string>;
        return [[idempotencyKey, body]];
      });
      const leaving = [...pipe.keys].flatMap(([of, bodies]) =>
        [...bodies].map((body) => [of, body]),
      );
      expect(leaving).toEqual(expect.arrayContaining(journaled));
    }
  });

  test('and all of it once the later one is refused', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<Exchange>();
    let isRefused = false;
    const pipe = setUp(({ body }) => {
      if (body.includes('125')) return promise;
      return isRefused ? answered(200) : broken;
    });
    pipe.pipe.submit(emission('both', pair));
    await pipe.run(1);
    pipe.pipe.submit(emission('one', target));
    await pipe.run(2_000);
    const whole = 'positions.attachLegs {"stop_loss":{"price":90},"take_profit":{"price":120}}';
    expect(pipe.sent.slice(0, 3)).toEqual([whole, TARGET, attached(90)]);
    isRefused = true;
    answer(answered(422, { error: { code: 'wrong_side_trigger', message: '' } }));
    await pipe.run(120_000);
    expect(pipe.sent.at(-1)).toBe(whole);
    expect([at(pipe, 'both').at(-1), at(pipe, 'one').at(-1)]).toEqual(['accepted', 'rejected']);
    expect([...pipe.keys.values()].every(({ size }) => size === 1)).toBe(true);
  });

  test('also while the journal writes what it would have sent', async () => {
    const store = createMemoryStore();
    const { promise, resolve: release } = Promise.withResolvers<void>();
    let writes = 0;
    const append: typeof store.append = (appended) => {
      const written = store.append(appended);
      return appended.entries.some(({ state }) => state === 'sending') && ++writes === 1
        ? promise
        : written;
    };
    const pipe = setUp(() => answered(200), undefined, {}, { ...store, append });
    pipe.pipe.submit(emission('both', pair));
    await pipe.run(1);
    pipe.pipe.submit(emission('one', target));
    await pipe.run(1_000);
    expect(pipe.sent).toEqual([TARGET]);
    release();
    await pipe.run(120_000);
    expect(pipe.sent).toEqual([TARGET, attached(90)]);
    const { key } = pipe.events.find(({ emission: of }) => of.decisionKey === 'both')!;
    const data = store.entries(key).findLast(({ state }) => state === 'sending')!.data;
    expect(JSON.parse(data)).toMatchObject({ body: '{"stop_loss":{"price":90}}' });
  });
});

test('a leg removal is not resent once other legs are attached', async () => {
  const pipe = setUp(({ endpoint }) =>
    endpoint === 'positions.retireLegs' ? silence : answered(200),
  );
  pipe.pipe.submit(emission('off', retireTpsl('BTC')));
  await pipe.run(1);
  pipe.pipe.submit(emission('on', stopAt(95)));
  await pipe.run(120_000);
  expect(pipe.sent).toEqual([RETIRED, attached(95)]);
});

test('a refused one sets nothing, and other fields, symbols and wallets do not count', async () => {
  const refusal = answered(422, { error: { code: 'wrong_side_trigger', message: '' } });
  const pipe = setUp(({ body }, attempt) => {
    if (body.includes('99')) return refusal;
    return body.includes('90') && attempt === 1 ? silence : answered(200);
  });
  pipe.pipe.submit(emission('old', stopAt(90)));
  await pipe.run(1);
  pipe.pipe.submit(emission('refused', stopAt(99)));
  pipe.pipe.submit(emission('target', attachTpsl('BTC', { take_profit: takeProfit.price(120) })));
  pipe.pipe.submit(emission('other', attachTpsl('ETH', { stop_loss: stopLoss.price(95) })));
  pipe.pipe.submit({ ...emission('elsewhere', stopAt(95)), wallet: 'second' });
  await pipe.run(120_000);
  expect(at(pipe, 'old').at(-1)).toBe('accepted');
  expect(pipe.sent.filter((one) => one === attached(90))).toHaveLength(2);
});

test('an unsent change yields too, such as one whose connection broke', async () => {
  const broken: Exchange = { kind: 'not_sent', reason: 'no connection' };
  const pipe = setUp(({ body }) => (body.includes('90') ? broken : answered(200)));
  const change = (price: number): Intent => modifyOrder({ order_id: 'o1' }, { price });
  pipe.pipe.submit(emission('old', change(90)));
  await pipe.run(1);
  pipe.pipe.submit(emission('new', change(95)));
  await pipe.run(120_000);
  expect(pipe.sent).toEqual(['orders.modify {"price":90}', 'orders.modify {"price":95}']);
  expect(at(pipe, 'old').at(-1)).toBe('expired');
});

test('changes of one setting are sent one at a time, and nothing else waits', async () => {
  const first = Promise.withResolvers<Exchange>();
  const pipe = setUp(({ endpoint }) =>
    endpoint === 'positions.retireLegs' ? first.promise : answered(200),
  );
  pipe.pipe.submit(emission('off', retireTpsl('BTC')));
  pipe.pipe.submit(emission('on', stopAt(95)));
  pipe.pipe.submit(emission('other', attachTpsl('ETH', { stop_loss: stopLoss.price(90) })));
  await pipe.run(10);
  expect(pipe.sent).toEqual([RETIRED, attached(90)]);
  first.resolve(answered(200));
  await pipe.run(20);
  expect(pipe.sent).toEqual([RETIRED, attached(90), attached(95)]);
});

test('an exit does not wait long for a hanging one', async () => {
  const pipe = setUp(({ body }) =>
    body.includes('90') ? new Promise<Exchange>(() => {}) : answered(200),
  );
  pipe.pipe.submit(emission('old', stopAt(90)));
  pipe.pipe.submit(emission('new', stopAt(95)));
  await pipe.run(400);
  expect(pipe.sent).toEqual([attached(90)]);
  await pipe.run(600);
  expect(pipe.sent).toEqual([attached(90), attached(95)]);
});

describe('one order under two names', () => {
  const byId = modifyOrder({ order_id: 'o1' }, { price: 90 });
  const byClient = modifyOrder({ client_order_id: 'key' }, { price: 95 });

  test.each([
    ['by its id', byId, byClient],
    ['by its client id', byClient, byId],
  ])('is not changed back by one that went unanswered %s', async (_name, earlier, later) => {
    let count = 0;
    const pipe = setUp(() => (count++ === 0 ? silence : answered(200)), 'client:key');
    pipe.pipe.submit(emission('old', earlier));
    await pipe.run(1);
    pipe.pipe.submit(emission('new', later));
    await pipe.run(120_000);
    expect(pipe.sent).toHaveLength(2);
    expect(at(pipe, 'old').at(-1)).toBe('unresolved');
    expect(at(pipe, 'new').at(-1)).toBe('accepted');
  });

  test('is changed one request at a time, and of those that wait by the last alone', async () => {
    const first = Promise.withResolvers<Exchange>();
    let count = 0;
    const pipe = setUp(() => (count++ === 0 ? first.promise : answered(200)), 'client:key');
    pipe.pipe.submit(emission('old', byId));
    await pipe.run(1);
    pipe.pipe.submit(emission('between', byId));
    pipe.pipe.submit(emission('new', byClient));
    await pipe.run(10);
    expect(pipe.sent).toHaveLength(1);
    first.resolve(answered(200));
    await pipe.run(20);
    expect(pipe.sent).toEqual(['orders.modify {"price":90}', 'orders.modify {"price":95}']);
    expect(at(pipe, 'between').at(-1)).toBe('expired');
  });
});

describe('a change that is put back into its lane after a 429', () => {
  const moveTo = (price: number): Intent => modifyOrder({ order_id: 'o1' }, { price });
  const lever = (leverage: number): Intent => setLeverage('BTC', { leverage, mode: 'cross' });

  test.each([
    ['a stop', stopAt(90), stopAt(95)],
    ['an order’s price', moveTo(90), moveTo(95)],
    ['a leverage', lever(3), lever(2)],
  ])('of %s does not drop the newer one that waits for it', async (_name, older, newer) => {
    const first = Promise.withResolvers<Exchange>();
    let count = 0;
    const pipe = setUp(() => (count++ === 0 ? first.promise : answered(200)));
    pipe.pipe.submit(emission('old', older));
    pipe.pipe.submit(emission('new', newer));
    await pipe.run(10);
    first.resolve(rateLimited);
    await pipe.run(120_000);
    expect(at(pipe, 'old').at(-1)).toBe('accepted');
    expect(at(pipe, 'new').at(-1)).toBe('accepted');
    expect(pipe.sent).toHaveLength(3);
    expect(pipe.sent.at(-1)).not.toBe(pipe.sent[0]);
  });
});

describe('the newest of three stands, which took the place of the oldest', () => {
  const broken: Exchange = { kind: 'not_sent', reason: 'no connection' };

  test.each([
    ['is accepted', answered(200)],
    ['gets a 429', rateLimited],
    ['was not sent', broken],
  ])('when the one between them %s', async (_name, ended) => {
    const between = Promise.withResolvers<Exchange>();
    const pipe = setUp(({ body }, attempt) => {
      if (body.includes('90')) return broken;
      return body.includes('95') && attempt === 1 ? between.promise : answered(200);
    });
    pipe.pipe.submit(emission('oldest', stopAt(90)));
    await pipe.run(1);
    pipe.pipe.submit(emission('between', stopAt(95)));
    // The oldest is put back, and waits for the one that is under way.
    await pipe.run(400);
    pipe.pipe.submit(emission('newest', stopAt(97)));
    between.resolve(ended);
    await pipe.run(120_000);
    expect(at(pipe, 'newest').at(-1)).toBe('accepted');
    expect(pipe.sent.at(-1)).toBe(attached(97));
  });
});

describe('an attempt that was certainly not executed sets nothing', () => {
  const refusal = answered(422, { error: { code: 'wrong_side_trigger', message: '' } });
  const broken: Exchange = { kind: 'not_sent', reason: 'no connection' };
  const early = answered(401, { error: { code: 'timestamp_out_of_window', message: '' } });

  test.each([
    ['a 429', rateLimited],
    ['a connection that broke', broken],
  ])('such as one ended by %s: an older change is not given up for it', async (_name, ended) => {
    const pipe = setUp(({ body }, attempt) => {
      if (body.includes('95')) return attempt <= 3 ? ended : refusal;
      return attempt === 1 ? broken : answered(200);
    });
    pipe.pipe.submit(emission('old', stopAt(90)));
    await pipe.run(1);
    pipe.pipe.submit(emission('new', stopAt(95)));
    await pipe.run(120_000);
    expect(at(pipe, 'new').at(-1)).toBe('rejected');
    expect(at(pipe, 'old').at(-1)).toBe('accepted');
  });

  test('such as one whose time was refused, while the budget has no room', async () => {
    const limits = { share: 1, reserveShare: 0, reserveFloor: 0, now: () => pipe.env.queue.now() };
    const budget = createBudget({ limit: 4, windowMs: 60_000, ...limits });
    const pipe: ReturnType<typeof setUp> = setUp(
      ({ body }, attempt) => {
        if (body.includes('95')) return attempt === 1 ? early : refusal;
        return attempt === 1 ? broken : answered(200);
      },
      undefined,
      { budget },
    );
    pipe.pipe.submit(emission('old', stopAt(90)));
    pipe.pipe.submit(emission('new', stopAt(95)));
    await pipe.run(240_000);
    expect(at(pipe, 'new').at(-1)).toBe('rejected');
    expect(at(pipe, 'old').at(-1)).toBe('accepted');
  });

  test('but counts as set if an earlier attempt of it went unanswered', async () => {
    const pipe = setUp(({ body }, attempt) => {
      if (body.includes('95')) return attempt === 1 ? silence : rateLimited;
      return attempt === 1 ? broken : answered(200);
    });
    pipe.pipe.submit(emission('old', stopAt(90)));
    await pipe.run(1);
    pipe.pipe.submit(emission('new', stopAt(95)));
    await pipe.run(120_000);
    expect(at(pipe, 'old').at(-1)).toBe('expired');
  });
});

test('what was set is known however much else was set since', () => {
  const settings = createSettings();
  const changeOf = (id: string, order: number) =>
    ({
      emission: { wallet: 'main' },
      order,
      request: { endpoint: 'orders.modify', pathParams: { id }, query: {}, body: '{"price":1}' },
    }) as never;
  settings.leaves(changeOf('ord_0', 1));
  for (let at = 1; at < 5_000; at++) settings.leaves(changeOf(`ord_${at}`, at + 1));
  expect(settings.remaining(changeOf('ord_0', 0))).toBeUndefined();
  expect(settings.remaining(changeOf('ord_0', 1))).toBeDefined();
});
