/** What the wire link asks of its socket and its HTTP client, both in a test's hands. */
import { expect, test } from 'vitest';
import type { ServerFrame, ServiceRequest } from '../../../src/contract/index.ts';
import { createVirtualEnv, type LinkFault, type LinkStatus } from '../../../src/env/index.ts';
import { createWireLink } from '../../../src/runtime/links/createWireLink.ts';
import type { WireLinkOptions } from '../../../src/runtime/links/createWireLink.ts';

const TRADES = { channel: 'monitors', params: { wallet: 'main' } } as const;
const ROWS = { channel: 'tpsl.watch', params: { wallet: 'main' } } as const;

function open() {
  const env = createVirtualEnv();
  const sent: Array<{ id: string; op: string; channel: string }> = [];
  const commands: unknown[] = [];
  const requests: ServiceRequest[] = [];
  const faults: LinkFault[] = [];
  const statuses: Array<[string, number]> = [];
  let isUp = false;
  let connected: Parameters<WireLinkOptions['socket']['open']>[0] | undefined;
  const socket = {
    open: (listener: typeof connected) => void (connected = listener),
    send(message: (typeof sent)[number]) {
      if (isUp) sent.push(message);
      return isUp;
    },
    command: (...args: unknown[]) => {
      commands.push(args);
      return Promise.resolve({ kind: 'not_sent', reason: 'a test' });
    },
    close: () => Promise.resolve(),
  } as unknown as WireLinkOptions['socket'];
  const http = {
    request: (request: ServiceRequest) => {
      requests.push(request);
      return Promise.resolve({ kind: 'not_sent', reason: 'a test' });
    },
    close: () => Promise.resolve(),
  } as unknown as WireLinkOptions['http'];
  const link = createWireLink({ http, socket, env, market: 'frames' });
  void link.open({
    onFrame: () => {},
    onFault: (fault) => void faults.push(fault),
    onStatus: ({ state }) => void statuses.push([state, sent.length]),
  });
  const follow = (status: LinkStatus): void => {
    isUp = status.state === 'open';
    connected!.onStatus(status);
  };
  return {
    link,
    sent,
    commands,
    requests,
    faults,
    statuses,
    up: () => follow({ state: 'open' } as LinkStatus),
    lose: () => follow({ state: 'lost', reason: 'a test' } as unknown as LinkStatus),
    pass: (ms: number) => env.queue.advanceTo(env.queue.now() + ms),
    ack: (id: string) =>
      connected!.onFrame({ kind: 'ack', frame: { type: 'ack', id } } as ServerFrame),
    refuse: (id: string, code: string, details: object = {}) =>
      connected!.onFrame({
        kind: 'error',
        frame: { type: 'error', id, error: { code, message: '', details } },
      } as unknown as ServerFrame),
    asked: () => sent.map(({ op, channel }) => `${op} ${channel}`),
    lastId: () => sent.at(-1)!.id,
  };
}

test('a subscription is asked for on each connection, before whoever listens hears of it', () => {
  const run = open();
  run.link.subscribe(TRADES);
  expect(run.asked()).toEqual([]);
  run.up();
  run.link.subscribe(ROWS);
  run.lose();
  run.link.unsubscribe(TRADES);
  run.up();
  expect(run.asked()).toEqual([
    'subscribe monitors',
    'subscribe tpsl.watch',
    'subscribe tpsl.watch',
  ]);
  expect(run.statuses).toEqual([
    ['open', 1],
    ['lost', 2],
    ['open', 3],
  ]);
  // Nobody subscribed to it any more.
  run.link.unsubscribe(TRADES);
  expect(run.sent).toHaveLength(3);
  run.link.unsubscribe(ROWS);
  expect(run.asked().at(-1)).toBe('unsubscribe tpsl.watch');
});

test('a refusal is of the subscription that is still to be answered on this connection', () => {
  const run = open();
  run.up();
  run.link.subscribe(TRADES);
  const first = run.lastId();
  run.ack(first);
  run.refuse(first, 'unknown_wallet');
  expect(run.faults).toEqual([]);
  run.link.subscribe(ROWS);
  const second = run.lastId();
  run.lose();
  run.refuse(second, 'unknown_wallet');
  expect(run.faults).toEqual([]);
  run.up();
  run.refuse(run.lastId(), 'unknown_wallet');
  expect(run.faults).toMatchObject([
    { kind: 'refused', subscription: ROWS, error: { code: 'unknown_wallet' } },
  ]);
  expect(run.faults[0]).not.toHaveProperty('isAskedAgain');
  // Of one refusal there is one fault, and what is refused for good is not asked for again.
  run.refuse(run.lastId(), 'unknown_wallet');
  run.pass(600_000);
  expect(run.faults).toHaveLength(1);
  expect(run.sent).toHaveLength(4);
});

test.each([
  [{ retry_after_seconds: 7 }, 7_000],
  [{ retry_after_seconds: 0 }, 1_000],
  // No figure at all, and one that nobody would wait for.
  [{ retry_after_seconds: -1 }, 1_000],
  [{ retry_after_seconds: 86_400 }, 300_000],
  [{}, 1_000],
])(
  'LIM-2: what an exhausted budget refuses is asked for again after its time: %o',
  (details, ms) => {
    const run = open();
    run.up();
    run.link.subscribe(TRADES);
    run.refuse(run.lastId(), 'rate_limited', details);
    run.pass(ms - 1);
    expect(run.sent).toHaveLength(1);
    run.pass(1);
    expect(run.asked()).toEqual(['subscribe monitors', 'subscribe monitors']);
  },
);

test.each(['internal', 'venue_unavailable', 'service_starting'])(
  'a service in trouble is asked again, after 1 s to 30 s: %s',
  (code) => {
    const run = open();
    run.up();
    run.link.subscribe(TRADES);
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      const { length } = run.sent;
      run.refuse(run.lastId(), code);
      expect(run.faults.at(-1)).toMatchObject({ kind: 'refused', isAskedAgain: true });
      run.pass(seconds * 1_000 - 1);
      expect(run.sent).toHaveLength(length);
      run.pass(1);
      expect(run.asked().slice(length)).toEqual(['subscribe monitors']);
    }
    // An answer ends the trouble; a figure is kept to.
    run.ack(run.lastId());
    for (const [details, ms] of [
      [{}, 1_000],
      [{ retry_after_seconds: 7 }, 7_000],
    ] as const) {
      run.link.subscribe(TRADES);
      const { length } = run.sent;
      run.refuse(run.lastId(), code, details);
      run.pass(ms - 1);
      expect(run.sent).toHaveLength(length);
      run.pass(1);
      expect(run.sent).toHaveLength(length + 1);
    }
  },
);

test('one subscription is asked for once after a while, however often it was refused', () => {
  const run = open();
  run.up();
  run.link.subscribe(TRADES);
  run.link.subscribe(TRADES);
  run.link.subscribe(ROWS);
  for (const { id } of run.sent) run.refuse(id, 'internal');
  run.pass(10_000);
  expect(run.asked().slice(3)).toEqual(['subscribe tpsl.watch', 'subscribe monitors']);
});

test('what waits to be asked for again is not, once somebody else’s request was answered', () => {
  const run = open();
  run.up();
  run.link.subscribe(TRADES);
  run.refuse(run.lastId(), 'rate_limited', { retry_after_seconds: 20 });
  run.pass(5_000);
  run.link.subscribe(TRADES);
  run.ack(run.lastId());
  const known = run.asked();
  run.pass(60_000);
  expect(run.asked()).toEqual(known);
});

test('what nobody wanted when its wait was over begins with the shortest wait when it is wanted again', () => {
  const run = open();
  run.up();
  run.link.subscribe(TRADES);
  run.link.subscribe(ROWS);
  for (const { id } of run.sent) run.refuse(id, 'internal');
  run.link.unsubscribe(TRADES);
  run.pass(1_000);
  const rows = run.lastId();
  run.link.subscribe(TRADES);
  run.refuse(run.lastId(), 'internal');
  run.refuse(rows, 'internal');
  const { length } = run.sent;
  run.pass(1_000);
  expect(run.asked().slice(length)).toEqual(['subscribe monitors']);
  run.pass(1_000);
  expect(run.asked().slice(length)).toEqual(['subscribe monitors', 'subscribe tpsl.watch']);
});

test('what waits to be asked for again is asked for by the next connection instead', () => {
  const run = open();
  run.up();
  run.link.subscribe(TRADES);
  run.refuse(run.lastId(), 'rate_limited', { retry_after_seconds: 7 });
  run.lose();
  run.up();
  run.pass(60_000);
  expect(run.asked()).toEqual(['subscribe monitors', 'subscribe monitors']);
});

test.each([
  ['unsubscribed', (run: ReturnType<typeof open>) => run.link.unsubscribe(TRADES)],
  ['closed', (run: ReturnType<typeof open>) => void run.link.close()],
])('what is %s meanwhile is not asked for again', (_name, end) => {
  const run = open();
  run.up();
  run.link.subscribe(TRADES);
  run.refuse(run.lastId(), 'rate_limited', { retry_after_seconds: 7 });
  end(run);
  const known = run.asked();
  run.pass(60_000);
  expect(run.asked()).toEqual(known);
});

test('STR-6: a request goes over the socket if it is to and is a command, with all of it in its args', async () => {
  const run = open();
  run.up();
  const request = (more: Partial<ServiceRequest>): ServiceRequest => ({
    endpoint: 'orders.modify',
    pathParams: { id: 'ord_1' },
    query: {},
    body: '{"price":99}',
    wallet: 'side',
    idempotencyKey: 'key-1',
    ...more,
  });
  await run.link.request(request({ via: 'socket' }));
  await run.link.request(
    request({
      endpoint: 'orders.list',
      pathParams: {},
      query: { limit: 5 },
      body: '',
      via: 'socket',
    }),
  );
  const named = { wallet: 'side', idempotencyKey: 'key-1' };
  expect(run.commands).toEqual([
    ['modify_order', { price: 99, id: 'ord_1' }, named],
    ['get_orders', { limit: 5 }, named],
  ]);
  expect(run.requests).toEqual([]);
  const others = [
    request({}),
    request({ via: 'rest' } as Partial<ServiceRequest>),
    request({ endpoint: 'connections.list', via: 'socket' }),
  ];
  for (const one of others) await run.link.request(one);
  expect(run.requests).toEqual(others);
  expect(run.commands).toHaveLength(2);
});
