/** A wallet into which somebody moves funds, as a bot sees it over real sockets. */
import { afterEach, expect, test } from 'vitest';
import type { StreamFrame } from '../../../src/contract/index.ts';
import { createLiveEnv, type Env } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

interface Balance {
  asset: string;
  total: number;
}

/** The paper service has no transfers: what it shows of cash and equity is changed by this much. */
function moving(frame: StreamFrame, amount: number): StreamFrame {
  if (frame.channel !== 'account.state') return frame;
  const moved = (one: Balance): Balance =>
    one.asset === 'USDC' ? { ...one, total: one.total + amount } : one;
  const { data, event } = frame as { data: unknown; event: string };
  if (event === 'balance') return { ...frame, data: moved(data as Balance) } as StreamFrame;
  if (event !== 'snapshot') return frame;
  const { account, balances, ...rest } = data as {
    account: { equity: number };
    balances: Balance[];
  };
  const equity = account.equity + amount;
  const shown = { ...rest, account: { ...account, equity }, balances: balances.map(moved) };
  return { ...frame, data: shown } as unknown as StreamFrame;
}

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
  let amount = 0;
  const receives = (frame: StreamFrame): StreamFrame => moving(frame, amount);
  const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 });

  const first = await openTestBot(server, { store, env, receives });
  await first.step(2);
  const began = (await first.client.account.get({})).equity;
  amount = -4_000;
  first.propose(buy);
  await first.step(3);
  const earned = async (): Promise<number> => (await first.client.account.get({})).equity - began;
  const book = first.bot.book('main');
  expect(book.equity()).toBeLessThan(began - 3_000);
  expect(book.dayResult()).toBeCloseTo(await earned(), 0);
  expect(book.dayLoss()).toBeLessThan(100);
  await first.close();
  expect(logged).toEqual([]);

  amount = 9_000;
  const next = await openTestBot(server, { store, env, receives });
  open.push(next);
  await next.step(2);
  const { equity } = await next.client.account.get({});
  expect(next.bot.book('main').dayResult()).toBeCloseTo(equity - began, 0);
  expect(logged).toMatchObject([{ wallet: 'main', amount: expect.closeTo(9_000, 1) as number }]);
});
