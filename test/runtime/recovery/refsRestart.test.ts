import { afterEach, expect, test } from 'vitest';
import {
  cancelOrder,
  createMonitor,
  launch,
  modifyOrder,
  placeOrder,
} from '../../../src/intents/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import type { StrategyContext } from '../../../src/strategy/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const rest = (ref: string) =>
  placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.01, price: 1_000 }, { ref });
const params = { duration_seconds: 3_600 };
const work = launch.pacemaker(
  { symbol: 'BTC', side: 'buy', total_size: 0.05, params },
  { ref: 'work' },
);

/** The context of the one strategy, and what its streams showed under which ref. */
function watching() {
  const seen: string[] = [];
  let ctx: StrategyContext | undefined;
  const setup: TestBotOptions['setup'] = (given) => {
    ctx = given;
    given.orders$.subscribe(({ event, order }) =>
      seen.push(`order ${event} ${order.ref} ${order.status}`),
    );
    given.fills$.subscribe(({ ref }) => seen.push(`fill ${ref}`));
    given.executions$.subscribe(({ execution: { ref } }) => seen.push(`execution ${ref}`));
    given.watch$.subscribe(({ row }) => seen.push(`leg ${row.ref}`));
  };
  const read = (ref: string) => {
    const { state, filled, remaining, ended, order, executions, fills } = ctx!.byRef(ref);
    const records = [order, ...executions].map((record) => record?.status ?? null);
    return { state, filled, remaining, ended, records, fills: fills.length };
  };
  return { setup, read, seen, ctx: () => ctx! };
}

/** They are older than what a remote store has at hand. */
const NO_INTENTS = { intents: () => [], newestIntents: () => [], standingIntents: () => [] };

test('a ref survives a restart: what is open is found again, and what ended meanwhile has ended', async () => {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  const store = createMemoryStore();
  const before = watching();
  const first = await openTestBot(server, { store, setup: before.setup });
  await first.step(2);
  first.propose(rest('stays'));
  first.propose(rest('ends'));
  first.propose(rest('cancelled'));
  first.propose(work);
  first.propose(
    placeOrder.market(
      { symbol: 'BTC', side: 'buy', size: 0.02, stop_loss: { price: 1_000 } as never },
      { ref: 'bought' },
    ),
  );
  await first.step(3);
  first.propose(cancelOrder({ ref: 'cancelled' }));
  await first.step(5);
  expect(before.read('stays')).toMatchObject({
    state: 'accepted',
    ended: false,
    records: ['open'],
  });
  expect(before.read('cancelled')).toMatchObject({ ended: true, records: ['cancelled'] });
  const bought = before.read('bought');
  expect(bought).toMatchObject({ state: 'accepted', filled: 0.02, remaining: 0, ended: true });
  expect(bought.fills).toBeGreaterThan(0);
  const working = before.read('work');
  expect(working).toMatchObject({ state: 'accepted', ended: false, records: [null, 'running'] });
  expect(working.filled).toBeGreaterThan(0);
  expect(working.filled + working.remaining).toBeCloseTo(0.05);
  expect(working.fills).toBeGreaterThan(0);
  for (const line of [
    'order changed stays open',
    'fill bought',
    'fill work',
    'execution work',
    'leg bought',
  ])
    expect(before.seen).toContain(line);
  expect(before.seen.join()).not.toContain('undefined');
  const { order_id } = before.ctx().byRef('ends').order!;
  await first.close();
  const outside = await openTestBot(server, { store: createMemoryStore() });
  await outside.client.orders.cancel({ id: order_id });
  await outside.close();

  const after = watching();
  const second = await openTestBot(server, { store, setup: after.setup });
  open.push(second);
  await second.step(2);
  expect(after.read('stays')).toEqual(before.read('stays'));
  expect(after.read('ends')).toMatchObject({ state: 'accepted', ended: true, remaining: 0.01 });
  expect(after.read('cancelled')).toMatchObject({ state: 'accepted', ended: true });
  const again = after.read('work');
  expect(again).toMatchObject({ state: 'accepted', ended: false, records: [null, 'running'] });
  expect(again.filled).toBeGreaterThan(working.filled);
  const shown = after
    .ctx()
    .openOrders('BTC')
    .filter(({ execution_id: id }) => id == null);
  expect(shown).toMatchObject([{ ref: 'stays', remaining_size: 0.01, filled_size: 0 }]);
  expect(after.seen).toContain('order snapshot stays open');
  expect(after.seen).toContain('fill work');
  expect(after.seen.join()).not.toContain('undefined');
});

test('what ended while no bot was running has ended on each wallet', async () => {
  const server = await openTestServer({
    connections: [{ label: 'second', balance: 100_000 }],
    balance: 100_000,
  });
  open.push(server);
  const store = createMemoryStore();
  const strategies = [
    { name: 'one', symbols: ['BTC'] },
    { name: 'two', symbols: ['BTC'], wallet: 'second' },
  ];
  const first = await openTestBot(server, { store, strategies });
  await first.step(2);
  for (const { name } of strategies) first.propose(rest('ends'), name);
  await first.step(2);
  await first.close();
  const outside = await openTestBot(server, { store: createMemoryStore() });
  for (const wallet of ['main', 'second']) {
    const { items } = await outside.client.orders.list({ query: { limit: 100 }, wallet });
    expect(items).toHaveLength(1);
    await outside.client.orders.cancel({ id: items[0]!.order_id, wallet });
  }
  await outside.close();

  const contexts: StrategyContext[] = [];
  const setup: TestBotOptions['setup'] = (ctx) => void contexts.push(ctx);
  const second = await openTestBot(server, { store, strategies, setup });
  open.push(second);
  await second.step(2);
  expect(contexts.map((ctx) => ctx.byRef('ends').ended)).toEqual([true, true]);
});

test('an order that has rested for longer than the store remembers is the bot’s own at a start', async () => {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  const store = createMemoryStore();
  const first = await openTestBot(server, { store });
  await first.step(2);
  first.propose(rest('stays'));
  await first.step(2);
  await first.close();
  const foreignAt = async (more: Partial<JournalStore>) => {
    const second = await openTestBot(server, { store: { ...store, ...NO_INTENTS, ...more } });
    await second.step(2);
    const works = second.events.flatMap((event) => (event.kind === 'foreign' ? event.works : []));
    await second.close();
    return works.flatMap(({ orders }) => orders).length;
  };
  expect(await foreignAt({ holds: () => false })).toBe(1);
  const known = new Set<string>();
  const learn = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) if (store.holds(key)) known.add(key);
  };
  expect(await foreignAt({ holds: (key) => known.has(key), learn })).toBe(0);
});

test('what stands armed or runs for longer than the store remembers is ended as the bot’s own', async () => {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  const store = createMemoryStore();
  const first = await openTestBot(server, { store });
  await first.step(2);
  first.propose(work);
  const request = { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'market' } as const;
  const trigger = { type: 'price_level', symbol: 'BTC', price: 1, direction: 'below' } as const;
  first.propose(createMonitor({ trigger, action: { type: 'order', request } }));
  await first.step(1);
  await first.close();
  const known = new Set<string>();
  const learn = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) if (store.holds(key)) known.add(key);
  };
  const forgetful = { ...store, ...NO_INTENTS, holds: (key: string) => known.has(key), learn };
  // The account is shown before them, and the start is over by then.
  const postpones = new Set(['executions', 'monitors']);
  const second = await openTestBot(server, { store: forgetful, postpones });
  open.push(second);
  await second.step(1);
  expect(known.size).toBe(0);
  postpones.clear();
  await second.step(1);
  expect(known.size).toBe(2);
  await second.bot.kill('L2', 'a test');
  expect(await second.bot.killed()).toEqual([]);
  const { items: executions } = await second.client.executions.list({ wallet: 'main' });
  const { items: monitors } = await second.client.monitors.list({ wallet: 'main' });
  const statuses = [...executions, ...monitors].map(({ status }) => status);
  expect(statuses).toEqual(['stopped', 'stopped']);
});

test('what a stop finds open at the service is looked for in the store before it is a stranger’s', async () => {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  const store = createMemoryStore();
  const first = await openTestBot(server, { store });
  await first.step(2);
  first.propose(work);
  await first.step(1);
  await first.close();
  const known = new Set<string>();
  const learn = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) if (store.holds(key)) known.add(key);
  };
  const forgetful = { ...store, ...NO_INTENTS, holds: (key: string) => known.has(key), learn };
  const second = await openTestBot(server, { store: forgetful, refuses: ['executions'] });
  open.push(second);
  await second.step(1);
  await second.bot.stop({ policy: 'stop' });
  const { items } = await second.client.executions.list({ wallet: 'main' });
  expect(items.map(({ status }) => status)).toEqual(['stopped']);
});

test('the size that a change gives to an order is in the journal for the next process', async () => {
  const server = await openTestServer({ balance: 100_000 });
  open.push(server);
  const bot = await openTestBot(server);
  open.push(bot);
  await bot.step(2);
  bot.propose(rest('level'));
  await bot.step(1);
  bot.propose(modifyOrder({ ref: 'level' }, { size: 0.02 }));
  await bot.step(1);
  const { key } = bot.store.intents().at(-1)!;
  const [, guarded] = bot.store.entries(key);
  expect(JSON.parse(guarded!.data)).toMatchObject({ resized: { size: 0.02, symbol: 'BTC' } });
});
