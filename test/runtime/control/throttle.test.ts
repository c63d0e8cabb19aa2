import { afterEach, expect, test } from 'vitest';
import {
  closePosition,
  launch,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import {
  createMemoryStore,
  type IntentState,
  type JournalStore,
} from '../../../src/journal/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { createThrottle } from '../../../src/runtime/control/createThrottle.ts';
import { openTwoWallets, STRATEGIES } from '../../operate/watchedBot.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { releaseThrottles } from '../../../src/runtime/index.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.01 });
const guards = { max_entries_per_hour: 2 };

async function openBot(server: TestServer, store: JournalStore): Promise<TestBot> {
  const reported = await openTestBot(server, { store, guards });
  await reported.step(2);
  return reported;
}

const outcomes = ({ events }: TestBot): string[] =>
  events.flatMap((item) =>
    item.kind === 'intent' && ['accepted', 'denied'].includes(item.event.state)
      ? [`${item.event.emission.intent.kind} ${item.event.guard ?? item.event.state}`]
      : [],
  );

async function propose(reported: TestBot, ...intents: Parameters<TestBot['propose']>[0][]) {
  for (const intent of intents) {
    reported.propose(intent);
    await reported.step(1);
  }
}

test('one entry too many latches the instance, across a restart, until an operator re-arms', async () => {
  const server = await openTestServer();
  open.push(server);
  const store = createMemoryStore();
  const first = await openBot(server, store);
  await propose(first, buy, buy, buy, closePosition.atMarket('BTC'));
  expect(outcomes(first)).toEqual([
    'place_order accepted',
    'place_order accepted',
    'place_order max_entries_per_hour',
    'close_position accepted',
  ]);
  expect(first.events.filter(({ kind }) => kind === 'throttled')).toEqual([
    {
      kind: 'throttled',
      instance: 'told',
      reason: '2 entries within an hour, the limit is 2; trimtab rearm lets it enter again',
    },
  ]);
  expect(store.latch('throttle told')?.value).toBe('on');
  await first.close();

  const second = await openBot(server, store);
  open.push(second);
  // The hour has passed, the latch remains.
  await second.step(70);
  await propose(second, buy);
  expect(outcomes(second)).toEqual(['place_order max_entries_per_hour']);
  await second.bot.rearm('looked at it');
  await propose(second, buy);
  expect(outcomes(second).at(-1)).toBe('place_order accepted');
  expect(store.latch('throttle told')).toMatchObject({ value: 'off', reason: 'looked at it' });
});

test('a repeatedly restarted bot keeps counting from its journal', async () => {
  const server = await openTestServer();
  open.push(server);
  const store = createMemoryStore();
  for (let life = 1; life <= 2; life++) {
    const reported = await openBot(server, store);
    await propose(reported, buy);
    expect(outcomes(reported)).toEqual(['place_order accepted']);
    await reported.close();
  }
  const third = await openBot(server, store);
  open.push(third);
  await propose(third, buy);
  expect(outcomes(third)).toEqual(['place_order max_entries_per_hour']);
});

test('and counts each strategy’s own, also of one that is not the first', async () => {
  const server = await openTwoWallets();
  open.push(server);
  const store = createMemoryStore();
  const lives: string[][] = [];
  for (let life = 0; life < 2; life++) {
    const reported = await openTestBot(server, { store, guards, strategies: STRATEGIES });
    open.push(reported);
    await reported.step(2);
    const before = reported.events.length;
    for (const [instance, symbol] of [
      ['first', 'BTC'],
      ['second', 'ETH'],
      ['second', 'ETH'],
    ] as const) {
      reported.propose(placeOrder.market({ symbol, side: 'buy', size: 0.02 }), instance);
      await reported.step(1);
    }
    lives.push(
      reported.events.slice(before).flatMap((item) => {
        if (item.kind !== 'intent' || !['accepted', 'denied'].includes(item.event.state)) return [];
        return [`${item.event.emission.instance} ${item.event.guard ?? item.event.state}`];
      }),
    );
    await reported.bot.stop();
  }
  expect(lives).toEqual([
    ['first accepted', 'second accepted', 'second accepted'],
    ['first accepted', 'second max_entries_per_hour', 'second max_entries_per_hour'],
  ]);
});

test('re-armed while it was stopped, it enters again at once: the hour before counts no more', async () => {
  const server = await openTestServer();
  open.push(server);
  const store = createMemoryStore();
  const first = await openBot(server, store);
  await propose(first, buy, buy, buy);
  await first.close();
  const asked = { instances: ['told', 'other'], reason: 'looked at it', time: 1 };
  expect(await releaseThrottles(store, asked)).toEqual(['told']);
  const second = await openBot(server, store);
  open.push(second);
  await propose(second, buy);
  expect(outcomes(second)).toEqual(['place_order accepted']);
});

test('entries older than an hour do not count', async () => {
  const server = await openTestServer();
  open.push(server);
  const reported = await openBot(server, createMemoryStore());
  open.push(reported);
  await propose(reported, buy, buy);
  await reported.step(60);
  await propose(reported, buy);
  expect(outcomes(reported)).toEqual(Array.from({ length: 3 }, () => 'place_order accepted'));
});

test('AUTH-4: a scope that the service refused is not requested again, except for an exit', async () => {
  const server = await openTestServer();
  open.push(server);
  const key = { label: 'narrow', scopes: ['read', 'trade'] };
  const { body } = await server.control('POST', '/paper/keys', key);
  const { key_id: keyId, secret } = body as { key_id: string; secret: string };
  const reported = await openTestBot({ ...server, keyId, secret });
  open.push(reported);
  await reported.step(2);
  const params = { duration_seconds: 60 };
  const entry = launch.pacemaker({ symbol: 'BTC', side: 'buy', total_size: 0.01, params });
  const exit = launch.pacemaker({
    symbol: 'BTC',
    side: 'sell',
    total_size: 0.01,
    params,
    reduce_only: true,
  });
  await propose(reported, entry, entry, exit);
  const said = reported.events.flatMap((item) => (item.kind === 'intent' ? [item.event] : []));
  const ends = said.filter(({ state }) => state === 'rejected' || state === 'denied');
  expect(ends.map(({ state, fault, guard }) => [state, fault?.code ?? guard])).toEqual([
    ['rejected', 'insufficient_scope'],
    ['denied', 'has_scopes'],
    ['rejected', 'insufficient_scope'],
  ]);
});

// A journal of months takes seconds to read whole, while a bot that trades stands still.
test('of the journal a re-arm reads the newest alone, and a start no more than the last hour', async () => {
  const memory = createMemoryStore();
  const { clock, queue, ...env } = createVirtualEnv({ startTime: 50 * 600_000 });
  for (let at = 1; at <= 50; at++) {
    const key = `key_${at}`;
    const time = at * 600_000;
    const step = { key, wallTime: time, marketTime: time, data: '{}' };
    const intent = JSON.stringify({ intent: buy, trigger: {} });
    const row = { key, decisionKey: key, generation: 0, instance: 'told', wallet: 'main' };
    const entries = (['emitted', 'guarded'] as const).map((state) => ({ ...step, state }));
    void memory.append({ intent: { ...row, kind: 'place_order', intent }, entries });
    void memory.append({
      entries: (['sending', 'accepted'] as const).map((state) => ({ ...step, state })),
    });
  }
  let read = 0;
  const store: JournalStore = {
    ...memory,
    intents: () => expect.fail('all of it is read'),
    *newestIntents() {
      for (const row of memory.newestIntents()) {
        read++;
        yield row;
      }
    },
  };
  const made = { store, env: { ...env, clock }, market: queue, limit: 9, instances: ['told'] };
  const throttle = createThrottle({ ...made, onTrip: () => {}, onFatal: expect.fail });
  throttle.restore();
  expect([throttle.recent('told'), read]).toEqual([6, 7]);
  read = 0;
  await throttle.rearm('looked at it');
  expect([throttle.recent('told'), read]).toEqual([0, 1]);
});

test('a re-arm that cannot be written lets nothing enter', async () => {
  const memory = createMemoryStore();
  let isAway = false;
  const { clock, queue, ...env } = createVirtualEnv();
  const throttle = createThrottle({
    store: {
      ...memory,
      setLatch: (name, latch) =>
        isAway ? Promise.reject(new Error('the database is away')) : memory.setLatch(name, latch),
    },
    env: { ...env, clock },
    market: queue,
    limit: 1,
    instances: ['told'],
    onTrip: () => {},
    onFatal: (error) => {
      throw error;
    },
  });
  throttle.trip('told', 'too many');
  isAway = true;
  await expect(throttle.rearm('looked at it')).rejects.toThrow('the database is away');
  expect(throttle.latched('told')).toBe('too many');
  isAway = false;
  const rearmed = throttle.rearm('looked at it');
  expect(throttle.latched('told')).toBe('too many');
  await rearmed;
  expect(throttle.latched('told')).toBeUndefined();
});

const moves = modifyOrder({ ref: 'one' }, { size: 2 });
const added = { added: [{ symbol: 'BTC', side: 'buy' }] };
const SENT: IntentState[] = ['emitted', 'guarded', 'sending'];

/** A store elsewhere may hold no more than the last step of an intent that is over. */
test.each<[string, Intent, IntentState[], object, number]>([
  ['accepted', buy, [...SENT, 'accepted'], {}, 1],
  ['accepted, by its last step alone', buy, ['accepted'], {}, 1],
  ['rejected', buy, [...SENT, 'rejected'], {}, 1],
  ['unknown', buy, [...SENT, 'unknown'], {}, 1],
  ['expired after its approval', buy, ['emitted', 'guarded', 'expired'], {}, 1],
  ['a change that adds', moves, [...SENT, 'accepted'], added, 1],
  ['a change that adds nothing', moves, [...SENT, 'accepted'], {}, 0],
  ['denied', buy, ['emitted', 'denied'], {}, 0],
  ['denied, by its last step alone', buy, ['denied'], {}, 0],
  ['still to be sent', buy, ['emitted', 'guarded'], {}, 0],
  ['expired as it waited for a row', buy, ['emitted', 'expired'], {}, 0],
  ['a close', closePosition.atMarket('BTC'), [...SENT, 'accepted'], {}, 0],
])(
  'of an earlier process counts what passed the guards: %s',
  (_what, intent, states, data, count) => {
    const { clock, queue, ...env } = createVirtualEnv({ startTime: 50 * 600_000 });
    const row = { key: 'k', decisionKey: 'k', generation: 0, instance: 'told', wallet: 'main' };
    const text = JSON.stringify({ intent, trigger: {} });
    const store = {
      ...createMemoryStore(),
      newestIntents: () => [{ ...row, kind: intent.kind, intent: text, state: states.at(-1)! }],
      entries: () =>
        states.map((state) => {
          const given = state === 'guarded' ? data : {};
          const time = queue.now() - 1_000;
          return { key: 'k', state, wallTime: time, marketTime: time, data: JSON.stringify(given) };
        }),
    };
    const made = { store, env: { ...env, clock }, market: queue, limit: 9, instances: ['told'] };
    const throttle = createThrottle({ ...made, onTrip: () => {}, onFatal: expect.fail });
    throttle.restore();
    expect(throttle.recent('told')).toBe(count);
  },
);
