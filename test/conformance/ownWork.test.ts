/** What a run leaves on a service: nothing, or a line for each thing that it could not end. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runConformance, type ClauseId } from '../../src/conformance/index.ts';
import { createActor } from '../../src/conformance/kit/createActor.ts';
import { createOwnWork } from '../../src/conformance/kit/createOwnWork.ts';
import { Trace } from '../../src/conformance/kit/Trace.ts';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import type { PaperServer } from '../../src/paper/index.ts';
import { createPaperControls } from '../../src/wire/index.ts';
import { createTransport } from '../../src/wire/createTransport.ts';
import { runMain } from '../cli/runMain.ts';
import { startForward, type Forwarded, type Manner } from './startForward.ts';
import { startService } from './startService.ts';

const env = createLiveEnv();
let server: PaperServer;
let manner: Manner = {};
let front: Awaited<ReturnType<typeof startForward>>;
let directory: string;
let secretFile: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-own-work-'));
  secretFile = join(directory, 'secret');
});
afterAll(() => rm(directory, { recursive: true, force: true }));
beforeEach(async () => {
  server = await startService({ budget_clock: 'replay' });
  manner = {};
  front = await startForward(server.baseUrl, () => manner);
  await writeFile(secretFile, server.secret);
  await chmod(secretFile, 0o600);
});
afterEach(async () => {
  process.exitCode = undefined;
  await front.close();
  await server.close();
});

type Rows = Record<string, unknown>[];

/** A client with the run's key, or another one of the same wallet. */
function actor(more: object = {}, { keyId, secret } = server) {
  const transport = createTransport({ origin: server.baseUrl, env });
  return createActor({
    keyId,
    secret,
    wallet: '',
    prefix: '',
    dialect: defaultDialect,
    transport,
    env,
    trace: new Trace(),
    offsetMs: () => 0,
    waitForBudget: async () => {},
    ...more,
  });
}

/** What is at work on a wallet, by the ids of the service. */
async function atWork(by = actor()): Promise<string[]> {
  const rows = async (endpoint: Parameters<typeof by.call>[0]): Promise<Rows> =>
    (await by.call(endpoint)).body.items;
  const isLive = ({ status }: Rows[number]) => !['completed', 'stopped'].includes(String(status));
  return [
    ...(await rows('orders.list')).map((row) => row.order_id),
    ...(await rows('executions.list')).filter(isLive).map((row) => row.execution_id),
    ...(await rows('baskets.list')).filter(isLive).map((row) => row.basket_id),
    ...(await rows('monitors.list'))
      .filter(({ status }) => status === 'armed' || status === 'paused')
      .map((row) => row.monitor_id),
  ].map(String);
}

const far = { symbol: 'BTC', side: 'buy', size: 0.01 };
const resting = { ...far, order_type: 'limit', price: 40_000 };
const launch = {
  algo: 'pacemaker',
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.1,
  params: { duration_seconds: 600, slices: 5, limit_price: 40_000 },
};
const monitor = {
  trigger: { type: 'price_level', symbol: 'BTC', price: 30_000, direction: 'below' },
  action: { type: 'order', request: { ...far, order_type: 'market' } },
};

async function makeOne(by: ReturnType<typeof actor>, key: string): Promise<void> {
  await by.call('orders.place', { body: resting });
  await by.call('executions.launch', { body: launch, idempotencyKey: key });
  await by.call('baskets.launch', { body: { legs: [launch, launch] } });
  await by.call('monitors.create', { body: monitor });
}

test('each kind of work is ended, and nothing that another key has on the wallet', async () => {
  await makeOne(actor(), 'theirs');
  const theirs = await atWork();
  expect(theirs).toHaveLength(6);
  const work = createOwnWork();
  const me = actor({ onDealt: work.note });
  await makeOne(me, 'mine');
  expect(await atWork()).toHaveLength(12);
  expect(work.left()).toHaveLength(6);
  await work.end(me);
  expect((await atWork()).toSorted()).toEqual(theirs.toSorted());
  expect(work.left()).toEqual([]);
});

test('what a check has ended itself is asked for no more', async () => {
  const work = createOwnWork();
  const me = actor({ onDealt: work.note });
  const order = (await me.call('orders.place', { body: resting })).body;
  await me.call('orders.cancel', { params: { id: order.order_id } });
  const asked: string[] = [];
  const call: typeof me.call = (endpoint, more) => {
    asked.push(endpoint);
    return me.call(endpoint, more);
  };
  await work.end({ call });
  expect(asked).toEqual([]);
});

/** A run against a service without controls. */
function run(only: readonly ClauseId[], more: Partial<Parameters<typeof runConformance>[0]> = {}) {
  const { wsUrl, keyId, secret } = server;
  return runConformance({ baseUrl: front.baseUrl, wsUrl, keyId, secret, env, only, ...more });
}

const isPlace = ({ method, path }: Forwarded): boolean => method === 'POST' && path === '/v1/order';
/** A service that answers with another client id: the first check that places an order ends there. */
const forgetful = (request: Forwarded, body: unknown): unknown =>
  isPlace(request) ? { ...(body as object), client_order_id: 'other' } : body;

describe('at a service without controls', () => {
  test('a check that ends at a deviation leaves no order', async () => {
    manner = { answer: forgetful };
    const { summary, left, target } = await run(['ORD-1']);
    expect(target.paper).toBe(false);
    expect(summary.differs).toBe(1);
    expect(await atWork()).toEqual([]);
    expect(left).toEqual([]);
  });

  test('what could not be cancelled is named, with exit code 4', async () => {
    manner = {
      answer: forgetful,
      before: ({ method }) => (method === 'DELETE' ? 503 : undefined),
    };
    const json = join(directory, 'left.json');
    const { code, out, err } = await command('--only', 'ORD-1', '--json', json);
    const [order] = await atWork();
    expect(order).toBeDefined();
    expect(out).toContain(`Left on the service:\n  order ${order}, open when last seen`);
    expect(err).toContain(`order ${order}, open when last seen, could not be ended`);
    expect([code, err]).toEqual([4, expect.stringContaining('TRIMTAB_CONFORMANCE_UNENDED')]);
  });

  test('one that is cancelled without an answer is looked up', async () => {
    manner = {
      answer: (request, body) => (request.method === 'DELETE' ? null : forgetful(request, body)),
    };
    expect((await run(['ORD-1'])).left).toEqual([]);
    expect(await atWork()).toEqual([]);
  });

  test.each([
    ['was not answered', null],
    ['was accepted without an id', {}],
  ])('an order that %s may be at work', async (words, given) => {
    manner = { answer: (request, body) => (isPlace(request) ? given : body) };
    const { left } = await run(['ORD-1']);
    expect(left).toEqual([expect.stringContaining(`orders.place ${words}`)]);
    expect(left[0]).toContain('"order_type":"limit"');
  });

  test('an answer of a gateway proves no refusal', async () => {
    manner = { before: (request) => (isPlace(request) ? 502 : undefined) };
    const { left } = await run(['ORD-1']);
    expect(left).toEqual([expect.stringContaining('orders.place was answered with 502')]);
  });

  test('a refusal leaves nothing', async () => {
    expect((await run(['ORD-4', 'RULE-2', 'RULE-3', 'MON-1', 'BSK-1'])).left).toEqual([]);
    expect(await atWork()).toEqual([]);
  });

  test('what filled is named, and not sold', async () => {
    // Twice the mark: what should rest far below it crosses.
    const twice = (body: unknown) => ({
      ...(body as object),
      mark: (body as { mark: number }).mark * 2,
    });
    manner = {
      answer: (request, body) => (request.path.startsWith('/v1/price/') ? twice(body) : body),
    };
    const { left } = await run(['ORD-1']);
    expect(left).toEqual([
      expect.stringMatching(/^order \S+ filled: buy 0\.\d+ BTC, which the account/),
    ]);
    const { items } = (await actor().call('positions.list')).body;
    expect(items).toHaveLength(1);
  });

  test('an interrupted run ends what it has at work', async () => {
    const interrupt = new AbortController();
    let placed = 0;
    manner = {
      answer(request, body) {
        if (isPlace(request) && ++placed === 1) interrupt.abort();
        return body;
      },
    };
    const { clauses, left } = await run(['ORD-1', 'ORD-4'], { signal: interrupt.signal });
    expect(placed).toBe(1);
    expect(await atWork()).toEqual([]);
    expect(left).toEqual([]);
    const checks = clauses.flatMap((clause) => clause.checks);
    expect(checks.filter(({ result }) => result === 'holds')).toEqual([]);
    expect(checks.at(-1)).toMatchObject({ why: 'The run was interrupted.' });
  });

  test('so does Ctrl-C', async () => {
    manner = {
      answer(request, body) {
        if (isPlace(request)) process.emit('SIGINT');
        return body;
      },
    };
    const { code, out, err } = await command('--only', 'ORD-4');
    expect(await atWork()).toEqual([]);
    expect([code, err]).toEqual([130, expect.stringContaining('TRIMTAB_INTERRUPTED')]);
    expect(out).toContain('The run was interrupted.');
  });

  test('what an interrupted run could not end is named all the same, with exit code 4', async () => {
    manner = {
      answer(request, body) {
        if (isPlace(request)) process.emit('SIGINT');
        return body;
      },
      before: ({ method }) => (method === 'DELETE' ? 503 : undefined),
    };
    const { code, err } = await command('--only', 'ORD-4');
    const [order] = await atWork();
    expect(order).toBeDefined();
    expect(err).toContain(`order ${order}, open when last seen, could not be ended`);
    expect([code, err]).toEqual([4, expect.stringContaining('TRIMTAB_CONFORMANCE_UNENDED')]);
  });
});

function command(...flags: string[]) {
  const { wsUrl, keyId } = server;
  const to = ['--base-url', front.baseUrl, '--ws-url', wsUrl, '--key-id', keyId];
  return runMain('conformance', ...to, '--secret-file', secretFile, ...flags);
}

test('another machine needs --read-only or --write, and not both', async () => {
  const far = ['--base-url', 'https://service.example'];
  const { code, err } = await command(...far);
  expect(code).toBe(2);
  expect(err).toContain('--read-only sends nothing that writes; --write places orders');
  expect((await command('--read-only', '--write')).code).toBe(2);
});

describe('on a paper service', () => {
  const faults = [
    { kind: 'latency', ms: 1, match: 'GET /v1/algos' },
    { kind: 'error_503', match: 'POST /v1/webhooks', for_requests: 3 },
  ];

  test.each([false, true])(
    'speed and faults are put back, interrupted %s',
    async (isInterrupted) => {
      const controls = createPaperControls(server.baseUrl, env);
      await controls.addFaults(faults);
      await controls.speed(2);
      const interrupt = new AbortController();
      const { handleHttp } = server.core;
      let seen: unknown[] = [];
      server.core.handleHttp = (raw) => {
        seen = [server.replay.record().speed];
        if (isInterrupted && raw.target.startsWith('/v1/connections')) interrupt.abort();
        return handleHttp(raw);
      };
      const { baseUrl } = server;
      const { left } = await run(['CON-1', 'EXE-1'], { baseUrl, signal: interrupt.signal });
      server.core.handleHttp = handleHttp;
      expect(seen).toEqual([0]);
      expect(left).toEqual([]);
      expect(await controls.faults()).toEqual(faults);
      expect(await controls.replay()).toMatchObject({ state: 'running', speed: 2 });
      await controls.close();
    },
  );

  test("nothing is at work on the checks' own wallets", { timeout: 120_000 }, async () => {
    const controls = createPaperControls(server.baseUrl, env);
    await run(['MON-1', 'ORD-2', 'EXE-2', 'BSK-1'], { baseUrl: server.baseUrl });
    const { items } = (await actor().call('connections.list', { query: { limit: 500 } })).body;
    const found: string[] = [];
    for (const { id } of items) {
      const scopes = ['read'] as const;
      const key = await controls.createKey({ label: 'looks', scopes, connection_id: id });
      found.push(
        ...(await atWork(actor({}, { ...server, keyId: key.key_id, secret: key.secret }))),
      );
    }
    await controls.close();
    expect(items.length).toBeGreaterThan(3);
    expect(found).toEqual([]);
  });
});
