import { firstValueFrom } from 'rxjs';
import { afterEach, expect, test, vi } from 'vitest';
import type { StreamFrame } from '../../../src/contract/index.ts';
import type { Env, LinkListener } from '../../../src/env/index.ts';
import {
  attachTpsl,
  closePosition,
  createMonitor,
  launch,
  placeOrder,
  stopLoss,
  type Intent,
} from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createQuickEnv } from '../../env/createQuickEnv.ts';
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

async function openBots(env?: Env): Promise<(over: TestBotOptions) => Promise<TestBot>> {
  const server = await openTestServer(
    { connections: [{ label: 'second', balance: 100_000 }], balance: 100_000 },
    { feeds: [testFeed('BTC')], ...(env && { env }) },
  );
  open.push(server);
  return async (over) => {
    const bot = await openTestBot(server, { guards, ...(env && { env }), ...over });
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

/** The service itself has no list of it. */
const withoutList =
  (endpoint: string): NonNullable<TestBotOptions['wire']> =>
  (request, send) => {
    if (request.endpoint !== endpoint) return send();
    const body = { error: { code: 'not_found', message: 'No.', details: {} }, request_id: 'r' };
    return { kind: 'answered', response: { status: 404, headers: {}, body } };
  };

test('a list that the service lacks keeps no other kind from being known', async () => {
  const bot = await (
    await openBots()
  )({ refuses: ['executions', 'monitors'], wire: withoutList('monitors.list') });
  await bot.step(2);
  await decide(bot, run);
  const { items } = await bot.client.executions.list({ wallet: 'main' });
  await bot.client.executions.stop({ id: items[0]!.execution_id });
  bot.bot.streams.resync();
  await bot.step(1);
  // What can't be known counts in full.
  await decide(bot, watch);
  await decide(bot, run);
  expect(ends(bot)).toEqual([
    'launch accepted',
    'create_monitor accepted',
    'launch max_position_notional',
  ]);
});

test('what a close by an algorithm may still take offsets no entry while it runs', async () => {
  const bot = await (await openBots())({ refuses: ['executions'] });
  await bot.step(2);
  await decide(bot, placeOrder.market({ ...size, size: 0.1 }));
  const request = { algo: 'pacemaker', params: { duration_seconds: 3_600 } } as const;
  await decide(bot, closePosition.byAlgo('BTC', request));
  await decide(bot, placeOrder.market({ symbol: 'BTC', side: 'sell', size: 0.2 }));
  expect(ends(bot)).toEqual([
    'place_order accepted',
    'close_position accepted',
    'place_order max_position_notional',
  ]);
});

test('what was refused and is shown is not read any more', async () => {
  let listener: LinkListener | undefined;
  const read: string[] = [];
  const bot = await (
    await openBots()
  )({
    refuses: ['executions'],
    onListener: (given) => (listener = given),
    wire(request, send) {
      read.push(request.endpoint);
      return send();
    },
  });
  await bot.step(2);
  await decide(bot, run);
  expect(read).toContain('executions.list');
  const shown = { channel: 'executions', params: {}, event: 'snapshot', wallet: 'main', seq: 1 };
  listener!.onFrame({ ...shown, ts: 0, data: { executions: [] } });
  read.length = 0;
  await decide(bot, launch.pacemaker({ ...run.request, total_size: 0.01 } as never));
  expect(read).toContain('executions.launch');
  expect(read).not.toContain('executions.list');
});

const failing = { kind: 'no_answer', reason: 'timeout' } as const;
const gateOf = ({ events }: TestBot): readonly string[] =>
  events.findLast((one) => one.kind === 'gate')?.reasons ?? [];
/** The service sends events of a channel, and never a snapshot. */
const withoutSnapshot =
  (channel: string) =>
  (frame: StreamFrame): StreamFrame =>
    frame.channel === channel && frame.event === 'snapshot'
      ? { ...frame, event: 'acknowledged' }
      : frame;
const waysOf = (channel: string): ReadonlyArray<readonly [string, TestBotOptions]> => [
  ['answered with nothing', { silences: (asked) => asked.channel === channel }],
  ['shown without a snapshot', { receives: withoutSnapshot(channel) }],
];
const SILENT = KINDS.flatMap(([channel, intent]) =>
  waysOf(channel).map(([way, over]) => [channel, way, intent, over] as const),
);

test.each(SILENT)(
  'where %s are %s, they are read, and what an earlier process left counts',
  async (_channel, _way, intent, over) => {
    const start = await openBots(createQuickEnv());
    const store = createMemoryStore();
    const before = await start({ store });
    await before.step(2);
    before.propose(intent);
    await before.step(1);
    await before.bot.stop();
    const bot = await start({ store, ...over });
    await bot.step(2);
    await vi.waitFor(() => expect(gateOf(bot)).toEqual([]), 10_000);
    await bot.step(1);
    await decide(bot, intent);
    expect(ends(bot)).toEqual([`${intent.kind} max_position_notional`]);
  },
);

test.each(waysOf('tpsl.watch'))('where stops are %s, they are read', async (_way, over) => {
  const start = await openBots(createQuickEnv());
  const store = createMemoryStore();
  const before = await start({ store });
  await before.step(2);
  before.propose(held);
  await before.step(1);
  before.propose(attachTpsl('BTC', { stop_loss: stopLoss.price(20_000) }));
  await before.step(1);
  await before.bot.stop();
  const bot = await start({ store, ...over });
  await bot.step(2);
  await vi.waitFor(() => expect(gateOf(bot)).toEqual([]), 10_000);
  const rows = await firstValueFrom(bot.bot.streams.wallet('main').watchModel$);
  expect([...rows.values()]).toMatchObject([{ kind: 'stop_loss', status: 'armed', symbol: 'BTC' }]);
});

test('stops are not read before the positions that they are on are shown', async () => {
  const start = await openBots(createQuickEnv());
  const store = createMemoryStore();
  const before = await start({ store });
  await before.step(2);
  before.propose(held);
  await before.step(1);
  before.propose(attachTpsl('BTC', { stop_loss: stopLoss.price(20_000) }));
  await before.step(1);
  await before.bot.stop();
  let lost = 0;
  const bot = await start({
    store,
    silences: (asked) => asked.channel === 'tpsl.watch',
    receives(frame) {
      const isLost = frame.channel === 'account.state' && frame.event === 'snapshot' && ++lost <= 4;
      return isLost ? ({ ...frame, channel: 'lost' } as never) : frame;
    },
  });
  await vi.waitFor(async () => {
    await bot.step(1);
    expect(lost).toBeGreaterThan(4);
    expect(gateOf(bot)).toEqual([]);
  }, 20_000);
  const rows = await firstValueFrom(bot.bot.streams.wallet('main').watchModel$);
  expect([...rows.values()]).toMatchObject([{ kind: 'stop_loss', status: 'armed', symbol: 'BTC' }]);
});

test.each(KINDS)(
  'one of %s that can’t be read hides no other, and is not taken for gone',
  async (channel, intent, kind) => {
    const start = await openBots(createQuickEnv());
    const other = await start({});
    await other.step(2);
    other.propose(intent);
    await other.step(1);
    let isSpoiled = false;
    const spoiled = (record: object): object => ({ ...record, status: 7 });
    const bot = await start({
      receives(frame) {
        // As the decoder does: what is not of the contract's shape is no frame.
        const isLost = isSpoiled && frame.channel === channel && frame.event === 'snapshot';
        return isLost ? ({ ...frame, channel: 'lost' } as never) : frame;
      },
      async wire(request, send) {
        const exchange = await send();
        if (!isSpoiled || exchange.kind !== 'answered') return exchange;
        const { items } = exchange.response.body as { items?: object[] };
        if (request.endpoint === `${kind}.list` && items !== undefined && items.length > 0) {
          const [first, ...rest] = items;
          const body = { ...(exchange.response.body as object), items: [spoiled(first!), ...rest] };
          return { ...exchange, response: { ...exchange.response, body } };
        }
        return exchange;
      },
    });
    await bot.step(1);
    const { executions$, monitors$, executionsModel$, monitorsModel$ } =
      bot.bot.streams.wallet('main');
    const model = async (): Promise<unknown[]> =>
      channel === 'executions'
        ? [...(await firstValueFrom(executionsModel$)).values()]
        : [...(await firstValueFrom(monitorsModel$)).values()];
    expect(await model()).toHaveLength(1);
    const ended: string[] = [];
    executions$.subscribe(({ event }) => ended.push(event));
    monitors$.subscribe(({ event }) => ended.push(event));
    isSpoiled = true;
    bot.bot.streams.resync();
    await vi.waitFor(() => expect(ended).toContain('snapshot'), 10_000);
    expect(await model()).toHaveLength(1);
    expect(ended).not.toContain('gone');
  },
);

test.each(KINDS)(
  'where the service has no list of %s either, entries do not wait for them',
  async (channel) => {
    const start = await openBots(createQuickEnv());
    const bot = await start({
      silences: (asked) => asked.channel === channel,
      wire: withoutList(`${channel}.list`),
    });
    await bot.step(2);
    await vi.waitFor(() => expect(gateOf(bot)).toEqual([]), 10_000);
  },
);

test('what one wallet does not show closes the entries of no other', async () => {
  const start = await openBots();
  const bot = await start({
    strategies: [
      { name: 'one', symbols: ['BTC'] },
      { name: 'two', symbols: ['BTC'], wallet: 'second' },
    ],
    silences: ({ channel, params }) => channel === 'executions' && params['wallet'] === 'second',
    wire: (request, send) => (request.endpoint.endsWith('.list') ? failing : send()),
  });
  await bot.step(2);
  bot.propose(held, 'one');
  bot.propose(held, 'two');
  await bot.step(1);
  expect(ends(bot).toSorted()).toEqual(['place_order accepted', 'place_order entry_gate']);
  expect(gateOf(bot)).toEqual(['the executions of second are not shown yet']);
});
