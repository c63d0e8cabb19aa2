import { afterEach, expect, test } from 'vitest';
import { createMonitor } from '../../../src/intents/index.ts';
import type { OrderRequest } from '../../../src/contract/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const order = (over: Partial<OrderRequest> = {}): OrderRequest =>
  ({
    symbol: 'BTC',
    side: 'buy',
    size: 0.02,
    order_type: 'limit',
    price: 20_000,
    ...over,
  }) as OrderRequest;
const armed = (request: OrderRequest, price = 20_100) =>
  createMonitor({
    trigger: { type: 'price_level', symbol: 'BTC', price, direction: 'below' },
    action: { type: 'order', request },
  });

/** A bot on its own paper service, ready to trade. */
async function startBot(): Promise<TestBot> {
  const server = await openTestServer();
  open.push(server);
  const reported = await openTestBot(server);
  open.push(reported);
  await reported.step(2);
  return reported;
}

const ends = ({ events }: TestBot): string[] =>
  events.flatMap((item) => {
    if (item.kind !== 'intent' || !['accepted', 'denied'].includes(item.event.state)) return [];
    const { state, emission, guard } = item.event;
    return [`${emission.intent.kind} ${guard ?? state}`];
  });

test('an armed monitor counts with its potential exposure, in this process and in the next', async () => {
  const server = await openTestServer();
  open.push(server);
  const store = createMemoryStore();
  const guards = { max_position_notional: 1_500 };
  const first = await openTestBot(server, { guards, store });
  await first.step(2);
  first.propose(armed(order()));
  await first.step(2);
  first.propose(armed(order()));
  await first.step(1);
  expect(ends(first)).toEqual(['create_monitor accepted', 'create_monitor max_position_notional']);
  await first.close();

  const next = await openTestBot(server, { guards, store });
  open.push(next);
  await next.step(2);
  next.propose(armed(order()));
  await next.step(1);
  next.propose(armed(order({ reduce_only: true, side: 'sell' })));
  await next.step(1);
  expect(ends(next)).toEqual(['create_monitor max_position_notional', 'create_monitor accepted']);
});

const statuses = async ({ client }: TestBot): Promise<string[]> =>
  (await client.monitors.list()).items.map(({ status }) => status);

test('a kill level stops the bot’s monitors that may enter, and no foreign ones', async () => {
  const server = await openTestServer();
  open.push(server);
  const store = createMemoryStore();
  const first = await openTestBot(server, { store });
  await first.step(2);
  first.propose(armed(order()));
  first.propose({
    ...armed(order()),
    request: { ...armed(order()).request, rearm: true, name: 'mine' },
  });
  first.propose(armed(order({ reduce_only: true, side: 'sell' })));
  await first.step(1);
  await first.client.monitors.create({ body: armed(order()).request });
  await first.close();

  const reported = await openTestBot(server, { store });
  open.push(reported);
  await reported.step(2);
  expect((await statuses(reported)).filter((status) => status === 'armed')).toHaveLength(4);
  await reported.bot.kill('L2', 'a test');
  await reported.step(1);
  const { items } = await reported.client.monitors.list();
  const standing = items.filter(({ status }) => status === 'armed');
  const reduces = standing.map(({ action }) =>
    JSON.stringify(action).includes('"reduce_only":true'),
  );
  expect(reduces.toSorted()).toEqual([false, true]);
});

test('the stop policy ends the bot’s monitors before the bot stops', async () => {
  const reported = await startBot();
  reported.propose(armed(order()));
  await reported.step(1);
  await reported.bot.stop({ policy: 'flatten' });
  expect(await statuses(reported)).toEqual(['stopped']);
});

test('the stop policy pause disarms the bot’s entering monitors, and leaves protection armed', async () => {
  const reported = await startBot();
  reported.propose(armed(order()));
  reported.propose(armed(order({ reduce_only: true, side: 'sell' })));
  await reported.step(1);
  const foreign = await reported.client.monitors.create({ body: armed(order()).request });
  await reported.step(1);
  await reported.bot.stop({ policy: 'pause' });
  const { items } = await reported.client.monitors.list();
  const standing = items.filter(({ status }) => status === 'armed');
  expect(items.filter(({ status }) => status === 'paused')).toHaveLength(1);
  expect(standing).toHaveLength(2);
  expect(standing.map(({ monitor_id }) => monitor_id)).toContain(foreign.monitor_id);
  expect(JSON.stringify(standing)).toContain('"reduce_only":true');
});

test('orders of the bot’s monitors are its own, and end with its entries', async () => {
  const reported = await startBot();
  const { mark } = await reported.client.market.price({ symbol: 'BTC' });
  // Both sides of the market, so that one of them is crossed whatever the price does.
  for (const direction of ['above', 'below'] as const) {
    for (const bps of [-20, -10, -5, 5, 10, 20]) {
      const price = Math.round(mark * (1 + bps / 10_000));
      reported.propose(
        createMonitor({
          trigger: { type: 'price_level', symbol: 'BTC', price, direction },
          action: { type: 'order', request: order({ price: 20_000, size: 0.001 }) },
        }),
      );
    }
  }
  await reported.step(90);
  expect((await statuses(reported)).filter((status) => status === 'fired')).not.toEqual([]);
  expect((await reported.client.orders.list()).items).not.toEqual([]);
  await reported.bot.kill('L2', 'a test');
  await reported.step(1);
  expect((await reported.client.orders.list()).items).toEqual([]);
});
