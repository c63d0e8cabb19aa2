import { afterEach, expect, test } from 'vitest';
import { placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openTwoWallets, STRATEGIES } from '../../operate/watchedBot.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

/** A bot that follows BTC, on a wallet on which others trade ETH, which it does not. */
async function start(guards: object, more: TestBotOptions = {}): Promise<TestBot> {
  const server = await openTestServer(
    { balance: 100_000 },
    { feeds: [testFeed('BTC'), testFeed('ETH')] },
  );
  open.push(server);
  const reported = await openTestBot(server, { guards, ...more });
  open.push(reported);
  await reported.step(2);
  return reported;
}

const ends = ({ events }: TestBot): string[] =>
  events.flatMap((item) => {
    if (item.kind !== 'intent' || !['accepted', 'denied'].includes(item.event.state)) return [];
    return [item.event.reason ?? item.event.state];
  });
const entry = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.01 });
const body = { symbol: 'ETH', side: 'buy', size: 0.01 } as const;
const limits = [{ max_leverage: 3 }, { max_gross_notional: 50_000 }] as const;

test.each(limits)('a foreign order counts by its own price against %o', async (guards) => {
  const reported = await start(guards);
  await reported.client.orders.place({ body: { ...body, order_type: 'limit', price: 20_000 } });
  await reported.step(1);
  reported.propose(entry);
  await reported.step(1);
  expect(ends(reported)).toEqual(['accepted']);
});

test.each(limits)('a foreign position counts by its mark against %o', async (guards) => {
  const reported = await start(guards);
  await reported.client.orders.place({ body: { ...body, order_type: 'market' } });
  await reported.step(1);
  reported.propose(entry);
  await reported.step(1);
  expect(ends(reported)).toEqual(['accepted']);
});

test.each([
  [{ max_leverage: 1 }, /gross notional would be 3\.\d\d × equity, above 1; of it/],
  [{ max_gross_notional: 50_000 }, /the wallet would reach \d+\.\d\d gross, above 50000; of it/],
])('if that exceeds %o, the reason names symbol and order', async (guards, words) => {
  const reported = await start(guards);
  const large = { ...body, size: 15, order_type: 'limit', price: 20_000 } as const;
  const { order_id } = await reported.client.orders.place({ body: large });
  await reported.step(1);
  reported.propose(entry);
  await reported.step(1);
  const [reason] = ends(reported);
  expect(reason).toMatch(words);
  expect(reason).toContain(`that the bot does not follow: ETH (order ${order_id}) 300000.00`);
});

test.each(limits)('tokens that the service does not list end no entries by %o', async (guards) => {
  const spam = { asset: 'SPAM', total: 5, available: 5, held: 0 };
  const reported = await start(guards, {
    receives(frame) {
      if (frame.channel !== 'account.state' || frame.event !== 'snapshot') return frame;
      const data = frame.data as { balances: readonly object[] };
      return { ...frame, data: { ...data, balances: [...data.balances, spam] } } as typeof frame;
    },
  });
  reported.propose(entry);
  await reported.step(1);
  expect(ends(reported)).toEqual(['accepted']);
});

test('an order without a price is valued by a price read on demand, and denied until then', async () => {
  const reported = await start({ max_leverage: 3 });
  const params = { duration_seconds: 86_400 };
  const request = { symbol: 'ETH', side: 'buy', total_size: 0.01, algo: 'pacemaker', params };
  const { execution_id } = await reported.client.executions.launch({
    body: request as never,
    idempotencyKey: 'somebodys',
  });
  await reported.step(1);
  reported.propose(entry);
  await reported.step(1);
  reported.propose(entry);
  await reported.step(1);
  const [first, last] = ends(reported);
  expect(last).toBe('accepted');
  if (first !== 'accepted') expect(first).toContain(execution_id);
});

test('a start names what others have open, on each of its wallets', async () => {
  const server = await openTwoWallets();
  open.push(server);
  const before = await openTestBot(server, { strategies: STRATEGIES });
  await before.step(2);
  const places = [
    { wallet: 'main', symbol: 'BTC', price: 20_000 },
    { wallet: 'second', symbol: 'ETH', price: 1_000 },
  ] as const;
  for (const { wallet, symbol, price } of places)
    await before.client.orders.place({
      body: { symbol, side: 'buy', size: 0.02, order_type: 'limit', price },
      wallet,
    });
  await before.close();
  const bot = await openTestBot(server, { strategies: STRATEGIES, store: createMemoryStore() });
  open.push(bot);
  await bot.step(2);
  const works = bot.events.flatMap((event) => (event.kind === 'foreign' ? [event.works] : []));
  expect(works.map(({ wallet, orders }) => [wallet, orders.map(({ symbol }) => symbol)])).toEqual([
    ['main', ['BTC']],
    ['second', ['ETH']],
  ]);
});
