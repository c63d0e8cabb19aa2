import { describe, expect, test } from 'vitest';
import type { BotEvent } from '../../src/runtime/BotEvent.ts';
import type { Exchange } from '../../src/contract/index.ts';
import { createMemoryStore, type JournalStore } from '../../src/journal/index.ts';
import { createBot } from '../../src/runtime/createBot.ts';
import { STOPPING } from '../../src/runtime/createOutlet.ts';
import type { KillLevel } from '../../src/runtime/control/killLevels.ts';
import type { StopPolicy } from '../../src/runtime/control/stopPolicy.ts';
import { openTestServer } from '../paper/server/openTestServer.ts';
import { account, position } from '../streams/records.ts';
import { openTestBot } from './openTestBot.ts';
import { setUpService } from './setUpParts.ts';
import { answered } from './setUpPipe.ts';

const WALLETS = ['main', 'side'];
const POLICIES: readonly StopPolicy[] = ['leave', 'pause', 'stop', 'flatten'];
const LEVELS: readonly KillLevel[] = ['L1', 'L2', 'L3', 'L4'];

/** Each of two wallets holds a position that its operator keeps, and a spot asset that others bought. */
function setUp({
  answer,
  ...given
}: Pick<NonNullable<Parameters<typeof setUpService>[0]>, 'store' | 'guards'> & {
  /** Default: the service accepts everything. */
  answer?: () => Exchange | undefined;
} = {}) {
  const service = setUpService({
    ...given,
    strategies: WALLETS.map((wallet) => ({ name: `of-${wallet}`, wallet })),
    decisions: WALLETS.map((wallet) => ({ kind: 'ignore', symbol: 'BTC', wallet }) as const),
  });
  const { link } = service.options;
  const bot = createBot({
    ...service.options,
    link: { ...link, request: (request) => answer?.() ?? link.request(request) },
  });
  const events: BotEvent[] = [];
  bot.events$.subscribe((event) => events.push(event));
  for (const wallet of WALLETS)
    bot.book(wallet).model({
      account: { ...account, wallet },
      positions: new Map([['BTC', position(1)]]),
      balances: new Map([['HYPE', { asset: 'HYPE', total: 3, available: 3, held: 0 }]]),
      openOrders: new Map(),
    } as never);
  /** What was reported as left, a line each. */
  const left = (): string[] => [
    ...service.warned.map(([, details]) => {
      const { wallet, symbol } = details as { wallet: string; symbol: string };
      return `${wallet} ${symbol}`;
    }),
    ...events.flatMap((one) =>
      one.kind === 'holding_left' ? [`${one.wallet} ${one.symbol}`] : [],
    ),
  ];
  return { ...service, bot, events, left };
}

const ALL = WALLETS.flatMap((wallet) => [`${wallet} BTC`, `${wallet} HYPE/USDC`]).toSorted();

describe.each(POLICIES)('a stop that says %s', (policy) => {
  test('closes the gate before it ends anything, unless it leaves everything', async () => {
    const { bot, events, pass } = setUp();
    const stopped = bot.stop({ policy });
    const closed = events.flatMap((one) => (one.kind === 'gate' ? one.reasons : []));
    expect(closed).toEqual(policy === 'leave' ? [] : [STOPPING]);
    await pass(10);
    await stopped;
  });

  test('reports what it leaves of every wallet if it closes positions', async () => {
    const { bot, left, pass } = setUp();
    const stopped = bot.stop({ policy });
    await pass(10);
    await stopped;
    expect(left().toSorted()).toEqual(policy === 'flatten' ? ALL : []);
  });
});

test.each(LEVELS)(
  'level %s reports what it leaves of every wallet if it closes positions',
  async (level) => {
    const { bot, left } = setUp();
    await bot.kill(level, 'a test');
    expect(left().toSorted()).toEqual(level === 'L3' ? ALL : []);
  },
);

test.each(['L2', 'L3'] as const)(
  'a stopped bot asks the service for nothing more, at level %s',
  async (level) => {
    const { bot, sent, pass } = setUp();
    await bot.kill(level, 'a test');
    await pass(3);
    const looked = sent.length;
    const stopped = bot.stop();
    await pass(10);
    await stopped;
    const asked = sent.length;
    await pass(120);
    expect(looked).toBeGreaterThan(0);
    expect(sent.length).toBe(asked);
  },
);

describe('a rearm', () => {
  test('leaves a kill in force that comes while the throttles are written', async () => {
    const memory = createMemoryStore();
    const name = 'throttle of-main';
    void memory.setLatch(name, { value: 'on', reason: 'too many', time: 0 });
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    const store: JournalStore = {
      ...memory,
      async setLatch(latch, state) {
        if (latch === name) await written;
        await memory.setLatch(latch, state);
      },
    };
    const { bot, pass } = setUp({ store, guards: { max_entries_per_hour: 3 } });
    await bot.kill('L1', 'a test');
    const rearmed = bot.rearm('go on');
    await pass(1);
    await bot.kill('L2', 'meanwhile');
    write();
    await rearmed;
    expect([bot.killLevel, store.latch('kill')?.value]).toEqual(['L2', 'L2']);
    expect(store.latch(name)?.value).toBe('off');
  });
});

describe('a pause of a strategy', () => {
  test('resolves once it is durable', async () => {
    const memory = createMemoryStore();
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    const setLatch: JournalStore['setLatch'] = (...latch) =>
      written.then(() => memory.setLatch(...latch));
    const { bot, pass } = setUp({ store: { ...memory, setLatch } });
    let isDone = false;
    const paused = bot.pauseStrategy('of-main', 'a test').then(() => (isDone = true));
    expect(bot.paused('of-main')).toBe('a test');
    await pass(1);
    expect(isDone).toBe(false);
    write();
    await paused;
  });

  test('that can’t be durable is in force, and says so', async () => {
    const setLatch = (): Promise<void> => Promise.reject(new Error('disk full'));
    const { bot } = setUp({ store: { ...createMemoryStore(), setLatch } });
    await expect(bot.pauseStrategy('of-main', 'a test')).rejects.toThrow('disk full');
    expect(bot.paused('of-main')).toBe('a test');
  });
});

test('that a rotation is refused no more is said once, and not of one that has taken place', async () => {
  const { bot, events } = setUp();
  const said = () =>
    events.splice(0).flatMap((one) => (one.kind === 'key_rotation_refused' ? [one.reason] : []));
  bot.keyRotationRefused(null);
  expect(said()).toEqual([]);
  bot.keyRotationRefused('no such file');
  bot.keyRotationRefused('empty');
  bot.keyRotationRefused(null);
  bot.keyRotationRefused(null);
  expect(said()).toEqual(['no such file', 'empty', null]);
  bot.keyRotationRefused('empty');
  await bot.keyRotated({
    keyId: 'vk_2',
    previous: 'vk_1',
    fingerprint: 'abc',
    reason: 'asked',
    unanswered: 0,
  });
  bot.keyRotationRefused(null);
  expect(said()).toEqual(['empty']);
});

test('a key that was accepted again, and is refused again, is news again', async () => {
  let isRefused = true;
  const refused = answered(401, { error: { code: 'unknown_key', message: 'No.', details: {} } });
  const { bot, events, pass } = setUp({ answer: () => (isRefused ? refused : undefined) });
  const said = () => events.flatMap(({ kind }) => (kind.startsWith('key_') ? [kind] : []));
  // What is asked again and again while a level ends what is open.
  await bot.kill('L2', 'a test');
  await pass(120);
  expect(said()).toEqual(['key_refused']);
  isRefused = false;
  bot.keyAccepted();
  await pass(120);
  expect(said()).toEqual(['key_refused', 'key_accepted']);
  isRefused = true;
  await pass(120);
  expect(said()).toEqual(['key_refused', 'key_accepted', 'key_refused']);
});

test('what an operator did is journaled with its reason and the time', async () => {
  const { bot, store, pass } = setUp();
  await pass(3);
  await bot.audit('kill L2', 'by Ann');
  expect(store.latch('operator')).toEqual({ value: 'kill L2', reason: 'by Ann', time: 3_000 });
});

test('a bot is neither idle nor settled before its strategies have started', async () => {
  const server = await openTestServer({ balance: 100_000 });
  const memory = createMemoryStore();
  const store: JournalStore = {
    ...memory,
    async setLatch(...latch) {
      await new Promise(setImmediate);
      await memory.setLatch(...latch);
    },
  };
  const steps: string[] = [];
  const bot = await openTestBot(server, {
    store,
    setup: () => void steps.push('set up'),
    onBot(made) {
      made.events$.subscribe(({ kind }) => {
        if (kind !== 'recovered') return;
        steps.push(`recovered, idle: ${made.isIdle()}`);
        void made.settled().then(() => steps.push(`settled, idle: ${made.isIdle()}`));
      });
    },
  });
  await bot.step(1);
  await bot.close();
  await server.close();
  expect(steps).toEqual(['recovered, idle: false', 'set up', 'settled, idle: true']);
});
