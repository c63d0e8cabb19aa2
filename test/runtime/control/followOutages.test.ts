import { NEVER, Subject } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createBudget } from '../../../src/budget/index.ts';
import { createVirtualEnv } from '../../../src/env/createVirtualEnv.ts';
import { followOutages, type OutagesOptions } from '../../../src/runtime/control/followOutages.ts';
import { createStreams } from '../../../src/streams/index.ts';
import { account, accountSnapshot, fill, position } from '../../streams/records.ts';
import { ScriptedLink } from '../../streams/ScriptedLink.ts';

const HOUR = 3_600_000;
const OVERLAP_MS = 60_000;

/** Follows what a link's wallet misses, until the test ends. */
async function follow(link: ScriptedLink, options: Partial<OutagesOptions> = {}) {
  const env = createVirtualEnv();
  const streams = createStreams({ link, env, defaultWallet: 'main' });
  await streams.open();
  const budget = createBudget({
    limit: 1_200,
    windowMs: 60_000,
    share: 1,
    reserveShare: 0.3,
    reserveFloor: 40,
    exitWeight: () => 0,
    now: () => env.clock.monotonicNow(),
  });
  const following = followOutages({
    streams,
    wallets: ['main'],
    env,
    market: link.market,
    budget,
    plan: { dialect: defaultDialect },
    request: link.request.bind(link),
    resyncMs: null,
    keyWatch: { accepted$: NEVER },
    ...options,
  });
  onTestFinished(() => following.unsubscribe());
  return { env, streams, budget, following };
}

test.each([1_000, 120_000, 600_000])(
  'fills missed while the service’s clock was set back by %d ms are read from before they were stamped',
  async (stepMs) => {
    const link = new ScriptedLink();
    const at = (time: number, changes: object = {}) =>
      accountSnapshot({ account: { ...account, time, ...changes } });
    link.snapshots = () => at(10 * HOUR);
    // The service has the fill; it answers what was asked for, as a service does.
    const missed = { ...fill('fill_1'), time: 10 * HOUR + 500 - stepMs };
    link.answer = ({ query }) => {
      const items = Number(query['start_time']) <= missed.time ? [missed] : [];
      return {
        kind: 'answered',
        response: { status: 200, headers: {}, body: { items, next_cursor: null } },
      };
    };
    const { env, streams } = await follow(link);
    const fills: string[] = [];
    streams.wallet('main').fills$.subscribe(({ fill_id: id }) => fills.push(id));

    // A fill passes unseen half a second later, after the step; the connection is back after five minutes.
    link.lose();
    env.queue.advanceTo(300_000);
    link.snapshots = () =>
      accountSnapshot({
        positions: [position(1)],
        account: { ...account, time: 10 * HOUR + 300_000 - stepMs, fees_paid: 0.01 },
      });
    link.reopen([{ channel: 'account.state', params: {} }]);
    await expect.poll(() => fills, { interval: 5 }).toEqual(['fill_1']);
    const starts = link.requests.map(({ query }) => Number(query['start_time']));
    expect(Math.min(...starts)).toBeGreaterThanOrEqual(10 * HOUR - stepMs - OVERLAP_MS);
  },
);

test.each([
  [0.05, true],
  [0.00005, false],
])('fees that no fill explains, %d of a hundred, are looked for: %s', async (unseen, isRead) => {
  const { link, streams } = await followLayers();
  let fees_paid = 100;
  let time = 10 * HOUR;
  const shown = () => accountSnapshot({ account: { ...account, time, fees_paid } });
  link.say({ channel: 'account.state', params: {} }, 'snapshot', shown());
  link.snapshots = shown;
  time += 60_000;
  fees_paid += unseen;
  streams.resync();
  expect(link.requests.map(({ endpoint }) => endpoint)).toEqual(isRead ? ['orders.fills'] : []);
});

describe('a read of the fills of an outage that is refused', () => {
  const ACCOUNT = { channel: 'account.state', params: {} };

  /** A wallet whose connection is lost for a while, in which one fill passes; reads are answered as they are told to. */
  async function missOne(fee: number) {
    const link = new ScriptedLink();
    const start = 10 * HOUR;
    let now = start;
    let paid = 0;
    const shown = () => accountSnapshot({ account: { ...account, time: now, fees_paid: paid } });
    link.snapshots = shown;
    const missed = { ...fill('fill_1'), time: start + 5_000, fee };
    const state = { isRefused: true, held: Promise.resolve() };
    link.answer = ({ query }) => {
      const items = Number(query['start_time']) <= missed.time ? [missed] : [];
      const error = { code: 'unknown_key', message: 'No such key.' };
      const response = state.isRefused
        ? { status: 401, headers: {}, body: { error, request_id: 'req_1' } }
        : { status: 200, headers: {}, body: { items, next_cursor: null } };
      return { kind: 'answered', response };
    };
    const accepted$ = new Subject<void>();
    const { env, streams } = await follow(link, {
      request: (request) => state.held.then(() => link.request(request)),
      keyWatch: { accepted$ },
    });
    const fills: string[] = [];
    streams.wallet('main').fills$.subscribe(({ fill_id: id }) => fills.push(id));
    const pass = async (ms: number): Promise<void> => {
      now += ms;
      for (let at = 0; at < 5; at++) {
        env.queue.advanceTo(env.queue.now() + ms / 5);
        await new Promise(setImmediate);
      }
    };
    link.lose();
    await pass(60_000);
    paid = fee;
    link.reopen([ACCOUNT]);
    await pass(60_000);
    expect(link.requests.length).toBeGreaterThan(0);
    expect(fills).toEqual([]);
    return { link, state, fills, accepted$, streams, pass };
  }

  test.each([0, 0.01])('is made again with the next account record, fee %d', async (fee) => {
    const { state, fills, streams, pass } = await missOne(fee);
    streams.resync();
    await pass(60_000);
    expect(fills).toEqual([]);
    state.isRefused = false;
    await pass(HOUR);
    streams.resync();
    await pass(60_000);
    expect(fills).toEqual(['fill_1']);
  });

  test('is made again once a key is accepted', async () => {
    const { link, state, fills, accepted$, pass } = await missOne(0.01);
    state.isRefused = false;
    accepted$.next();
    await pass(60_000);
    expect(fills).toEqual(['fill_1']);
    const reads = link.requests.length;
    accepted$.next();
    await pass(60_000);
    expect(link.requests).toHaveLength(reads);
  });

  test('leaves those of an outage that came meanwhile to the next read', async () => {
    const { link, state, fills, pass } = await missOne(0.01);
    const { promise, resolve } = Promise.withResolvers<void>();
    state.held = promise;
    const { answer } = link;
    link.answer = (request) => {
      const refused = answer(request);
      state.isRefused = false;
      return refused;
    };
    link.lose();
    link.reopen([ACCOUNT]);
    await pass(1_000);
    link.lose();
    link.reopen([ACCOUNT]);
    resolve();
    await pass(1_000);
    expect(fills).toEqual(['fill_1']);
  });
});

/** The layers that a bot knows, and a service that answers as it is told to. */
async function followLayers() {
  const link = new ScriptedLink();
  const answers: (object | undefined)[] = [];
  link.answer = () => {
    const layers = answers.shift();
    if (layers === undefined) return { kind: 'no_answer', reason: 'timeout' };
    const body = { status: 'ok', server_time: 1, version: '1', layers };
    return { kind: 'answered', response: { status: 200, headers: {}, body } };
  };
  const { env, streams, budget, following } = await follow(link);
  const layers: unknown[] = [];
  streams.connectivity$.subscribe((one) => layers.push(one));
  const meta = { channel: '_meta', params: {} };
  const advance = async (ms: number): Promise<void> => {
    for (const end = env.queue.now() + ms; env.queue.now() < end;) {
      env.queue.advanceTo(Math.min(end, env.queue.now() + 1_000));
      await new Promise(setImmediate);
    }
  };
  return { link, streams, budget, answers, layers, meta, advance, following };
}

test.each([
  ['degraded', 'recovered', { orders: 'ok', algos: 'degraded' }],
  ['recovered', 'degraded', { orders: 'degraded', algos: 'ok' }],
])(
  'STR-4: a lost frame that %s is made up for, whatever the next frame is',
  async (next, lost, known) => {
    const { link, answers, layers, meta, advance } = await followLayers();
    const connectivity = {
      orders: 'degraded',
      algos: 'degraded',
      ...(lost === 'degraded' && { orders: 'ok' }),
    };
    link.say(meta, 'welcome', { connectivity, server_time: 1 });
    answers.push(known);
    link.next(meta, lost, { layer: 'orders', detail: '' });
    link.say(meta, next, { layer: 'algos', detail: '' });
    await advance(1_000);
    expect(layers.at(-1)).toEqual(known);
    expect(link.requests).toHaveLength(1);
  },
);

test('STR-4: layers that could not be read are read again soon, and ever less often', async () => {
  const { link, budget, answers, layers, meta, advance, following } = await followLayers();
  const connectivity = { orders: 'degraded' };
  link.say(meta, 'welcome', { connectivity, server_time: 1 });
  // Reads have no room now.
  budget.spend(1_190, 'entry');
  link.next(meta, 'recovered', { layer: 'orders', detail: '' });
  link.say(meta, 'degraded', { layer: 'algos', detail: '' });
  await advance(1_000);
  expect(link.requests).toHaveLength(0);
  await advance(80_000);
  expect(link.requests).toHaveLength(1);
  answers.push({ orders: 'ok', algos: 'degraded' });
  await advance(65_000);
  expect(layers.at(-1)).toEqual({ orders: 'ok', algos: 'degraded' });
  await advance(600_000);
  expect(link.requests).toHaveLength(2);
  following.unsubscribe();
});

test('STR-4: after a gap in _meta the layers are read, since a lost recovery would close the gate for good', async () => {
  const link = new ScriptedLink();
  link.answer = () => ({
    kind: 'answered',
    response: {
      status: 200,
      headers: {},
      body: { status: 'ok', server_time: 1, version: '1', layers: { orders: 'ok' } },
    },
  });
  const { streams } = await follow(link);
  const layers: unknown[] = [];
  streams.connectivity$.subscribe((one) => layers.push(one));
  const meta = { channel: '_meta', params: {} };
  link.say(meta, 'welcome', { connectivity: { orders: 'ok' }, server_time: 1 });
  link.say(meta, 'degraded', { layer: 'orders', detail: '' });
  link.next(meta, 'recovered', { layer: 'orders', detail: '' });
  link.say(meta, 'advanced', { to_time: 1 });
  await expect.poll(() => layers.at(-1), { interval: 5 }).toEqual({ orders: 'ok' });
  expect(layers).toContainEqual({ orders: 'degraded' });
  expect(link.requests.map(({ endpoint }) => endpoint)).toEqual(['utility.status']);
});

test('STR-4: account and layers are asked for again each time that a check is due, until it is over', async () => {
  const link = new ScriptedLink();
  link.snapshots = () => accountSnapshot();
  const body = { status: 'ok', server_time: 1, version: '1', layers: { orders: 'degraded' } };
  link.answer = () => ({ kind: 'answered', response: { status: 200, headers: {}, body } });
  const { env, streams, following } = await follow(link, { resyncMs: 60_000 });
  const shown: unknown[] = [];
  streams.connectivity$.subscribe((one) => shown.push(one));
  const meta = { channel: '_meta', params: {} };
  link.say(meta, 'welcome', { connectivity: { orders: 'ok' }, server_time: 1 });
  // It is lost without a trace: no frame follows it.
  link.next(meta, 'degraded', { layer: 'orders', detail: '' });
  const asked = () => [
    link.asked.filter((one) => one.startsWith('+ account.state')).length,
    link.requests.map(({ endpoint }) => endpoint).join(' '),
  ];
  const before = asked()[0] as number;
  for (const times of [1, 2]) {
    env.queue.advanceTo(env.queue.now() + 59_999);
    expect(asked()[0]).toBe(before + times - 1);
    env.queue.advanceTo(env.queue.now() + 1);
    await Promise.resolve();
    const reads = Array.from({ length: times }, () => 'utility.status').join(' ');
    expect(asked()).toEqual([before + times, reads]);
  }
  await expect.poll(() => shown.at(-1), { interval: 5 }).toEqual(body.layers);
  following.unsubscribe();
  env.queue.advanceTo(env.queue.now() + 600_000);
  expect(asked()[0]).toBe(before + 2);
});
