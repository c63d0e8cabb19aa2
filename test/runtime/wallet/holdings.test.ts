import { afterEach, describe, expect, test } from 'vitest';
import { createLiveEnv, type Env } from '../../../src/env/index.ts';
import { launch, placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import { createQuickEnv } from '../../env/createQuickEnv.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { keepOld } from '../keepOld.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const SPOTS = ['HYPE/USDC', 'PURR/USDC'] as const;
const WALLETS = ['main', 'second'] as const;
const strategies = WALLETS.map((wallet) => ({
  name: `of-${wallet}`,
  symbols: ['BTC', ...SPOTS],
  wallet,
}));
const PLACES = strategies.flatMap(({ name, wallet }) =>
  SPOTS.map((symbol) => ({ name, wallet, symbol })),
);

async function serve(env: Env = createLiveEnv()): Promise<TestServer> {
  const server = await openTestServer(
    { connections: [{ label: 'second', balance: 1_000_000 }], balance: 1_000_000 },
    { feeds: ['BTC', ...SPOTS].map((symbol) => testFeed(symbol)), env },
  );
  open.push(server);
  return server;
}

async function start(server: TestServer, options: TestBotOptions): Promise<TestBot> {
  const reported = await openTestBot(server, { strategies, ...options });
  open.push(reported);
  await reported.step(2);
  return reported;
}

/** Reproducible numbers between 0 and 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const market = (symbol: string, side: 'buy' | 'sell', size: number) =>
  placeOrder.market({ symbol, side, size });
const rounded = (size: number): number => Number(size.toFixed(8));

/** What the service says that a wallet has: of spot by symbol, and how many positions. */
async function atService({ client }: TestBot, wallet: string) {
  const { items } = await client.account.balances({ wallet });
  const { items: positions } = await client.positions.list({ wallet });
  const total = (symbol: string): number =>
    rounded(items.find(({ asset }) => `${asset}/USDC` === symbol)?.total ?? 0);
  return { [SPOTS[0]]: total(SPOTS[0]), [SPOTS[1]]: total(SPOTS[1]), positions: positions.length };
}

type Sizes = Map<string, number>;

/**
 * A wallet in which others hold some of each asset, and a bot that trades beside them, by orders, sales and
 * executions; what others have is what the service must show when the bot's part is sold.
 */
async function trade(reported: TestBot, seed: number): Promise<{ others: Sizes; own: Sizes }> {
  const next = numbers(seed);
  const size = (): number => rounded(Math.ceil(next() * 100) / 100);
  const others: Sizes = new Map();
  const own: Sizes = new Map();
  for (const { name, wallet, symbol } of PLACES) {
    const place = `${wallet} ${symbol}`;
    const before = next() < 0.3 ? 0 : size();
    const order = { symbol, side: 'buy', size: before, order_type: 'market' } as const;
    if (before > 0) await reported.client.orders.place({ body: order, wallet });
    others.set(place, before);
    const buys = next() < 0.2 ? [] : [size(), size()];
    for (const bought of buys) reported.propose(market(symbol, 'buy', bought), name);
    own.set(
      place,
      buys.reduce((sum, one) => sum + one, 0),
    );
  }
  for (const { name } of strategies) reported.propose(market('BTC', 'buy', 0.02), name);
  await reported.step(2);
  for (const { name, wallet, symbol } of PLACES) {
    const place = `${wallet} ${symbol}`;
    const held = own.get(place)!;
    if (held < 0.05 || next() < 0.5) continue;
    reported.propose(market(symbol, 'sell', 0.03), name);
    own.set(place, held - 0.03);
  }
  await reported.step(2);
  for (const { wallet, symbol } of PLACES) {
    const place = `${wallet} ${symbol}`;
    const held = (await atService(reported, wallet))[symbol as (typeof SPOTS)[number]];
    expect(held).toBe(rounded(others.get(place)! + own.get(place)!));
  }
  return { others, own };
}

async function expectOnly(reported: TestBot, sizes: Sizes, positions: number): Promise<void> {
  for (const wallet of WALLETS) {
    const wanted = Object.fromEntries(
      SPOTS.map((symbol) => [symbol, rounded(sizes.get(`${wallet} ${symbol}`)!)]),
    );
    expect([wallet, await atService(reported, wallet)]).toEqual([wallet, { ...wanted, positions }]);
  }
}

const leftBy = ({ events }: TestBot): string[] =>
  events.flatMap((event) =>
    event.kind === 'holding_left' ? [`${event.wallet} ${event.symbol} ${event.size}`] : [],
  );
const namesOf = (others: Sizes): string[] =>
  [...others].flatMap(([place, size]) => (size > 0 ? [`${place} ${size}`] : []));

const ends = {
  'the stop policy flatten': async (reported: TestBot): Promise<readonly string[]> => {
    let unended: readonly string[] = ['it was never told'];
    await reported.bot.stop({ policy: 'flatten', onEnded: (remains) => ({ unended } = remains) });
    return unended;
  },
  'the kill level L3': async (reported: TestBot): Promise<readonly string[]> => {
    await reported.bot.kill('L3', 'a test');
    return reported.bot.killed();
  },
};
const cases = Object.keys(ends).flatMap((by) => [1, 2, 3].map((seed) => [by, seed] as const));

describe('of spot, only what the bot bought', () => {
  test.each(cases)('is sold by %s (%i)', async (by, seed) => {
    const server = await serve();
    const reported = await start(server, {});
    const { others } = await trade(reported, seed);
    expect(await ends[by as keyof typeof ends](reported)).toEqual([]);
    await expectOnly(reported, others, 0);
    expect(leftBy(reported).toSorted()).toEqual(namesOf(others).toSorted());
  });

  test.each(cases)('is sold by %s of the next process (%i)', async (by, seed) => {
    const server = await serve();
    const store = createMemoryStore();
    const first = await start(server, { store });
    const { others } = await trade(first, seed + 10);
    await first.bot.stop();
    const next = await start(server, { store });
    expect(await ends[by as keyof typeof ends](next)).toEqual([]);
    await expectOnly(next, others, 0);
  });
});

const decisions = PLACES.map(
  ({ symbol, wallet }) => ({ kind: 'flatten', symbol, wallet }) as const,
);
const renamed = strategies.map((one) => ({ ...one, name: `new-${one.wallet}` }));

test.each([1, 2])('is sold by --flatten when its strategy was renamed (%i)', async (seed) => {
  const server = await serve();
  const store = createMemoryStore();
  const first = await start(server, { store });
  const { others } = await trade(first, seed);
  await first.bot.stop();
  const next = await start(server, { store, decisions, strategies: renamed });
  await expectOnly(next, others, 1);
  expect(new Set(leftBy(next))).toEqual(new Set(namesOf(others)));
  await next.bot.stop();
  const after = await start(server, { store, strategies: renamed });
  const takeOver = after.events.find((event) => event.kind === 'taken_over')!.takeOver;
  expect(takeOver.holds.filter((hold) => hold.includes('/USDC'))).toEqual([]);
});

const oneSpot = [{ name: 'one', symbols: ['HYPE/USDC'] }];

/** A bot that bought one beside one that others hold. */
async function buyOne(options: TestBotOptions): Promise<{ server: TestServer; reported: TestBot }> {
  const server = await serve(options.env);
  const reported = await start(server, { strategies: oneSpot, ...options });
  const body = { symbol: 'HYPE/USDC', side: 'buy', size: 1, order_type: 'market' } as const;
  await reported.client.orders.place({ body, wallet: 'main' });
  reported.propose(market('HYPE/USDC', 'buy', 1));
  await reported.step(2);
  expect(await atService(reported, 'main')).toMatchObject({ 'HYPE/USDC': 2 });
  return { server, reported };
}

test('a sale that no stream shows is not repeated', async () => {
  let isDeaf = false;
  const { reported } = await buyOne({
    receives: (frame) => (isDeaf ? ({ ...frame, event: 'noted' } as never) : frame),
  });
  isDeaf = true;
  await reported.bot.kill('L3', 'a test');
  await reported.bot.killed();
  await reported.bot.stop({ policy: 'flatten' });
  expect(await atService(reported, 'main')).toMatchObject({ 'HYPE/USDC': 1 });
});

test('an unsellable holding is listed', async () => {
  let isBroken = false;
  const { reported } = await buyOne({
    env: createQuickEnv(),
    wire: (request, send) =>
      isBroken && request.endpoint === 'orders.place'
        ? ({ kind: 'no_answer', reason: 'timeout' } as const)
        : send(),
  });
  isBroken = true;
  await reported.bot.kill('L3', 'a test');
  expect(await reported.bot.killed()).toContain('main: holding 1 of HYPE/USDC');
});

test('purchases of an execution while no bot runs are sold by the next one', async () => {
  const store: JournalStore = createMemoryStore();
  const server = await serve();
  const first = await start(server, { strategies: oneSpot, store });
  const params = { duration_seconds: 300 };
  first.propose(launch.pacemaker({ symbol: 'HYPE/USDC', side: 'buy', total_size: 1, params }));
  await first.step(1);
  await first.bot.stop();
  const other = await start(server, { strategies: [{ name: 'else', symbols: ['BTC'] }] });
  await other.step(10);
  expect((await atService(other, 'main'))['HYPE/USDC']).toBe(1);
  const next = await start(server, { strategies: oneSpot, store });
  await next.bot.stop({ policy: 'flatten' });
  expect((await atService(next, 'main'))['HYPE/USDC']).toBe(0);
});

test.each([
  // Its fills would show what it sold.
  ['without its order', [], 1],
  ['with its order', ['ord_sale'], 1.4],
] as const)('an unresolved sale of L3 that is settled %s is over', async (_how, records, left) => {
  const store: JournalStore = createMemoryStore();
  const { server, reported } = await buyOne({ store });
  await reported.bot.stop();
  const intent = placeOrder.market({
    symbol: 'HYPE/USDC',
    side: 'sell',
    size: 0.4,
    reduce_only: true,
  });
  const states = ['sending', 'unknown', 'unresolved'] as const;
  const key = await keepOld(store, { name: 'kill', intent, states, instance: 'operator' });
  const next = await start(server, { strategies: oneSpot, store });
  const settlement = { as: 'accepted', records, unchecked: true } as const;
  const said = await next.bot.settle(key, { ...settlement, reason: 'seen', by: 'ann' });
  expect(said).toBeUndefined();
  expect(store.stateOf(key)).toBe('accepted');
  await next.bot.kill('L3', 'a test');
  expect(await next.bot.killed()).toEqual([]);
  expect(await atService(next, 'main')).toMatchObject({ 'HYPE/USDC': left });
});
