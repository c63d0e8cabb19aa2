import { afterEach, describe, expect, test } from 'vitest';
import { attachTpsl, launch, placeOrder, stopLoss } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import type { Remains } from '../../../src/runtime/control/stopBot.ts';
import { writeLatch } from '../../../src/runtime/control/killLevels.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const resting = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.01, price: 20_000 });
const working = launch.pacemaker({
  symbol: 'BTC',
  side: 'buy',
  total_size: 0.01,
  params: { duration_seconds: 3_600 },
});
const protection = attachTpsl('BTC', { stop_loss: stopLoss.price(20_000) });

/** A bot with a position, its stop, an execution running and a resting order. */
async function atWork(): Promise<{ server: TestServer; reported: TestBot }> {
  const server = await openTestServer();
  open.push(server);
  const reported = await openTestBot(server);
  open.push(reported);
  await reported.step(2);
  reported.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
  await reported.step(1);
  for (const intent of [protection, working, resting]) reported.propose(intent);
  await reported.step(2);
  const { items } = await reported.client.executions.list();
  expect(items.map(({ status }) => status)).toEqual(['running']);
  return { server, reported };
}

const outcomes = ({ events }: TestBot): string[] =>
  events.flatMap((item) =>
    item.kind === 'intent' ? [`${item.event.emission.intent.kind} ${item.event.state}`] : [],
  );

describe('kill levels', () => {
  test('L1 takes no new exposure and leaves open work', async () => {
    const { reported } = await atWork();
    await reported.bot.kill('L1', 'a test');
    reported.propose(resting);
    reported.propose(attachTpsl('BTC', { stop_loss: stopLoss.price(21_000) }));
    await reported.step(1);
    expect(outcomes(reported)).toContain('place_order denied');
    expect(outcomes(reported).filter((text) => text === 'attach_tpsl accepted')).toHaveLength(2);
    const { items } = await reported.client.executions.list();
    expect(items[0]?.status).toBe('running');
  });

  test('L2 ends the bot’s entries and leaves position and protection', async () => {
    const { reported } = await atWork();
    await reported.bot.kill('L2', 'a test');
    await reported.step(1);
    expect((await reported.client.executions.list()).items[0]).toMatchObject({
      status: 'stopped',
      reason: 'user_stop',
    });
    expect((await reported.client.orders.list()).items).toEqual([]);
    expect((await reported.client.positions.list()).items).toHaveLength(1);
    const legs = await reported.client.positions.legs({ symbol: 'BTC' });
    expect(legs.items.filter(({ status }) => status === 'armed')).toHaveLength(1);
  });

  test('L2 leaves foreign orders alone', async () => {
    const { reported } = await atWork();
    const foreign = await reported.client.orders.place({
      body: { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'limit', price: 21_000 },
    });
    await reported.step(1);
    await reported.bot.kill('L2', 'a test');
    await reported.step(1);
    const { items } = await reported.client.orders.list();
    expect(items.map(({ order_id }) => order_id)).toEqual([foreign.order_id]);
  });

  test('L3 is flat', async () => {
    const { reported } = await atWork();
    await reported.bot.kill('L3', 'a test');
    await reported.step(2);
    expect((await reported.client.positions.list()).items).toEqual([]);
    expect((await reported.client.orders.list()).items).toEqual([]);
  });

  test('L4 sends nothing, and the journal records the intents', async () => {
    const { reported } = await atWork();
    const sends = reported.bot.sends;
    await reported.bot.kill('L4', 'a test');
    reported.propose(resting);
    reported.propose(protection);
    await reported.step(1);
    expect(reported.bot.sends).toBe(sends);
    const retained = reported.store.intents().slice(-2);
    expect(retained.map(({ kind, state }) => [kind, state])).toEqual([
      ['place_order', 'denied'],
      ['attach_tpsl', 'denied'],
    ]);
    const last = reported.store.entries(retained[1]!.key).at(-1)!;
    expect(JSON.parse(last.data)).toEqual({ guard: 'kill_level', reason: 'the wire is cut' });
    // Only the next process connects again: until then a rearm changes nothing of what denies.
    await reported.bot.rearm('looked at it');
    reported.propose(protection);
    await reported.step(1);
    expect(reported.bot.sends).toBe(sends);
    const { key, state } = reported.store.intents().at(-1)!;
    expect(state).toBe('denied');
    expect(JSON.parse(reported.store.entries(key).at(-1)!.data)).toEqual({
      guard: 'kill_level',
      reason: 'the wire is cut',
    });
  });

  test('what L3 could not send is listed at a stop, and not sent after a re-arm or by the next process', async () => {
    const server = await openTestServer();
    open.push(server);
    const store = createMemoryStore();
    let isAway = false;
    const away = { kind: 'not_sent', reason: 'ECONNREFUSED' } as const;
    const wire: TestBotOptions['wire'] = ({ endpoint }, send) =>
      isAway && endpoint === 'positions.close' ? away : send();
    const first = await openTestBot(server, { store, wire });
    await first.step(2);
    first.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
    await first.step(2);
    const closes = (): string[] =>
      store.intents().flatMap(({ kind, state }) => (kind === 'close_position' ? [state] : []));
    isAway = true;
    await first.bot.kill('L3', 'a test');
    await expect.poll(closes).toEqual(['deferred']);
    await first.bot.rearm('closed by hand');
    isAway = false;
    await expect.poll(closes).toEqual(['expired']);
    isAway = true;
    await first.bot.kill('L3', 'once more');
    await expect.poll(closes).toEqual(['expired', 'deferred']);
    let remains: Remains | undefined;
    await first.bot.stop({ onEnded: (found) => void (remains = found) });
    await first.close();
    expect(remains!.waiting.map(({ kind, symbol }) => [kind, symbol])).toContainEqual([
      'close_position',
      'BTC',
    ]);
    isAway = false;
    await writeLatch(store, { level: 'L0', reason: 'closed by hand', time: 1 });
    const second = await openTestBot(server, { store, wire });
    open.push(second);
    await second.step(3);
    expect((await second.client.positions.list()).items).toHaveLength(1);
    expect(closes()).toEqual(['expired', 'expired']);
  });

  test('a level only rises, until an operator re-arms', async () => {
    const { reported } = await atWork();
    await reported.bot.kill('L2', 'first');
    await reported.bot.kill('L1', 'second');
    expect(reported.bot.killLevel).toBe('L2');
    await reported.bot.rearm('looked at it');
    expect(reported.bot.killLevel).toBe('L0');
    reported.propose(resting);
    await reported.step(1);
    expect(outcomes(reported).at(-1)).toBe('place_order accepted');
  });

  test('a level survives the process', async () => {
    const server = await openTestServer();
    open.push(server);
    const store = createMemoryStore();
    const first = await openTestBot(server, { store });
    await first.step(2);
    await first.bot.kill('L1', 'a test');
    await first.close();
    const second = await openTestBot(server, { store });
    open.push(second);
    await second.step(2);
    expect(second.bot.killLevel).toBe('L1');
    second.propose(resting);
    await second.step(1);
    expect(outcomes(second)).toContain('place_order denied');
  });
});

describe('the stop policy', () => {
  test.each([
    ['leave', 'running', 1, 1],
    ['pause', 'paused', 1, 1],
    ['stop', 'stopped', 0, 1],
    ['flatten', 'stopped', 0, 0],
  ] as const)('%s', async (policy, status, orders, positions) => {
    const { reported } = await atWork();
    await reported.bot.stop({ policy });
    const execution = (await reported.client.executions.list()).items[0];
    expect(execution?.status).toBe(status);
    const own = (await reported.client.orders.list()).items.filter((order) => !order.execution_id);
    expect(own).toHaveLength(orders);
    expect((await reported.client.positions.list()).items).toHaveLength(positions);
  });
});
