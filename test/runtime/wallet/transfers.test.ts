/** A wallet into which somebody moves funds, as a bot sees it over real sockets. */
import { afterEach, expect, test } from 'vitest';
import { createLiveEnv, type Env } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const move = (server: TestServer, amount: number) =>
  server.control('POST', '/paper/transfers', { amount });

test('a transfer is no result of the day, while the bot runs and while it is away, and is logged once', async () => {
  const server = await openTestServer();
  open.push(server);
  const store = createMemoryStore();
  const logged: unknown[] = [];
  const live = createLiveEnv();
  const warn: Env['log']['warn'] = (message, fields) => {
    if (message.startsWith('Funds were moved')) logged.push(fields);
  };
  const env: Env = { ...live, log: { ...live.log, warn } };
  const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 });

  const first = await openTestBot(server, { store, env });
  await first.step(2);
  const began = (await first.client.account.get({})).equity;
  await move(server, -4_000);
  first.propose(buy);
  await first.step(3);
  const earned = async (): Promise<number> =>
    (await first.client.account.get({})).equity - began + 4_000;
  const book = first.bot.book('main');
  expect(book.equity()).toBeLessThan(began - 3_000);
  expect(book.dayResult()).toBeCloseTo(await earned(), 0);
  expect(book.dayLoss()).toBeLessThan(100);
  await first.close();
  expect(logged).toEqual([]);

  await move(server, 13_000);
  const next = await openTestBot(server, { store, env });
  open.push(next);
  await next.step(2);
  const { equity } = await next.client.account.get({});
  expect(next.bot.book('main').dayResult()).toBeCloseTo(equity - began - 9_000, 0);
  expect(logged).toMatchObject([{ wallet: 'main', amount: expect.closeTo(9_000, 1) as number }]);
});
