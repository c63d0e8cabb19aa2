import { afterEach, expect, test } from 'vitest';
import { bulkCancel, placeOrder } from '../../../src/intents/index.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

/** Strategies `one` on BTC and `two` on ETH, with one wallet. */
async function start(): Promise<TestBot> {
  const feeds = [testFeed('BTC'), testFeed('ETH')];
  const server = await openTestServer({ balance: 100_000 }, { feeds });
  open.push(server);
  const bot = await openTestBot(server, {
    strategies: [
      { name: 'one', symbols: ['BTC'] },
      { name: 'two', symbols: ['ETH'] },
    ],
  });
  open.push(bot);
  await bot.step(2);
  return bot;
}

const buy = (symbol: string) => placeOrder.limit({ symbol, side: 'buy', size: 0.1, price: 1_000 });
const resting = async ({ client }: TestBot): Promise<string[]> =>
  (await client.orders.list()).items.map(({ symbol }) => symbol).toSorted();
const endOf = ({ events }: TestBot) =>
  events.flatMap((item) => {
    if (item.kind !== 'intent' || item.event.emission.intent.kind !== 'bulk_cancel') return [];
    const { state, guard, reason } = item.event;
    return [{ state, guard, reason }];
  });

test('a cancel of all orders is denied while others have some on the wallet', async () => {
  const bot = await start();
  bot.propose(buy('BTC'), 'one');
  bot.propose(buy('ETH'), 'two');
  await bot.step(1);
  bot.propose(bulkCancel(), 'one');
  await bot.step(1);
  expect(await resting(bot)).toEqual(['BTC', 'ETH']);
  const end = endOf(bot).at(-1)!;
  expect(end).toMatchObject({ state: 'denied', guard: 'owns_symbols' });
  expect(end.reason).toContain(
    'ETH is not among its symbols (BTC); name the symbol whose orders are to be cancelled',
  );
});

test('a cancel of all orders ends all of a strategy’s own, on a wallet where there are no others', async () => {
  const bot = await start();
  for (let count = 0; count < 2; count++) bot.propose(buy('BTC'), 'one');
  await bot.step(1);
  expect(await resting(bot)).toEqual(['BTC', 'BTC']);
  bot.propose(bulkCancel(), 'one');
  await bot.step(1);
  expect(await resting(bot)).toEqual([]);
  expect(endOf(bot).at(-1)).toMatchObject({ state: 'accepted' });
});

test.each([
  ['an exit on its way', 0],
  ['an accepted exit that no frame has shown', 1],
])('a cancel of all orders is denied beside another’s: %s', async (_name, minutesLater) => {
  const feeds = [testFeed('BTC'), testFeed('ETH')];
  const server = await openTestServer({ balance: 100_000 }, { feeds });
  open.push(server);
  let isHidden = false;
  const bot = await openTestBot(server, {
    strategies: [
      { name: 'one', symbols: ['BTC'] },
      { name: 'two', symbols: ['ETH'] },
    ],
    receives(frame) {
      if (!isHidden || frame.channel !== 'account.state') return frame;
      if (frame.event === 'order') return { ...frame, event: 'noted' };
      if (frame.event !== 'snapshot') return frame;
      return { ...frame, data: { ...(frame.data as object), open_orders: [] } };
    },
  });
  open.push(bot);
  await bot.step(2);
  bot.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.1 }), 'one');
  await bot.step(1);
  isHidden = true;
  const exit = { symbol: 'BTC', side: 'sell', size: 0.1, price: 1_000_000 } as const;
  // A minute's bar of BTC comes before that of ETH.
  bot.propose(placeOrder.limit({ ...exit, reduce_only: true }), 'one');
  await bot.step(2 * minutesLater);
  if (minutesLater > 0) bot.bot.streams.resync();
  await bot.step(minutesLater);
  bot.propose(bulkCancel(), 'two');
  await bot.step(1);
  expect(endOf(bot).at(-1)).toMatchObject({ state: 'denied', guard: 'owns_symbols' });
  expect(await resting(bot)).toEqual(['BTC']);
});
