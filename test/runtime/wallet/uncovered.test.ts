import { afterEach, expect, test } from 'vitest';
import { silentLog, type LogFields } from '../../../src/env/index.ts';
import { attachTpsl, cancelOrder, placeOrder, stopLoss } from '../../../src/intents/index.ts';
import { followBot } from '../../../src/operate/run/followBot.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 });
const resting = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.01, price: 20_000 });
const stop = attachTpsl('BTC', { stop_loss: stopLoss.price(20_000) });

const ends = ({ events }: TestBot): string[] =>
  events.flatMap((item) => {
    if (item.kind !== 'intent' || !['accepted', 'denied'].includes(item.event.state)) return [];
    const { state, emission, guard } = item.event;
    return [`${emission.intent.kind} ${guard ?? state}`];
  });

test('a position without a stop ends entries and warns once, until its stop is acknowledged', async () => {
  const server = await openTestServer();
  open.push(server);
  const guards = { max_uncovered_seconds: 150, warn_uncovered_seconds: 90 };
  const told = await openTestBot(server, { guards });
  open.push(told);
  const warned: Array<[string, LogFields | undefined]> = [];
  const warn = (text: string, fields?: LogFields) => void warned.push([text, fields]);
  followBot(told.bot, { ...silentLog, warn });
  await told.step(2);
  told.propose(buy);
  await told.step(1);
  told.propose(resting);
  await told.step(2);
  expect(ends(told)).toEqual(['place_order accepted', 'place_order accepted']);
  expect(warned).toEqual([
    [
      'BTC has been uncovered for 90 s',
      { wallet: 'main', symbol: 'BTC', size: 0.02, covered: 0, seconds: 90 },
    ],
  ]);

  await told.step(1);
  const [order] = (await told.client.orders.list()).items;
  for (const intent of [resting, cancelOrder({ order_id: order!.order_id }), stop]) {
    told.propose(intent);
  }
  await told.step(1);
  told.propose(resting);
  await told.step(3);
  expect(ends(told).slice(2)).toEqual([
    'place_order max_uncovered_seconds',
    'cancel_order accepted',
    'attach_tpsl accepted',
    'place_order accepted',
  ]);
  expect(warned).toHaveLength(1);
  expect(told.bot.coverage.uncovered()).toEqual([]);
  expect(told.bot.coverage.totalSeconds()).toBe(told.bot.coverage.longestSeconds());
  expect(told.bot.coverage.longestSeconds()).toBe(240);
  const { spent, peak } = told.bot.budgetUse();
  expect(spent).toMatchObject({ control: 2, exit: 2, entry: 6 });
  // 5 more were spent by the client that the test looks with.
  expect(peak).toBe(15);
});

test.each(['tpsl.watch', 'monitors'])(
  'where the service does not show %s, nobody takes a position for covered',
  async (channel) => {
    const server = await openTestServer();
    open.push(server);
    const guards = { max_uncovered_seconds: 150 };
    const told = await openTestBot(server, { guards, refuses: [channel] });
    open.push(told);
    await told.step(2);
    told.propose(buy);
    await told.step(4);
    told.propose(resting);
    await told.step(1);
    expect(told.bot.coverage.uncovered()).toMatchObject([{ symbol: 'BTC', covered: 0 }]);
    expect(ends(told).at(-1)).toBe('place_order max_uncovered_seconds');
  },
);

test('the stop of an entry that fills in parts covers each part', async () => {
  const server = await openTestServer({ balance: 10_000_000 });
  open.push(server);
  const told = await openTestBot(server);
  open.push(told);
  await told.step(2);
  const { mark } = await told.client.market.price({ symbol: 'BTC' });
  const price = Math.round(mark * 0.9995);
  const legs = { stop_loss: stopLoss.price(40_000) };
  told.propose(placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 40, price, ...legs }));
  await told.step(2);
  const sizeNow = () => told.bot.book('main').position('BTC');
  const before = sizeNow();
  await told.step(3);
  expect(before).toBeGreaterThan(0);
  expect(sizeNow()).toBeGreaterThan(before);
  expect(told.bot.coverage.uncovered()).toEqual([]);
});
