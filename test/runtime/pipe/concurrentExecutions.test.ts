import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  closePosition,
  controlExecution,
  createMonitor,
  launch,
  launchBasket,
  placeOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
  open.push(server);
});
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const LIMIT = 'max_concurrent_executions';
const params = { duration_seconds: 3_600 };
const leg = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 0.02, params } as const;
const { algo: _algo, ...sized } = leg;
const entry = launch.pacemaker(sized);
const exit = launch.pacemaker({ ...sized, side: 'sell', total_size: 0.01, reduce_only: true });
const monitor = (price: number): Intent =>
  createMonitor({
    trigger: { type: 'price_level', symbol: 'BTC', price, direction: 'above' },
    action: { type: 'execute', request: leg },
  });

async function openWith(limit: number) {
  const bot = await openTestBot(server, { guards: { [LIMIT]: limit } });
  open.push(bot);
  await bot.step(2);
  return bot;
}

/** What became of each: accepted, or the guard that denied it. */
async function outcomes(bot: TestBot, ...intents: Intent[]): Promise<string[]> {
  const from = bot.events.length;
  for (const intent of intents) bot.propose(intent);
  await bot.step(1);
  const ends = new Map<string, string>();
  for (const item of bot.events.slice(from)) {
    if (item.kind !== 'intent') continue;
    const { state, guard, emission } = item.event;
    ends.set(emission.decisionKey, guard ?? state);
  }
  return [...ends.values()];
}

const running = async ({ client }: TestBot): Promise<number> =>
  (await client.executions.list({ query: { status: 'running' } })).items.length;

describe('of executions that may run at once', () => {
  test('a launch counts from its approval, before any answer', async () => {
    const bot = await openWith(1);
    expect(await outcomes(bot, entry, entry)).toEqual(['accepted', LIMIT]);
    expect(await running(bot)).toBe(1);
    expect(await outcomes(bot, entry)).toEqual([LIMIT]);
  });

  test('a basket counts with each of its legs that enters, before and after it is shown', async () => {
    const bot = await openWith(3);
    expect(await outcomes(bot, launchBasket({ legs: [leg, leg, leg, leg] }))).toEqual([LIMIT]);
    expect(await outcomes(bot, launchBasket({ legs: [leg, leg] }), entry, entry)).toEqual([
      'accepted',
      'accepted',
      LIMIT,
    ]);
    expect(await running(bot)).toBe(3);
  });

  test('an exit by algorithm always passes, and counts while it runs', async () => {
    const bot = await openWith(1);
    await outcomes(bot, placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.05 }), entry);
    const close = closePosition.byAlgo('BTC', { algo: 'pacemaker', params });
    expect(await outcomes(bot, exit, close)).toEqual(['accepted', 'accepted']);
    expect(await running(bot)).toBe(3);
    const { items } = await bot.client.executions.list({ query: { status: 'running' } });
    const { execution_id } = items.find(({ reduce_only }) => !reduce_only)!;
    expect(await outcomes(bot, controlExecution.stop({ execution_id }))).toEqual(['accepted']);
    expect(await outcomes(bot, entry)).toEqual([LIMIT]);
  });

  test('a monitor that launches counts while it waits', async () => {
    const bot = await openWith(2);
    expect(await outcomes(bot, monitor(1e6), entry, entry)).toEqual([
      'accepted',
      'accepted',
      LIMIT,
    ]);
    expect(await outcomes(bot, monitor(1e6))).toEqual([LIMIT]);
    const { items } = await bot.client.monitors.list();
    await bot.client.monitors.stop({ id: items[0]!.monitor_id });
    await bot.step(1);
    expect(await outcomes(bot, entry)).toEqual(['accepted']);
  });

  test('one that is resumed counts again, in flight as well', async () => {
    const bot = await openWith(1);
    await outcomes(bot, { ...entry, ref: 'first' });
    expect(await outcomes(bot, controlExecution.pause({ ref: 'first' }))).toEqual(['accepted']);
    const resume = controlExecution.resume({ ref: 'first' });
    expect(await outcomes(bot, resume, entry)).toEqual(['accepted', LIMIT]);
    expect(await outcomes(bot, controlExecution.pause({ ref: 'first' }))).toEqual(['accepted']);
    expect(await outcomes(bot, entry)).toEqual(['accepted']);
    expect(await outcomes(bot, resume)).toEqual([LIMIT]);
    expect(await running(bot)).toBe(1);
  });
});
