import { afterEach, expect, test } from 'vitest';
import type { StreamFrame } from '../../../src/contract/index.ts';
import { closePosition, placeOrder } from '../../../src/intents/index.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

async function openServer(): Promise<TestServer> {
  const feeds = [testFeed('BTC', 300)];
  const server = await openTestServer({ warmup: 100 }, { feeds });
  open.push(server);
  return server;
}

async function openBot(server: TestServer, options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await openTestBot(server, options);
  open.push(bot);
  return bot;
}

const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.1 });

/** One bot buys and ends; the next takes its position over. */
async function afterABuy(server: TestServer): Promise<void> {
  const first = await openTestBot(server);
  first.propose(buy);
  await first.step(2);
  expect(first.bot.ledgerOf('told').position('BTC')).toBe(0.1);
  await first.close();
}

test('a fill of before the start that is read after a gap is in the position taken over', async () => {
  const server = await openServer();
  await afterABuy(server);
  let isGap = false;
  let reads = 0;
  const next = await openBot(server, {
    receives(frame: StreamFrame) {
      if (!isGap || frame.channel !== 'account.state') return frame;
      isGap = false;
      return { ...frame, seq: frame.seq + 1 };
    },
    async wire({ endpoint }, send) {
      const answer = await send();
      if (endpoint === 'orders.fills') reads++;
      return answer;
    },
  });
  const ledger = next.bot.ledgerOf('told');
  await next.step(1);
  expect(ledger.position('BTC')).toBe(0.1);
  isGap = true;
  next.propose(closePosition.atMarket('BTC'));
  await next.step(2);
  await expect.poll(() => reads).toBeGreaterThan(0);
  await next.step(1);
  expect(ledger.position('BTC')).toBe(0);
  expect(ledger.summary()).toMatchObject({ fills: 1 });
  const { fees_paid: fees, realized_pnl: realized } = await next.client.account.get();
  expect(next.bot.book('main').account()!.fees_paid).toBeCloseTo(fees, 9);
  expect(ledger.summary().realizedPnl).toBeCloseTo(realized, 6);
});

test.each([
  ['while one strategy holds what is charged', ['BTC'], 0.1, true],
  ['however little it is', ['BTC'], 0.0001, true],
  ['not while several hold something', ['BTC', 'ETH'], 0.1, false],
])(
  'funding that no frame reported is charged by the next snapshot: %s',
  async (_name, held, size, isCharged) => {
    const feeds = [testFeed('BTC', 300), testFeed('ETH', 300)];
    const server = await openTestServer({ warmup: 100 }, { feeds });
    open.push(server);
    let isLost = false;
    const { bot, client, propose, step } = await openBot(server, {
      strategies: [
        { name: 'one', symbols: ['BTC'] },
        { name: 'two', symbols: ['ETH'] },
      ],
      receives(frame: StreamFrame) {
        if (frame.channel !== 'account.state' || frame.event !== 'funding') return frame;
        isLost = true;
        return { ...frame, event: 'noted' } as unknown as StreamFrame;
      },
    });
    await step(1);
    propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: size + 0.001 }), 'one');
    await step(1);
    const rest = { symbol: 'BTC', side: 'sell', size: 0.001, reduce_only: true } as const;
    propose(placeOrder.market(rest), 'one');
    if (held.includes('ETH')) {
      propose(placeOrder.market({ symbol: 'ETH', side: 'buy', size: 0.1 }), 'two');
    }
    for (let minute = 0; minute < 70 && !isLost; minute++) await step(1);
    expect(isLost).toBe(true);
    bot.streams.resync();
    await step(1);
    const { funding_paid: paid } = await client.account.get();
    expect(paid).not.toBe(0);
    expect(bot.book('main').account()!.funding_paid).toBeCloseTo(paid, 9);
    expect(bot.ledgerOf('one').summary().funding).toBeCloseTo(isCharged ? paid : 0, 9);
    expect(bot.book('main').position('BTC')).toBe(size);
    expect(bot.ledgerOf('two').summary().funding).toBe(0);
  },
);

test.each([
  ['to the only strategy of a wallet', ['one'], true],
  ['to none of several', ['one', 'two'], false],
])(
  'funding of a position that was opened and closed unseen is charged %s',
  async (_name, names, isCharged) => {
    const feeds = [testFeed('BTC', 300), testFeed('ETH', 300)];
    const server = await openTestServer({ warmup: 100 }, { feeds });
    open.push(server);
    let isHidden = false;
    let isPaid = false;
    const { bot, client, propose, step } = await openBot(server, {
      strategies: names.map((name, at) => ({ name, symbols: [['BTC', 'ETH'][at]!] })),
      receives(frame: StreamFrame) {
        if (!isHidden || frame.channel !== 'account.state') return frame;
        if (frame.event === 'funding') isPaid = true;
        return { ...frame, event: 'noted' } as unknown as StreamFrame;
      },
    });
    await step(1);
    isHidden = true;
    propose(buy, 'one');
    for (let minute = 0; minute < 70 && !isPaid; minute++) await step(1);
    propose(
      placeOrder.market({ symbol: 'BTC', side: 'sell', size: 0.1, reduce_only: true }),
      'one',
    );
    await step(2);
    isHidden = false;
    bot.streams.resync();
    await step(1);
    const { funding_paid: paid } = await client.account.get();
    expect(paid).not.toBe(0);
    expect(bot.book('main').position('BTC')).toBe(0);
    expect(bot.ledgerOf('one').summary().funding).toBeCloseTo(isCharged ? paid : 0, 9);
  },
);

test('funding counts at once in the account of its wallet, and in the ledger of its symbol’s owner', async () => {
  const feeds = [testFeed('BTC', 300), testFeed('ETH', 300)];
  const connections = [{ label: 'side', balance: 50_000 }];
  const server = await openTestServer({ warmup: 100, connections }, { feeds });
  open.push(server);
  let payments = 0;
  const { bot, client, propose, step } = await openBot(server, {
    strategies: [
      { name: 'one', symbols: ['BTC'] },
      { name: 'two', symbols: ['ETH'], wallet: 'side' },
    ],
    receives(frame: StreamFrame) {
      if (frame.channel === 'account.state' && frame.event === 'funding') payments++;
      return frame;
    },
  });
  await step(1);
  propose(buy, 'one');
  propose(placeOrder.market({ symbol: 'ETH', side: 'sell', size: 0.7 }), 'two');
  for (let minute = 0; minute < 70 && payments === 0; minute++) await step(1);
  expect(payments).toBe(2);
  const paid: number[] = [];
  for (const [wallet, name] of [
    ['main', 'one'],
    ['side', 'two'],
  ] as const) {
    const { funding_paid: amount } = await client.account.get({ wallet });
    expect(amount).not.toBe(0);
    expect(bot.book(wallet).account()!.funding_paid).toBeCloseTo(amount, 9);
    expect(bot.ledgerOf(name).summary().funding).toBeCloseTo(amount, 9);
    paid.push(amount);
  }
  expect(paid[0]).not.toBeCloseTo(paid[1]!, 6);
});
