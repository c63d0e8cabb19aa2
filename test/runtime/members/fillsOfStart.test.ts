import { afterEach, describe, expect, test } from 'vitest';
import type { FillRecord, StreamFrame } from '../../../src/contract/index.ts';
import { closePosition, placeOrder } from '../../../src/intents/index.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const SPOT = 'HYPE/USDC';
const WALLETS = ['main', 'second'] as const;
const strategies = WALLETS.map((wallet) => ({
  name: `of-${wallet}`,
  symbols: ['BTC', SPOT],
  wallet,
}));

async function serve(): Promise<TestServer> {
  const server = await openTestServer(
    { connections: [{ label: 'second', balance: 1_000_000 }], balance: 1_000_000, warmup: 100 },
    { feeds: ['BTC', SPOT].map((symbol) => testFeed(symbol, 300)) },
  );
  open.push(server);
  return server;
}

/** A bot whose stream of one wallet can lose the frame before the next one, and the fills that its plugins get. */
async function openBot(server: TestServer, options: TestBotOptions = {}) {
  const received: Array<{ wallet: string; fill: FillRecord & { ref?: string } }> = [];
  let gapOn: string | undefined;
  let reads = 0;
  const bot = await openTestBot(server, {
    strategies,
    setup: (ctx) =>
      void ctx.fills$.subscribe((fill) => received.push({ wallet: ctx.wallet, fill })),
    receives(frame: StreamFrame) {
      const changed = options.receives?.(frame) ?? frame;
      if (frame.channel !== 'account.state' || frame.wallet !== gapOn) return changed;
      gapOn = undefined;
      return { ...changed, seq: changed.seq + 1 };
    },
    async wire({ endpoint }, send) {
      const answer = await send();
      if (endpoint === 'orders.fills') reads++;
      return answer;
    },
  });
  open.push(bot);
  // Its snapshots come with the first step.
  await bot.step(1);
  return {
    ...bot,
    received,
    /** The fills are read since a frame of the wallet seems to be missing. */
    async readFills(wallet: string) {
      const before = reads;
      gapOn = wallet;
      await bot.client.orders.place({ body: { ...buyBody, size: 0.03 }, wallet });
      await bot.step(2);
      await expect.poll(() => reads).toBeGreaterThan(before);
      await bot.step(1);
    },
  };
}

const buyBody = { symbol: 'BTC', side: 'buy', order_type: 'market' } as const;
const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.1 }, { ref: 'entry' });

/** Another bot with a journal of its own bought and sold, and ended. */
async function afterAnother(
  server: TestServer,
  end: (bot: TestBot) => Promise<void>,
): Promise<void> {
  const first = await openTestBot(server, { strategies });
  for (const { name } of strategies) first.propose(buy, name);
  await first.step(1);
  await end(first);
  await first.close();
}

async function sell(bot: TestBot): Promise<void> {
  for (const { name } of strategies) bot.propose(closePosition.atMarket('BTC'), name);
  await bot.step(1);
}

const toldOf = ({ events }: TestBot): string[] =>
  events.flatMap((event) =>
    event.kind === 'fill' ? [`${event.wallet} ${event.fill.side} ${event.fill.size}`] : [],
  );

describe.each([
  ['that left nothing', sell],
  ['whose position is taken over', async () => {}],
])('after another bot %s', (_name, end) => {
  test.each(WALLETS)(
    'fills of before the start that are read after a gap on %s reach nobody',
    async (wallet) => {
      const server = await serve();
      await afterAnother(server, end);
      const bot = await openBot(server);
      await bot.readFills(wallet);
      const since = [`${wallet} buy 0.03`];
      expect(bot.received.map((one) => `${one.wallet} ${one.fill.side} ${one.fill.size}`)).toEqual(
        since,
      );
      expect(toldOf(bot)).toEqual(since);
      const ledgers = strategies.map(({ name }) => bot.bot.ledgerOf(name).summary().fills);
      expect(ledgers.reduce((sum, fills) => sum + fills, 0)).toBe(1);
    },
  );
});

test('a fill of before the start that is stated again reaches nobody', async () => {
  const server = await serve();
  await afterAnother(server, sell);
  const { items } = await (await openBot(server)).client.orders.fills({ wallet: 'main' });
  const [old] = items;
  let isStated = false;
  const bot = await openBot(server, {
    receives(frame) {
      if (isStated || frame.channel !== 'account.state' || frame.event !== 'fill') return frame;
      isStated = true;
      return { ...frame, data: { ...old!, fee: old!.fee * 2 } } as StreamFrame;
    },
  });
  await bot.client.orders.place({ body: { ...buyBody, size: 0.03 }, wallet: 'main' });
  await bot.step(2);
  expect(isStated).toBe(true);
  const since = bot.received.filter(({ fill }) => fill.fill_id === old!.fill_id);
  expect(since).toEqual([]);
  expect(toldOf(bot)).not.toContain('main sell 0.1');
});

test('a fill since the start that a gap hid is delivered once, with its ref', async () => {
  const server = await serve();
  await afterAnother(server, async () => {});
  let isHidden = false;
  const bot = await openBot(server, {
    receives(frame) {
      if (!isHidden || frame.channel !== 'account.state' || frame.event !== 'fill') return frame;
      return { ...frame, event: 'noted' } as unknown as StreamFrame;
    },
  });
  isHidden = true;
  bot.propose(buy, 'of-main');
  await bot.step(1);
  expect(bot.received).toEqual([]);
  isHidden = false;
  await bot.readFills('main');
  const received = bot.received.map(({ fill: { size, ref } }) => `${size} ${ref}`);
  expect(received.toSorted()).toEqual(['0.03 undefined', '0.1 entry']);
});

test('what another client sold on spot before the start is not taken from what the bot bought', async () => {
  const server = await serve();
  const spot = { symbol: SPOT, order_type: 'market' } as const;
  const other = await openTestBot(server, { strategies });
  open.push(other);
  const { client } = other;
  await other.step(1);
  await client.orders.place({ body: { ...spot, side: 'buy', size: 2 }, wallet: 'main' });
  await client.orders.place({ body: { ...spot, side: 'sell', size: 1 }, wallet: 'main' });
  await other.step(1);
  const bot = await openBot(server);
  bot.propose(placeOrder.market({ symbol: SPOT, side: 'buy', size: 1 }), 'of-main');
  await bot.step(1);
  await bot.readFills('main');
  await bot.bot.stop({ policy: 'flatten' });
  const { items } = await client.account.balances({ wallet: 'main' });
  expect(items.find(({ asset }) => asset === 'HYPE')?.total).toBeCloseTo(1, 9);
});
