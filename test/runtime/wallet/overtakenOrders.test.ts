import { afterEach, expect, test } from 'vitest';
import { placeOrder } from '../../../src/intents/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

test('an order of which no frame ever came holds the room of entries no longer than to a later account', async () => {
  const server = await openTestServer();
  open.push(server);
  let isHidden = true;
  const bot = await openTestBot(server, {
    guards: { max_position_notional: 9_000 },
    receives: (frame) =>
      isHidden && frame.channel === 'account.state' && frame.event === 'order'
        ? { ...frame, event: 'noted' }
        : frame,
  });
  open.push(bot);
  const endOf = () => bot.events.findLast((one) => one.kind === 'intent');
  const entry = { symbol: 'BTC', side: 'buy', size: 0.1, price: 20_000 } as const;
  await bot.step(2);
  bot.propose(placeOrder.limit(entry));
  await bot.step(1);
  const [resting] = (await bot.client.orders.list({})).items;
  await bot.client.orders.cancel({ id: resting!.order_id });
  bot.propose(placeOrder.limit(entry));
  await bot.step(1);
  expect(endOf()).toMatchObject({ event: { state: 'denied', guard: 'max_position_notional' } });
  isHidden = false;
  bot.bot.streams.resync();
  await bot.step(1);
  bot.propose(placeOrder.limit(entry));
  await bot.step(1);
  expect(endOf()).toMatchObject({ event: { state: 'accepted' } });
});
