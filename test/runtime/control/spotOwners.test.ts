/** Spot beside perps, on two wallets: what is owned, what has lost its owner, what was never the bot's. */
import { afterEach, describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import type { OwnerDecision } from '../../../src/runtime/control/createOwnerDecisions.ts';
import { createOwners } from '../../../src/runtime/control/createOwners.ts';
import { createOwnership } from '../../../src/runtime/control/createOwnership.ts';
import { createSpotPositions } from '../../../src/runtime/control/createSpotPositions.ts';
import { generateFeed } from '../../../src/paper/index.ts';
import { TAPE_START, testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const PERPS = { name: 'perps', symbols: ['BTC'] };
const SPOT = { name: 'spot', symbols: ['HYPE/USDC'], wallet: 'second' };
/** The strategy on the second wallet has moved to another symbol. */
const MOVED = [PERPS, { ...SPOT, symbols: ['ETH'] }];

async function serve(): Promise<TestServer> {
  const server = await openTestServer(
    { connections: [{ label: 'second', balance: 100_000 }], balance: 100_000 },
    { feeds: [testFeed('BTC'), testFeed('ETH'), cheapFeed('HYPE/USDC')] },
  );
  open.push(server);
  return server;
}

/** As the others, at a price of which a wallet can hold hundreds. */
const cheapFeed = (symbol: string) =>
  generateFeed({
    symbol,
    bars: 2_000,
    interval: '1m',
    seed: 'test',
    startTime: TAPE_START,
    startPrice: 100,
    volume: 1_000_000,
  });

interface Over {
  store: JournalStore;
  decisions?: readonly OwnerDecision[];
}

async function start(
  server: TestServer,
  strategies: ReadonlyArray<{ name: string; symbols: readonly string[]; wallet?: string }>,
  over: Over,
): Promise<TestBot> {
  const bot = await openTestBot(server, { strategies, ...over });
  open.push(bot);
  await bot.step(2);
  return bot;
}

/** A process in which `spot` buys HYPE, and a resting order for more of it stays behind. */
async function leaveHolding(server: TestServer, store: JournalStore, size = 3): Promise<void> {
  const first = await start(server, [PERPS, SPOT], { store });
  first.propose(placeOrder.market({ symbol: 'HYPE/USDC', side: 'buy', size }), 'spot');
  await first.step(2);
  await first.bot.stop();
}

const serviceEquity = async ({ client }: TestBot): Promise<number> =>
  (await client.account.get({ wallet: 'second' })).equity;
const equityOf = ({ bot }: TestBot): number => bot.book('second').account()!.equity;

async function enter(bot: TestBot, instance: string, symbol: string): Promise<string> {
  const before = bot.events.length;
  bot.propose(placeOrder.market({ symbol, side: 'buy', size: 0.02 }), instance);
  await bot.step(1);
  const states = bot.events.slice(before).flatMap((item) => {
    if (item.kind !== 'intent' || item.event.emission.instance !== instance) return [];
    const { state, reason } = item.event;
    return state === 'accepted' ? [state] : state === 'denied' ? [reason ?? state] : [];
  });
  return states[0] ?? 'nothing';
}

const UNOWNED = "the position in HYPE/USDC on second was spot's and no strategy owns it";

describe('a wallet with an asset that no strategy trades', () => {
  test('has the service’s equity from the first bar on, and has lost nothing', async () => {
    const server = await serve();
    const store = createMemoryStore();
    await leaveHolding(server, store, 300);
    const next = await openTestBot(server, { strategies: MOVED, store });
    open.push(next);
    for (let at = 0; at < 5; at++) {
      await next.step(1);
      expect(equityOf(next)).toBeCloseTo(await serviceEquity(next), 6);
    }
    expect(next.bot.book('second').dayLoss()).toBeLessThan(100);
  });

  test('neither gains nor loses where it is bought or sold by hand, beyond what the sale costs', async () => {
    const server = await serve();
    const bot = await start(server, MOVED, { store: createMemoryStore() });
    const book = bot.bot.book('second');
    for (const side of ['buy', 'sell'] as const) {
      const body = { symbol: 'HYPE/USDC', side, size: 100, order_type: 'market' } as const;
      await bot.client.orders.place({ body, wallet: 'second' });
      await bot.step(2);
      expect(equityOf(bot)).toBeCloseTo(await serviceEquity(bot), 6);
    }
    const worth = 100 * bot.bot.mark('HYPE/USDC')!.price;
    expect(Math.abs(book.dayResult()!)).toBeLessThan(worth / 10);
    expect(worth).toBeGreaterThan(100);
    // It was never this bot's: nothing waits for an operator.
    expect(bot.bot.closedWallet('second')).toEqual([]);
    expect(await enter(bot, 'spot', 'ETH')).toBe('accepted');
  });
});

describe('a spot holding', () => {
  test('that is owned is a position of its strategy, with what it paid', async () => {
    const server = await serve();
    const bot = await start(server, [PERPS, SPOT], { store: createMemoryStore() });
    bot.propose(placeOrder.market({ symbol: 'HYPE/USDC', side: 'buy', size: 3 }), 'spot');
    await bot.step(3);
    const { price } = bot.bot.mark('HYPE/USDC')!;
    const [fill] = bot.events.flatMap((one) => (one.kind === 'fill' ? [one.fill] : []));
    const [held, ...others] = bot.bot.spotPositions('second');
    expect(others).toEqual([]);
    expect(held).toMatchObject({ symbol: 'HYPE/USDC', size: 3, price, entryPrice: fill!.price });
    expect(held!.unrealizedPnl).toBeCloseTo(3 * (price - fill!.price), 9);
    expect(held!.standing).toEqual({ kind: 'owned', strategy: 'spot' });
    expect(bot.bot.spotPositions('main')).toEqual([]);
  });

  test('that lost its strategy closes its wallet and no other, for as long as it is held', async () => {
    const server = await serve();
    const store = createMemoryStore();
    await leaveHolding(server, store);
    const next = await start(server, MOVED, { store });
    expect(next.bot.closedWallet('second')).toEqual([expect.stringContaining(UNOWNED)]);
    expect(next.bot.closedWallet('main')).toEqual([]);
    expect(next.bot.spotPositions('second')).toMatchObject([
      { symbol: 'HYPE/USDC', size: 3, standing: { kind: 'orphan', former: 'spot' } },
    ]);
    expect(await enter(next, 'spot', 'ETH')).toContain(UNOWNED);
    expect(await enter(next, 'perps', 'BTC')).toBe('accepted');
    const body = { symbol: 'HYPE/USDC', side: 'sell', size: 3, order_type: 'market' } as const;
    await next.client.orders.place({ body, wallet: 'second' });
    await next.step(2);
    expect(next.bot.closedWallet('second')).toEqual([]);
    expect(next.bot.spotPositions('second')).toEqual([]);
    expect(await enter(next, 'spot', 'ETH')).toBe('accepted');
  });

  test('that others left is no position of a gone strategy that sold all it had bought', async () => {
    const server = await serve();
    const store = createMemoryStore();
    const first = await start(server, [PERPS, SPOT], { store });
    const body = { symbol: 'HYPE/USDC', side: 'buy', size: 2, order_type: 'market' } as const;
    await first.client.orders.place({ body, wallet: 'second' });
    for (const side of ['buy', 'sell'] as const) {
      first.propose(placeOrder.market({ symbol: 'HYPE/USDC', side, size: 3 }), 'spot');
      await first.step(2);
    }
    await first.bot.stop();
    const next = await start(server, MOVED, { store });
    expect(next.bot.book('second').position('HYPE/USDC')).toBeCloseTo(2, 9);
    expect(next.bot.closedWallet('second')).toEqual([]);
    expect(await enter(next, 'spot', 'ETH')).toBe('accepted');
  });

  test('that is worth less than an order can be is shown, and waits for nobody', async () => {
    const server = await serve();
    const store = createMemoryStore();
    const first = await start(server, [PERPS, SPOT], { store });
    for (const [side, size] of [
      ['buy', 0.3],
      ['sell', 0.25],
    ] as const) {
      first.propose(placeOrder.market({ symbol: 'HYPE/USDC', side, size }), 'spot');
      await first.step(2);
    }
    await first.bot.stop();
    const next = await start(server, MOVED, { store });
    const [rest] = next.bot.spotPositions('second');
    expect(rest).toMatchObject({ standing: { kind: 'unmanaged' } });
    expect(rest!.size).toBeCloseTo(0.05, 9);
    expect(next.bot.closedWallet('second')).toEqual([]);
    expect(await enter(next, 'spot', 'ETH')).toBe('accepted');
  });

  test('of less than a step of its instrument counts as nothing', () => {
    const holdings = [0.009, 0.01].map((size, at) => ({ symbol: `A${at}/USDC`, size, price: 2 }));
    const list = createSpotPositions({
      plan: { instruments: holdings.map(({ symbol }) => ({ symbol, size_decimals: 2 })) as never },
      bookOf: () => ({ spotHoldings: () => holdings }) as never,
      owners: { standingOf: () => ({ kind: 'unmanaged' }) },
      ledgerOf: () => undefined,
    });
    expect(list('main').map(({ symbol }) => symbol)).toEqual(['A1/USDC']);
  });

  test('that an order of a gone strategy brings later has no owner from then on', async () => {
    const server = await serve();
    const store = createMemoryStore();
    const first = await start(server, [PERPS, SPOT], { store });
    const { price } = first.bot.mark('HYPE/USDC')!;
    const under = Number((price * 0.9).toPrecision(4));
    first.propose(
      placeOrder.limit({ symbol: 'HYPE/USDC', side: 'buy', size: 3, price: under }),
      'spot',
    );
    await first.step(2);
    await first.bot.stop();
    const next = await start(server, MOVED, { store });
    expect(next.bot.closedWallet('second')).toEqual([]);
    const [order] = next.bot.book('second').openOrders();
    expect(order).toMatchObject({ symbol: 'HYPE/USDC', side: 'buy', size: 3 });
    const body = { price: Number((price * 1.1).toPrecision(4)) };
    await next.client.orders.modify({ id: order!.order_id, body, wallet: 'second' });
    await next.step(2);
    expect(next.bot.spotPositions('second')).toMatchObject([{ standing: { kind: 'orphan' } }]);
    expect(await enter(next, 'spot', 'ETH')).toContain(UNOWNED);
  });

  test.each([
    ['ignored', { kind: 'ignore', symbol: 'HYPE/USDC' }],
    ['gone', { kind: 'flatten', symbol: 'HYPE/USDC' }],
  ] as const)('is %s after the operator’s decision', async (kind, decision) => {
    const server = await serve();
    const store = createMemoryStore();
    await leaveHolding(server, store);
    const next = await start(server, MOVED, { store, decisions: [decision] });
    await next.step(1);
    const found = next.bot.spotPositions('second').map(({ standing }) => standing.kind);
    expect(found).toEqual(kind === 'gone' ? [] : ['ignored']);
    expect(next.bot.closedWallet('second')).toEqual([]);
  });
});

test('what the bot bought is left by L3 where it is ignored', async () => {
  const server = await serve();
  const store = createMemoryStore();
  await leaveHolding(server, store);
  const decisions = [{ kind: 'ignore', symbol: 'HYPE/USDC' }] as const;
  const bot = await start(server, [PERPS, SPOT], { store, decisions });
  expect(await enter(bot, 'spot', 'HYPE/USDC')).toMatch(/is an operator’s until it is closed/);
  await bot.bot.kill('L3', 'a test');
  expect(await bot.bot.killed()).toEqual([]);
  const spots = bot.bot.spotPositions('second');
  expect(spots).toMatchObject([{ symbol: 'HYPE/USDC', standing: { kind: 'ignored' } }]);
  expect(spots[0]!.size).toBeGreaterThan(2.9);
});

interface HeldSpot {
  price: number;
  size?: number;
  /** Among the service's instruments. */
  isListed?: boolean;
  /** A strategy of the bot owned it. */
  isTraded?: boolean;
  /** What the bot bought of it is known. */
  isRead?: boolean;
}

/** How many positions of one spot holding wait for an operator. */
function holdsOn(spot: HeldSpot): number {
  const { price, size = 2, isListed = true, isTraded = true, isRead = true } = spot;
  const store = createMemoryStore();
  const { clock, queue } = createVirtualEnv();
  const onFatal = (error: unknown): void => expect.fail(String(error));
  const listed = { symbol: 'HYPE/USDC', size_decimals: 2, min_order_value: 10 };
  const plan = {
    strategies: [{ name: 'now', wallet: 'main', symbols: ['BTC'] }],
    instruments: isListed ? [listed] : [],
  } as never;
  const ownership = createOwnership({ plan, store, clock, onFatal });
  if (isTraded) ownership.own('main', 'HYPE/USDC', 'former');
  const owners = createOwners({
    plan,
    wallets: ['main'],
    bookOf: () =>
      ({
        openPositions: () => [],
        spotHoldings: () => [{ symbol: 'HYPE/USDC', price }],
        position: () => size,
      }) as never,
    ownership,
    clock,
    log: { warn: () => {} },
    market: queue,
    isKnown: () => true,
    decisions: [],
    holdings: {
      bought: () => (isRead ? size : undefined),
      sellable: () => [],
      reportLeft: () => {},
    },
    lifetime: { closed: false },
    submit: () => {},
  });
  owners.look();
  return owners.holdsOn('main').length;
}

test('a holding worth just the least order waits for an operator, and one worth less does not', () => {
  expect([5, 4.99, 5.01].map((price) => holdsOn({ price }))).toEqual([1, 0, 1]);
});

test('a part of a unit waits for an operator where the service does not list the symbol any more', () => {
  expect(holdsOn({ price: 100, size: 0.5, isListed: false })).toBe(1);
});

test.each([
  [true, 1],
  [false, 0],
])(
  'while its fills are being read, an asset that the bot traded (%s) waits for an operator (%d)',
  (isTraded, waits) => {
    expect(holdsOn({ price: 100, isTraded, isRead: false })).toBe(waits);
  },
);
