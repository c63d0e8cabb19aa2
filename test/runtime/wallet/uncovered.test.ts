import { afterEach, describe, expect, test } from 'vitest';
import {
  silentLog,
  type LinkFault,
  type LinkListener,
  type LogFields,
} from '../../../src/env/index.ts';
import {
  attachTpsl,
  cancelOrder,
  createMonitor,
  placeOrder,
  retireTpsl,
  stopLoss,
  type Intent,
} from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
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
  const reported = await openTestBot(server, { guards });
  open.push(reported);
  const warned: Array<[string, LogFields | undefined]> = [];
  const warn = (text: string, fields?: LogFields) => void warned.push([text, fields]);
  followBot(reported.bot, { ...silentLog, warn });
  await reported.step(2);
  reported.propose(buy);
  await reported.step(1);
  reported.propose(resting);
  await reported.step(2);
  expect(ends(reported)).toEqual(['place_order accepted', 'place_order accepted']);
  expect(warned).toEqual([
    [
      'BTC has been uncovered for 90 s',
      { wallet: 'main', symbol: 'BTC', size: 0.02, covered: 0, seconds: 90 },
    ],
  ]);

  await reported.step(1);
  const [order] = (await reported.client.orders.list()).items;
  for (const intent of [resting, cancelOrder({ order_id: order!.order_id }), stop]) {
    reported.propose(intent);
  }
  await reported.step(1);
  reported.propose(resting);
  await reported.step(3);
  expect(ends(reported).slice(2)).toEqual([
    'place_order max_uncovered_seconds',
    'cancel_order accepted',
    'attach_tpsl accepted',
    'place_order accepted',
  ]);
  expect(warned).toHaveLength(1);
  expect(reported.bot.coverage.uncovered()).toEqual([]);
  expect(reported.bot.coverage.totalSeconds()).toBe(reported.bot.coverage.longestSeconds());
  expect(reported.bot.coverage.longestSeconds()).toBe(240);
  const { spent, peak } = reported.bot.budgetUse();
  expect(spent).toMatchObject({ control: 2, exit: 2, entry: 6 });
  // 5 more were spent by the client that the test looks with.
  expect(peak).toBe(15);
});

test.each(['tpsl.watch', 'monitors'])(
  'if the service does not show %s, a position is not considered covered',
  async (channel) => {
    const server = await openTestServer();
    open.push(server);
    const guards = { max_uncovered_seconds: 150 };
    const reported = await openTestBot(server, { guards, refuses: [channel] });
    open.push(reported);
    await reported.step(2);
    reported.propose(buy);
    await reported.step(4);
    reported.propose(resting);
    await reported.step(1);
    expect(reported.bot.coverage.uncovered()).toMatchObject([{ symbol: 'BTC', covered: 0 }]);
    expect(ends(reported).at(-1)).toBe('place_order max_uncovered_seconds');
  },
);

describe('a position with a stop, once a subscription is refused again', () => {
  const monitor = createMonitor({
    trigger: { type: 'price_level', symbol: 'BTC', price: 20_000, direction: 'below' },
    action: {
      type: 'order',
      request: {
        symbol: 'BTC',
        side: 'sell',
        size: 0.02,
        order_type: 'market',
        reduce_only: true,
      },
    },
  });

  /** Sizes that are covered before and after the refusal. */
  async function coveredAfter(protection: Intent, refusal: object): Promise<unknown[]> {
    const server = await openTestServer();
    open.push(server);
    let listener: LinkListener | undefined;
    const reported = await openTestBot(server, { onListener: (one) => void (listener = one) });
    open.push(reported);
    await reported.step(2);
    reported.propose(buy);
    await reported.step(2);
    reported.propose(protection);
    await reported.step(2);
    const before = reported.bot.coverage.uncovered();
    listener!.onFault!({ kind: 'refused', ...refusal } as LinkFault);
    return [before, reported.bot.coverage.uncovered()];
  }
  const refused = (channel: string, params: object = {}, more: object = {}) => ({
    subscription: { channel, params },
    error: { code: 'insufficient_scope', message: '' },
    ...more,
  });

  test.each([
    ['tpsl.watch', stop],
    ['monitors', monitor],
  ])('for good, is uncovered: %s', async (channel, protection) => {
    const [before, after] = await coveredAfter(protection, refused(channel));
    expect(before).toEqual([]);
    expect(after).toMatchObject([{ symbol: 'BTC', covered: 0 }]);
  });

  test.each([
    ['tpsl.watch', {}, { isAskedAgain: true }, stop],
    ['monitors', {}, { isAskedAgain: true }, monitor],
    ['tpsl.watch', { wallet: 'second' }, {}, stop],
    ['monitors', { wallet: 'second' }, {}, monitor],
  ])('for now, or for another wallet, is as covered as before: %s %o %o', async (...row) => {
    const [channel, params, more, protection] = row;
    const both = await coveredAfter(protection, refused(channel, params, more));
    expect(both).toEqual([[], []]);
  });
});

test('the stop of an entry that fills in parts covers each part', async () => {
  const server = await openTestServer({ balance: 10_000_000 });
  open.push(server);
  const reported = await openTestBot(server);
  open.push(reported);
  await reported.step(2);
  const { mark } = await reported.client.market.price({ symbol: 'BTC' });
  const price = Math.round(mark * 0.9995);
  const legs = { stop_loss: stopLoss.price(40_000) };
  reported.propose(placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 40, price, ...legs }));
  await reported.step(2);
  const sizeNow = () => reported.bot.book('main').position('BTC');
  const before = sizeNow();
  await reported.step(3);
  expect(before).toBeGreaterThan(0);
  expect(sizeNow()).toBeGreaterThan(before);
  expect(reported.bot.coverage.uncovered()).toEqual([]);
});

test('the time without a stop goes on in the next process, and ends with the position', async () => {
  const server = await openTestServer();
  open.push(server);
  const store = createMemoryStore();
  const guards = { max_uncovered_seconds: 200, warn_uncovered_seconds: 200 };
  const alarms = ({ events }: TestBot) =>
    events.flatMap((event) => (event.kind === 'uncovered' ? [event.alarm.seconds] : []));
  const next = async (minutes: number): Promise<TestBot> => {
    const reported = await openTestBot(server, { guards, store });
    open.push(reported);
    await reported.step(minutes);
    return reported;
  };
  const first = await next(2);
  first.propose(buy);
  await first.step(3);
  expect(alarms(first)).toEqual([]);
  await first.bot.stop();

  const second = await next(2);
  const { coverage } = second.bot;
  expect(alarms(second)).toEqual([expect.closeTo(240, -2)]);
  // The figures are those of a process.
  expect(coverage.longestSeconds()).toBeLessThanOrEqual(120);
  second.propose(resting);
  await second.step(1);
  expect(ends(second)).toEqual(['place_order max_uncovered_seconds']);
  second.propose(stop);
  await second.step(1);
  second.propose(retireTpsl('BTC'));
  await second.step(1);
  await second.bot.stop();

  const third = await next(1);
  third.propose(resting);
  await third.step(1);
  expect(ends(third)).toEqual(['place_order accepted']);
});
