import { afterEach, describe, expect, test } from 'vitest';
import { attachTpsl, launch, placeOrder, stopLoss } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

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

/** A bot with a position, its stop, an execution at work and a resting order. */
async function atWork(): Promise<{ server: TestServer; told: TestBot }> {
  const server = await openTestServer();
  open.push(server);
  const told = await openTestBot(server);
  open.push(told);
  await told.step(2);
  told.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
  await told.step(1);
  for (const intent of [protection, working, resting]) told.propose(intent);
  await told.step(2);
  const { items } = await told.client.executions.list();
  expect(items.map(({ status }) => status)).toEqual(['running']);
  return { server, told };
}

const outcomes = ({ events }: TestBot): string[] =>
  events.flatMap((item) =>
    item.kind === 'intent' ? [`${item.event.emission.intent.kind} ${item.event.state}`] : [],
  );

describe('kill levels', () => {
  test('L1 takes no new exposure and leaves what is at work', async () => {
    const { told } = await atWork();
    await told.bot.kill('L1', 'a test');
    told.propose(resting);
    told.propose(attachTpsl('BTC', { stop_loss: stopLoss.price(21_000) }));
    await told.step(1);
    expect(outcomes(told)).toContain('place_order denied');
    expect(outcomes(told).filter((text) => text === 'attach_tpsl accepted')).toHaveLength(2);
    const { items } = await told.client.executions.list();
    expect(items[0]?.status).toBe('running');
  });

  test('L2 ends own entries and keeps position and protection', async () => {
    const { told } = await atWork();
    await told.bot.kill('L2', 'a test');
    await told.step(1);
    expect((await told.client.executions.list()).items[0]).toMatchObject({
      status: 'stopped',
      reason: 'user_stop',
    });
    expect((await told.client.orders.list()).items).toEqual([]);
    expect((await told.client.positions.list()).items).toHaveLength(1);
    const legs = await told.client.positions.legs({ symbol: 'BTC' });
    expect(legs.items.filter(({ status }) => status === 'armed')).toHaveLength(1);
  });

  test('L2 leaves alone what others placed', async () => {
    const { told } = await atWork();
    const foreign = await told.client.orders.place({
      body: { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'limit', price: 21_000 },
    });
    await told.step(1);
    await told.bot.kill('L2', 'a test');
    await told.step(1);
    const { items } = await told.client.orders.list();
    expect(items.map(({ order_id }) => order_id)).toEqual([foreign.order_id]);
  });

  test('L3 is flat', async () => {
    const { told } = await atWork();
    await told.bot.kill('L3', 'a test');
    await told.step(2);
    expect((await told.client.positions.list()).items).toEqual([]);
    expect((await told.client.orders.list()).items).toEqual([]);
  });

  test('L4 sends nothing, and the journal keeps what the strategy wanted', async () => {
    const { told } = await atWork();
    const sends = told.bot.sends;
    await told.bot.kill('L4', 'a test');
    told.propose(resting);
    told.propose(protection);
    await told.step(1);
    expect(told.bot.sends).toBe(sends);
    const kept = told.store.intents().slice(-2);
    expect(kept.map(({ kind, state }) => [kind, state])).toEqual([
      ['place_order', 'denied'],
      ['attach_tpsl', 'denied'],
    ]);
    const last = told.store.entries(kept[1]!.key).at(-1)!;
    expect(JSON.parse(last.data)).toEqual({ guard: 'kill_level', reason: 'the wire is cut' });
  });

  test('a level only goes up, until a person re-arms', async () => {
    const { told } = await atWork();
    await told.bot.kill('L2', 'first');
    await told.bot.kill('L1', 'second');
    expect(told.bot.killLevel).toBe('L2');
    await told.bot.rearm('looked at it');
    expect(told.bot.killLevel).toBe('L0');
    told.propose(resting);
    await told.step(1);
    expect(outcomes(told).at(-1)).toBe('place_order accepted');
  });

  test('a level outlives the process', async () => {
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
    const { told } = await atWork();
    await told.bot.stop({ policy });
    const execution = (await told.client.executions.list()).items[0];
    expect(execution?.status).toBe(status);
    const own = (await told.client.orders.list()).items.filter((order) => !order.execution_id);
    expect(own).toHaveLength(orders);
    expect((await told.client.positions.list()).items).toHaveLength(positions);
  });
});
