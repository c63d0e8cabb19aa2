import { afterEach, describe, expect, test } from 'vitest';
import { closePosition, launch, placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import { createEntryGate } from '../../../src/runtime/control/createEntryGate.ts';
import { createPauses } from '../../../src/runtime/control/createPauses.ts';
import { openTwoWallets, STRATEGIES } from '../../operate/watchedBot.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const buy = (symbol: string) => placeOrder.market({ symbol, side: 'buy', size: 0.02 });
const ends = ({ events }: TestBot): string[] =>
  events.flatMap((item) => {
    if (item.kind !== 'intent' || !['accepted', 'denied'].includes(item.event.state)) return [];
    const { state, emission, guard } = item.event;
    return [`${emission.instance} ${emission.intent.kind} ${guard ?? state}`];
  });

describe('a paused strategy', () => {
  test('adds no exposure while its exits and the other strategies go on', async () => {
    const server = await openTwoWallets();
    open.push(server);
    const bot = await openTestBot(server, { strategies: STRATEGIES });
    open.push(bot);
    await bot.step(2);
    bot.propose(buy('BTC'));
    await bot.step(1);
    await bot.bot.pauseStrategy('first', 'a test');
    expect(bot.bot.paused('first')).toContain('a test');
    expect(bot.bot.paused('second')).toBeUndefined();
    bot.propose(buy('BTC'));
    bot.propose(buy('ETH'), 'second');
    await bot.step(1);
    bot.propose(closePosition.atMarket('BTC'));
    await bot.step(1);
    await bot.bot.resumeStrategy('first', 'over');
    bot.propose(buy('BTC'));
    await bot.step(1);
    expect(ends(bot)).toEqual([
      'first place_order accepted',
      'first place_order entry_gate',
      'second place_order accepted',
      'first close_position accepted',
      'first place_order accepted',
    ]);
    const paused = bot.events.filter((event) => event.kind === 'strategy_paused');
    expect(paused.map(({ reason }) => reason)).toEqual(['a test', null]);
  });

  test('ends at once what waits for its turn', async () => {
    const server = await openTwoWallets();
    open.push(server);
    const details = { retry_after_seconds: 3_600 };
    const error = { code: 'rate_limited', message: '', details };
    const response = { status: 429, headers: {}, body: { error, request_id: 'r' } };
    const bot = await openTestBot(server, {
      strategies: STRATEGIES,
      wire: (request, send) =>
        request.endpoint === 'orders.place' ? { kind: 'answered', response } : send(),
    });
    open.push(bot);
    await bot.step(2);
    bot.propose(buy('BTC'));
    bot.propose(buy('ETH'), 'second');
    await bot.step(1);
    const statesOf = (): Record<string, string> =>
      Object.fromEntries(
        bot.events.flatMap((item) =>
          item.kind === 'intent' ? [[item.event.emission.instance, item.event.state]] : [],
        ),
      );
    expect(statesOf()).toEqual({ first: 'deferred', second: 'deferred' });
    await bot.bot.pauseStrategy('first', 'a test');
    await new Promise(setImmediate);
    expect(statesOf()).toEqual({ first: 'expired', second: 'deferred' });
  });

  test('does not send a launch again that may not have arrived', async () => {
    const server = await openTwoWallets();
    open.push(server);
    let isAway = true;
    const asked: string[] = [];
    const strategies = [{ name: 'first', symbols: ['BTC'] }];
    const bot = await openTestBot(server, {
      strategies,
      wire(request, send) {
        asked.push(request.endpoint);
        const isLost = isAway && request.endpoint === 'executions.launch';
        return isLost ? { kind: 'no_answer', reason: 'timeout' } : send();
      },
    });
    open.push(bot);
    await bot.step(2);
    const params = { duration_seconds: 86_400 };
    bot.propose(launch.pacemaker({ symbol: 'BTC', side: 'buy', total_size: 0.01, params }));
    const launches = (): number => asked.filter((one) => one === 'executions.launch').length;
    void bot.step(1).catch(() => {});
    await expect.poll(launches).toBeGreaterThan(0);
    await bot.bot.pauseStrategy('first', 'a test');
    isAway = false;
    const before = { launches: launches(), all: asked.length };
    // It is looked up instead.
    await expect.poll(() => asked.length - before.all).toBeGreaterThan(1);
    expect(launches()).toBe(before.launches);
    expect((await bot.client.executions.list()).items).toEqual([]);
  });

  test('stays paused in the next process, before it decides anything', async () => {
    const server = await openTwoWallets();
    open.push(server);
    const store = createMemoryStore();
    const surviving: JournalStore = { ...store, close: () => {} };
    const first = await openTestBot(server, { strategies: STRATEGIES, store: surviving });
    await first.step(2);
    await first.bot.pauseStrategy('second', 'until tomorrow');
    await first.close();
    const next = await openTestBot(server, { strategies: STRATEGIES, store: surviving });
    open.push(next);
    next.propose(buy('ETH'), 'second');
    next.propose(buy('BTC'));
    await next.step(2);
    const inOrder = ends(next).toSorted();
    expect(inOrder).toEqual(['first place_order accepted', 'second place_order entry_gate']);
  });
});

describe('what is written late', () => {
  const setUp = (store: JournalStore) => {
    const gate = createEntryGate();
    const changes: Array<string | null> = [];
    const pauses = createPauses({
      store,
      clock: { wallNow: () => 1, monotonicNow: () => 1 },
      gate,
      instances: ['one'],
      onChange: (_instance, reason) => changes.push(reason),
    });
    return { gate, pauses, changes };
  };

  test('a pause is in force before it is durable, and though it never will be', async () => {
    const failing = { ...createMemoryStore(), setLatch: () => Promise.reject(new Error('full')) };
    const { gate, pauses } = setUp(failing);
    const durable = pauses.pause('one', 'now');
    expect(gate.closedStrategy('one')).toContain('now');
    await expect(durable).rejects.toThrow('full');
    expect(gate.closedStrategy('one')).toContain('now');
    await expect(pauses.resume('one', 'over')).rejects.toThrow('full');
    expect(gate.closedStrategy('one')).toContain('now');
  });

  test('a pause that comes while a resume is written stands', async () => {
    const released = Promise.withResolvers<void>();
    const store = createMemoryStore();
    const slow: JournalStore = {
      ...store,
      async setLatch(name, latch) {
        if (latch.value === 'off') await released.promise;
        await store.setLatch(name, latch);
      },
    };
    const { gate, pauses } = setUp(slow);
    await pauses.pause('one', 'first');
    const resumed = pauses.resume('one', 'over');
    const paused = pauses.pause('one', 'second');
    released.resolve();
    await expect(resumed).rejects.toThrow('paused again');
    await paused;
    expect(gate.closedStrategy('one')).toContain('second');
    expect(store.latch('pause one')).toMatchObject({ value: 'on', reason: 'second' });
  });
});
