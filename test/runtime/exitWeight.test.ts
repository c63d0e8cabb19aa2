import { afterEach, expect, test } from 'vitest';
import { defaultDialect } from '../../src/contract/index.ts';
import { placeOrder } from '../../src/intents/index.ts';
import { testFeed } from '../paper/core/openTestService.ts';
import { openTestServer } from '../paper/server/openTestServer.ts';
import { openTestBot } from './openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

test('a close is reserved for each symbol of each wallet, however many orders rest on it', async () => {
  const server = await openTestServer(
    { connections: [{ label: 'second', balance: 100_000 }], balance: 100_000 },
    { feeds: [testFeed('BTC'), testFeed('ETH')] },
  );
  open.push(server);
  const strategies = [
    { name: 'grid', symbols: ['BTC'] },
    { name: 'other', symbols: ['BTC', 'ETH'], wallet: 'second' },
  ];
  const reported = await openTestBot(server, { strategies });
  open.push(reported);
  await reported.step(2);
  expect(reported.bot.exitWeight()).toBe(0);
  const { weight } = defaultDialect.endpoints['executions.launch'];
  const rest = (symbol: string, price: number) =>
    placeOrder.limit({ symbol, side: 'buy', size: 0.01, price });
  reported.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.01 }), 'grid');
  for (const price of [20_000, 21_000, 22_000]) reported.propose(rest('BTC', price), 'grid');
  await reported.step(2);
  expect(reported.bot.book('main').openOrders()).toHaveLength(3);
  expect(reported.bot.exitWeight()).toBe(weight);
  for (const price of [20_000, 21_000]) reported.propose(rest('BTC', price), 'other');
  reported.propose(rest('ETH', 1_500), 'other');
  await reported.step(2);
  expect(reported.bot.book('second').openOrders()).toHaveLength(3);
  expect(reported.bot.exitWeight()).toBe(3 * weight);
});
