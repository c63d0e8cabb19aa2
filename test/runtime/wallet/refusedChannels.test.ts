import { afterEach, expect, test } from 'vitest';
import { createMonitor, launch, placeOrder, type Intent } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

/** Limits on exposure hold while the service does not show executions or monitors. */

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const size = { symbol: 'BTC', side: 'buy' as const };
const run = launch.pacemaker({ ...size, total_size: 0.1, params: { duration_seconds: 3_600 } });
const watch = createMonitor({
  trigger: { type: 'price_level', symbol: 'BTC', price: 20_100, direction: 'below' },
  action: { type: 'order', request: { ...size, size: 0.1, order_type: 'market' } },
});
const exit = placeOrder.limit({
  symbol: 'BTC',
  side: 'sell',
  size: 0.1,
  price: 1_000_000,
  reduce_only: true,
});
const held = placeOrder.market({ ...size, size: 0.01 });
const guards = { max_position_notional: 10_000 };

const ends = ({ events }: TestBot): string[] =>
  events.flatMap((item) => {
    if (item.kind !== 'intent' || !['accepted', 'denied'].includes(item.event.state)) return [];
    const { state, emission, guard } = item.event;
    return [`${emission.intent.kind} ${guard ?? state}`];
  });

async function openBots(): Promise<(over: TestBotOptions) => Promise<TestBot>> {
  const server = await openTestServer({ balance: 100_000 }, { feeds: [testFeed('BTC')] });
  open.push(server);
  return async (over) => {
    const bot = await openTestBot(server, { guards, ...over });
    open.push(bot);
    return bot;
  };
}

/** Emits it, and shows the account again long after the answer. */
async function decide(bot: TestBot, intent: Intent): Promise<void> {
  bot.propose(intent);
  await bot.step(2);
  bot.bot.streams.resync();
  await bot.step(1);
}

const KINDS = [
  ['executions', run, 'executions'],
  ['monitors', watch, 'monitors'],
] as const;

test.each(KINDS)(
  'where %s are refused for good, each counts until the service says that it is over',
  async (channel, intent, kind) => {
    const bot = await (await openBots())({ refuses: [channel] });
    await bot.step(2);
    for (let at = 0; at < 3; at++) await decide(bot, intent);
    const name = intent.kind;
    const denied = `${name} max_position_notional`;
    expect(ends(bot)).toEqual([`${name} accepted`, denied, denied]);
    const { items } = await bot.client[kind].list({ wallet: 'main' });
    const [one] = items as ReadonlyArray<{ execution_id?: string; monitor_id?: string }>;
    if (kind === 'monitors') await bot.client.monitors.stop({ id: one!.monitor_id! });
    else await bot.client.executions.stop({ id: one!.execution_id! });
    bot.bot.streams.resync();
    await bot.step(1);
    await decide(bot, intent);
    expect(ends(bot).at(-1)).toBe(`${name} accepted`);
  },
);

test.each(KINDS)(
  'what an earlier process left counts, also if %s are refused at first',
  async (channel, intent) => {
    const start = await openBots();
    const store = createMemoryStore();
    const before = await start({ store });
    await before.step(2);
    before.propose(held);
    before.propose(intent);
    await before.step(1);
    await before.bot.stop();
    const postpones = new Set<string>([channel]);
    const bot = await start({ store, postpones });
    await bot.step(3);
    bot.propose(intent);
    bot.propose(exit);
    await bot.step(1);
    expect(ends(bot)).toEqual([`${intent.kind} entry_gate`, 'place_order accepted']);
    const texts = bot.events.map((one) => (one.kind === 'intent' ? one.event.reason : undefined));
    expect(texts.join()).toContain(`the ${channel} of main are not shown yet`);
    postpones.clear();
    await bot.step(1);
    await decide(bot, intent);
    expect(ends(bot).at(-1)).toBe(`${intent.kind} max_position_notional`);
  },
);
