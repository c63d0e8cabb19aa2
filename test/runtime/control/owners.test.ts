import { afterEach, describe, expect, test } from 'vitest';
import {
  attachTpsl,
  closePosition,
  launch,
  placeOrder,
  stopLoss,
} from '../../../src/intents/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import type { OwnerDecision } from '../../../src/runtime/control/createOwnerDecisions.ts';
import type { TakeOver } from '../../../src/runtime/recovery/reportTakeOver.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const market = (symbol: string) => placeOrder.market({ symbol, side: 'buy', size: 0.02 });
type Strategies = ReadonlyArray<{ name: string; symbols: readonly string[]; wallet?: string }>;

async function serve(): Promise<TestServer> {
  const server = await openTestServer(
    { connections: [{ label: 'second', balance: 100_000 }], balance: 100_000 },
    { feeds: [testFeed('BTC'), testFeed('ETH')] },
  );
  open.push(server);
  return server;
}

async function start(
  server: TestServer,
  strategies: Strategies,
  over: Pick<TestBotOptions, 'guards'> & {
    store: JournalStore;
    decisions?: readonly OwnerDecision[];
  },
): Promise<TestBot> {
  const reported = await openTestBot(server, { strategies, ...over });
  open.push(reported);
  await reported.step(2);
  return reported;
}

/** A process in which `old` takes a position in BTC, with an execution running, and ends. */
async function leavePosition(server: TestServer, store: JournalStore): Promise<void> {
  const first = await openTestBot(server, {
    strategies: [{ name: 'old', symbols: ['BTC'] }],
    store,
  });
  await first.step(2);
  first.propose(market('BTC'));
  const params = { duration_seconds: 86_400 };
  first.propose(launch.pacemaker({ symbol: 'BTC', side: 'buy', total_size: 0.01, params }));
  await first.step(1);
  await first.close();
}

const found = ({ events }: TestBot): TakeOver =>
  events.flatMap((event) => (event.kind === 'taken_over' ? [event.takeOver] : []))[0]!;

/** What becomes of an entry of a strategy's. */
async function enter(reported: TestBot, instance: string, symbol: string): Promise<string> {
  const before = reported.events.length;
  reported.propose(market(symbol), instance);
  await reported.step(1);
  const states = reported.events.slice(before).flatMap((item) => {
    if (item.kind !== 'intent' || item.event.emission.instance !== instance) return [];
    const { state, reason } = item.event;
    return state === 'accepted' ? [state] : state === 'denied' ? [reason ?? state] : [];
  });
  return states[0] ?? 'nothing';
}

const UNOWNED =
  /the position in BTC on main was old's and no strategy owns it; decide at the next start: trimtab run with --adopt/;

describe('a position whose strategy', () => {
  test.each([
    ['is the same', [{ name: 'old', symbols: ['BTC'] }], 'old', 'BTC', /^accepted$/, 'old'],
    [
      'was renamed',
      [{ name: 'new', symbols: ['BTC'] }],
      'new',
      'BTC',
      UNOWNED,
      "no owner, it was old's",
    ],
    [
      'was removed',
      [{ name: 'other', symbols: ['ETH'] }],
      'other',
      'ETH',
      UNOWNED,
      "no owner, it was old's",
    ],
    [
      'gave its symbol to another',
      [
        { name: 'old', symbols: ['ETH'] },
        { name: 'other', symbols: ['BTC'] },
      ],
      'old',
      'ETH',
      UNOWNED,
      "no owner, it was old's",
    ],
    [
      'went to another wallet',
      [
        { name: 'old', symbols: ['BTC'], wallet: 'second' },
        { name: 'other', symbols: ['ETH'] },
      ],
      'other',
      'ETH',
      UNOWNED,
      "no owner, it was old's",
    ],
  ] as const)('%s', async (_what, strategies, instance, symbol, outcome, owner) => {
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const next = await start(server, strategies, { store });
    const { lines } = found(next);
    expect(lines).toContainEqual(expect.stringMatching(/^main: position long 0\.02\d* BTC at /));
    expect(lines.find((line) => line.includes('position'))).toMatch(new RegExp(`: ${owner}$`));
    expect(lines).toContainEqual(expect.stringMatching(/^main: \S+, pacemaker .*: old$/));
    expect(await enter(next, instance, symbol)).toMatch(outcome);
  });
});

const IGNORED = /^the position in BTC is an operator’s until it is closed/;
const IGNORED_TEXT = expect.stringMatching(IGNORED) as unknown;
const renamed = [{ name: 'new', symbols: ['BTC'] }] as const;

describe('an unowned position', () => {
  test('blocks its wallet only', async () => {
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const strategies = [...renamed, { name: 'else', symbols: ['ETH'], wallet: 'second' }];
    const next = await start(server, strategies, { store });
    expect(await enter(next, 'else', 'ETH')).toBe('accepted');
    expect(await enter(next, 'new', 'BTC')).toMatch(UNOWNED);
  });

  test.each([
    [{ kind: 'adopt', symbol: 'BTC', strategy: 'new' }, 'new', 'accepted'],
    [{ kind: 'ignore', symbol: 'BTC' }, 'no owner, ignored', IGNORED],
  ] as const)('no longer blocks after %o, nor in the next process', async (...row) => {
    const [decision, owner, onItsOwn] = row;
    const both = [{ name: 'new', symbols: ['BTC', 'ETH'] }];
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const said = await start(server, both, { store, decisions: [decision] });
    expect(await enter(said, 'new', 'ETH')).toBe('accepted');
    expect(await enter(said, 'new', 'BTC')).toMatch(onItsOwn);
    await said.bot.stop();
    const next = await start(server, both, { store });
    expect(found(next).holds).toEqual([]);
    expect(found(next).lines[0]).toContain(`: ${owner}`);
    expect(await enter(next, 'new', 'ETH')).toBe('accepted');
    expect(await enter(next, 'new', 'BTC')).toMatch(onItsOwn);
  });

  test.each([
    [
      { kind: 'ignore', symbol: 'BTCC' },
      '--ignore BTCC did nothing: no wallet of this bot holds BTCC',
    ],
    [
      { kind: 'flatten', symbol: 'ETH' },
      '--flatten ETH did nothing: no wallet of this bot holds ETH',
    ],
    [
      { kind: 'adopt', symbol: 'ETH', strategy: 'else' },
      '--adopt ETH=else did nothing: second holds no ETH',
    ],
  ] as const)('stays unowned after %o, and the reason is reported', async (decision, words) => {
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const strategies = [...renamed, { name: 'else', symbols: ['ETH'], wallet: 'second' }];
    const next = await start(server, strategies, { store, decisions: [decision] });
    expect(found(next).unheeded).toEqual([`${words}; held is BTC on main`]);
    expect(await enter(next, 'new', 'BTC')).toMatch(UNOWNED);
  });

  test('reports nothing about an applied decision', async () => {
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const decisions = [{ kind: 'flatten', symbol: 'BTC' }] as const;
    const next = await start(server, renamed, { store, decisions });
    expect(found(next).unheeded).toEqual([]);
  });

  test('is closed by flatten, and the symbol then belongs to its configured strategy', async () => {
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const decisions = [{ kind: 'flatten', symbol: 'BTC' }] as const;
    const next = await start(server, renamed, { store, decisions });
    expect(await enter(next, 'new', 'BTC')).toBe('accepted');
    await next.bot.stop();
    const after = await start(server, renamed, { store });
    expect(found(after).holds).toEqual([]);
  });

  test('needs no stop once it is ignored, in this process or a later one', async () => {
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const both = [...renamed, { name: 'else', symbols: ['ETH'] }];
    const guards = { max_uncovered_seconds: 60 };
    const waits = await start(server, both, { store: createMemoryStore(), guards });
    await waits.step(2);
    expect(await enter(waits, 'else', 'ETH')).toMatch(/^BTC has been uncovered for \d+ s/);
    await waits.bot.stop();
    const decisions = [{ kind: 'ignore', symbol: 'BTC' }] as const;
    const next = await start(server, both, { store, guards, decisions });
    await next.step(2);
    expect(next.bot.coverage.uncovered()).toEqual([]);
    expect(next.bot.coverage.totalSeconds()).toBe(0);
    expect(await enter(next, 'else', 'ETH')).toBe('accepted');
    expect(next.bot.coverage.uncovered()).toMatchObject([{ symbol: 'ETH' }]);
    await next.bot.stop();
    const later = await start(server, both, { store, guards });
    expect(later.bot.coverage.uncovered()).toMatchObject([{ symbol: 'ETH' }]);
  });

  test('is flat after L3, too', async () => {
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const next = await start(server, [{ name: 'other', symbols: ['ETH'] }], { store });
    await next.bot.kill('L3', 'a test');
    expect(await next.bot.killed()).toEqual([]);
    expect((await next.client.positions.list()).items).toEqual([]);
  });

  test('is flat after L3 with each other one', async () => {
    const server = await openTestServer(
      { balance: 100_000 },
      { feeds: ['BTC', 'ETH', 'SOL'].map((symbol) => testFeed(symbol)) },
    );
    open.push(server);
    const store = createMemoryStore();
    const first = await start(server, [{ name: 'old', symbols: ['BTC', 'ETH'] }], { store });
    for (const symbol of ['BTC', 'ETH']) expect(await enter(first, 'old', symbol)).toBe('accepted');
    await first.bot.stop();
    const next = await start(server, [{ name: 'other', symbols: ['SOL'] }], { store });
    expect((await next.client.positions.list()).items).toHaveLength(2);
    await next.bot.kill('L3', 'a test');
    expect(await next.bot.killed()).toEqual([]);
    expect((await next.client.positions.list()).items).toEqual([]);
  });
});

describe('an ignored position', () => {
  const decisions = [{ kind: 'ignore', symbol: 'BTC' }] as const;
  const positionOf = async ({ client }: TestBot, symbol: string): Promise<number | undefined> =>
    (await client.positions.list()).items.find((one) => one.symbol === symbol)?.size;

  /** A strategy with BTC, which is ignored, and ETH, which it holds. */
  async function keep(): Promise<{ server: TestServer; store: JournalStore; bot: TestBot }> {
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const strategies = [{ name: 'old', symbols: ['BTC', 'ETH'] }];
    const bot = await start(server, strategies, { store, decisions });
    expect(await enter(bot, 'old', 'ETH')).toBe('accepted');
    return { server, store, bot };
  }

  test('is left by L3, which closes the rest and ends the bot’s own work on it', async () => {
    const { bot } = await keep();
    await bot.bot.kill('L3', 'a test');
    expect(await bot.bot.killed()).toEqual([]);
    expect(await positionOf(bot, 'ETH')).toBeUndefined();
    expect(await positionOf(bot, 'BTC')).toBeGreaterThan(0.019);
    const { items } = await bot.client.executions.list();
    expect(items.filter(({ status }) => status === 'running')).toEqual([]);
  });

  test('is left by a stop that flattens, also in a later process', async () => {
    const { server, store, bot } = await keep();
    await bot.bot.stop();
    const later = await start(server, [{ name: 'old', symbols: ['BTC', 'ETH'] }], { store });
    let unended: readonly string[] = ['not ended'];
    await later.bot.stop({
      policy: 'flatten',
      onEnded: (remains) => (unended = remains.unended),
    });
    expect(unended).toEqual([]);
    expect(await positionOf(later, 'ETH')).toBeUndefined();
    expect(await positionOf(later, 'BTC')).toBeGreaterThan(0.019);
  });

  test('is neither closed nor changed by its symbol’s strategy', async () => {
    const { bot } = await keep();
    for (const intent of [
      closePosition.atMarket('BTC'),
      attachTpsl('BTC', { stop_loss: stopLoss.price(20_000) }),
      placeOrder.market({ symbol: 'BTC', side: 'sell', size: 0.01, reduce_only: true }),
    ]) {
      bot.propose(intent, 'old');
      await bot.step(1);
      const last = bot.events.findLast((event) => event.kind === 'intent');
      expect(last).toMatchObject({ event: { state: 'denied', reason: IGNORED_TEXT } });
    }
    expect(await positionOf(bot, 'BTC')).toBeGreaterThan(0.019);
  });

  test('once closed, leaves its symbol to the strategy, and L3 then closes what that opens', async () => {
    const { bot } = await keep();
    const running = (await bot.client.executions.list()).items.find(
      ({ status }) => status === 'running',
    )!;
    await bot.client.executions.stop({ id: running.execution_id });
    await bot.client.positions.close({ symbol: 'BTC', body: {} });
    await bot.step(2);
    expect(await positionOf(bot, 'BTC')).toBeUndefined();
    expect(await enter(bot, 'old', 'BTC')).toBe('accepted');
    expect(bot.bot.ownerOf('main', 'BTC')).toEqual({ kind: 'owned', strategy: 'old' });
    await bot.bot.kill('L3', 'a test');
    expect(await bot.bot.killed()).toEqual([]);
    expect(await positionOf(bot, 'BTC')).toBeUndefined();
  });
});

describe('a strategy’s results', () => {
  const own = { name: 'old', symbols: ['BTC'] };
  const other = { name: 'new', symbols: ['BTC'] };
  const close = closePosition.atMarket('BTC');

  /** The position by the strategy's ledger after the start, and its fees once the position is closed from outside. */
  async function resultsOf(
    strategy: typeof own,
    decisions: readonly OwnerDecision[] = [],
  ): Promise<{ position: number; fees: number; fills: Array<string | undefined>; bot: TestBot }> {
    const server = await serve();
    const store = createMemoryStore();
    await leavePosition(server, store);
    const bot = await start(server, [strategy], { store, decisions });
    const ledger = bot.bot.ledgerOf(strategy.name);
    const position = ledger.position('BTC');
    const { items } = await bot.client.executions.list();
    for (const { execution_id: id, status } of items)
      if (status === 'running') await bot.client.executions.stop({ id });
    const before = bot.events.length;
    await bot.client.positions.close({ symbol: 'BTC', body: {} });
    await bot.step(2);
    expect(bot.bot.book('main').position('BTC')).toBe(0);
    const fills = bot.events
      .slice(before)
      .flatMap((event) => (event.kind === 'fill' ? [event.instance] : []));
    return { position, fees: ledger.summary().fees, fills, bot };
  }

  test.each([
    ['of the same name', own, []],
    ['that adopts it', other, [{ kind: 'adopt', symbol: 'BTC', strategy: 'new' }]],
  ] as const)('hold a position of before, of a strategy %s', async (_what, strategy, decisions) => {
    const { position, fees, fills, bot } = await resultsOf(strategy, decisions);
    expect(position).toBeGreaterThan(0.019);
    expect(fees).toBeGreaterThan(0);
    expect(fills).toEqual([strategy.name]);
    expect(bot.bot.ledgerOf(strategy.name).position('BTC')).toBe(0);
  });

  test.each([
    ['has no owner', other, []],
    ['is ignored from this start on', own, [{ kind: 'ignore', symbol: 'BTC' }]],
  ] as const)(
    'hold no position that %s, until it is closed',
    async (_what, strategy, decisions) => {
      const { position, fees, fills, bot } = await resultsOf(strategy, decisions);
      expect([position, fees, fills]).toEqual([0, 0, [undefined]]);
      expect(await enter(bot, strategy.name, 'BTC')).toBe('accepted');
      await bot.step(1);
      const ledger = bot.bot.ledgerOf(strategy.name);
      expect(ledger.position('BTC')).toBe(0.02);
      bot.propose(close, strategy.name);
      await bot.step(1);
      expect(ledger.position('BTC')).toBe(0);
    },
  );
});

test('an order of a gone strategy leaves a position on each wallet that it fills on', async () => {
  const server = await serve();
  const store = createMemoryStore();
  const wallets = ['main', 'second'] as const;
  const of = (symbol: string) =>
    wallets.map((wallet) => ({ name: `of-${wallet}`, symbols: [symbol], wallet }));
  const first = await start(server, of('BTC'), { store });
  const { price } = first.bot.mark('BTC')!;
  const under = Math.round(price * 0.9);
  for (const { name } of of('BTC'))
    first.propose(placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.01, price: under }), name);
  await first.step(2);
  await first.bot.stop();
  const next = await start(server, of('ETH'), { store });
  for (const wallet of wallets) {
    expect(next.bot.closedWallet(wallet)).toEqual([]);
    const [order] = next.bot.book(wallet).openOrders();
    const body = { price: Math.round(price * 1.1) };
    await next.client.orders.modify({ id: order!.order_id, body, wallet });
    await next.step(1);
  }
  await next.step(1);
  for (const wallet of wallets)
    expect(next.bot.closedWallet(wallet)).toMatchObject([
      expect.stringContaining(`the position in BTC on ${wallet} was of-${wallet}'s`),
    ]);
});

test('what was closed since belongs to the strategies of the configuration, to each its own', async () => {
  const server = await serve();
  const store = createMemoryStore();
  const symbols = ['BTC', 'ETH'];
  const first = await start(server, [{ name: 'old', symbols }], { store });
  for (const symbol of symbols) expect(await enter(first, 'old', symbol)).toBe('accepted');
  await first.bot.stop();
  for (const symbol of symbols) await first.client.positions.close({ symbol, body: {} });
  const renamed = symbols.map((symbol) => ({ name: `of ${symbol}`, symbols: [symbol] }));
  const next = await start(server, renamed, { store });
  await next.bot.stop();
  // By hand, while no process runs.
  for (const symbol of symbols)
    await next.client.orders.place({
      body: { symbol, side: 'buy', order_type: 'market', size: 0.02 },
    });
  const later = await start(server, renamed, { store });
  expect(later.bot.closedWallet('main')).toEqual([]);
  for (const symbol of symbols) {
    const standing = { kind: 'owned', strategy: `of ${symbol}` };
    expect(later.bot.ownerOf('main', symbol)).toEqual(standing);
    expect(await enter(later, `of ${symbol}`, symbol)).toBe('accepted');
  }
});

test('work, pause and state of a strategy that was renamed are named at the start, with what to do', async () => {
  const server = await serve();
  const store = createMemoryStore();
  const first = await start(server, [{ name: 'old', symbols: ['BTC'] }], { store });
  const { price } = first.bot.mark('BTC')!;
  const under = Math.round(price * 0.9);
  first.propose(placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.01, price: under }));
  await first.step(2);
  await first.bot.pauseStrategy('old', 'by hand');
  await store.writeState('old', '{"version":1,"state":{}}');
  await first.bot.stop();
  const next = await start(server, [{ name: 'new', symbols: ['BTC'] }], { store });
  expect(found(next).former).toEqual([
    expect.stringMatching(
      /^old was configured at the last start and is not now, and new came: of old the journal has a pause, a state, which new begins without; .*its name back/,
    ),
    expect.stringMatching(
      /^1 order, execution or monitor of old on main still works, and old is not in the configuration: .*trimtab kill L2/,
    ),
  ]);
  await next.bot.stop();
  // What was said once is not repeated; work that is still there is.
  const third = await start(server, [{ name: 'new', symbols: ['BTC'] }], { store });
  expect(found(third).former).toEqual([expect.stringMatching(/^1 order/)]);
  await third.bot.stop();
  const back = await start(server, [{ name: 'old', symbols: ['BTC'] }], { store });
  expect(found(back).former).toEqual([]);
});

test('of two strategies the one that was renamed is named, though it is the second', async () => {
  const server = await serve();
  const store = createMemoryStore();
  const named = (second: string) => [
    { name: 'same', symbols: ['BTC'] },
    { name: second, symbols: ['ETH'], wallet: 'second' },
  ];
  const first = await start(server, named('old'), { store });
  await first.bot.pauseStrategy('old', 'by hand');
  await first.bot.stop();
  const next = await start(server, named('new'), { store });
  expect(found(next).former).toEqual([
    expect.stringMatching(/^old was configured at the last start .*a pause, which new begins/),
  ]);
  await next.bot.stop();
  const third = await start(server, named('new'), { store });
  expect(found(third)?.former ?? []).toEqual([]);
});

test('what only reduces of a strategy that is gone is not said to enter, nor to be ended', async () => {
  const server = await serve();
  const store = createMemoryStore();
  const first = await start(server, [{ name: 'old', symbols: ['BTC'] }], { store });
  const { price } = first.bot.mark('BTC')!;
  const above = { symbol: 'BTC', side: 'sell', price: Math.round(price * 1.1) } as const;
  first.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 }));
  await first.step(2);
  for (const reduceOnly of [true, true, false]) {
    first.propose(placeOrder.limit({ ...above, size: 0.01, reduce_only: reduceOnly }));
    await first.step(1);
  }
  await first.bot.stop();
  const next = await start(server, [{ name: 'new', symbols: ['ETH'] }], { store });
  const [enters, reduces, ...others] = found(next).former;
  expect(enters).toMatch(/^1 order, execution or monitor of old on main still works?, and .*L2$/);
  expect(reduces).toMatch(/^2 orders or executions of old on main only reduce, and /);
  expect(reduces).not.toMatch(/enter|kill/);
  expect(others).toEqual([]);
});

test('a strategy that was only removed is not asked for', async () => {
  const server = await serve();
  const store = createMemoryStore();
  const both = [
    { name: 'a', symbols: ['BTC'] },
    { name: 'b', symbols: ['ETH'] },
  ];
  const first = await start(server, both, { store });
  await first.bot.pauseStrategy('b', 'by hand');
  await first.bot.stop();
  expect(found(await start(server, both.slice(0, 1), { store })).former).toEqual([]);
});

describe('with BTC on two wallets, of which one strategy was renamed', () => {
  const both = [
    { name: 'a', symbols: ['BTC', 'ETH'] },
    { name: 'old', symbols: ['BTC'], wallet: 'second' },
  ];
  const after = [
    { name: 'a', symbols: ['BTC', 'ETH'] },
    { name: 'new', symbols: ['BTC', 'ETH'], wallet: 'second' },
  ];

  async function decide(...decisions: OwnerDecision[]): Promise<TestBot> {
    const server = await serve();
    const store = createMemoryStore();
    const first = await start(server, both, { store });
    for (const { name } of both) expect(await enter(first, name, 'BTC')).toBe('accepted');
    await first.bot.stop();
    return start(server, after, { store, decisions });
  }
  const held = async ({ client }: TestBot, wallet: string): Promise<string[]> =>
    (await client.positions.list({ wallet })).items.map(({ symbol }) => symbol);

  test('the reason names the wallet in what may be decided', async () => {
    const next = await decide();
    expect(found(next).holds).toEqual([
      expect.stringContaining('--adopt BTC=STRATEGY, --ignore second:BTC or --flatten second:BTC'),
    ]);
  });

  test.each([undefined, 'second'])(
    'a flatten closes the unowned one (wallet %s)',
    async (wallet) => {
      const named = wallet === undefined ? {} : { wallet };
      const decision = { kind: 'flatten', symbol: 'BTC', ...named } as const;
      const next = await decide(decision, decision);
      await next.step(1);
      expect(found(next).unheeded).toEqual([]);
      expect([await held(next, 'main'), await held(next, 'second')]).toEqual([['BTC'], []]);
      expect(await enter(next, 'new', 'ETH')).toBe('accepted');
      const closes = next.events.filter(
        (item) =>
          item.kind === 'intent' &&
          item.event.emission.intent.kind === 'close_position' &&
          item.event.state === 'accepted',
      );
      expect(closes).toHaveLength(1);
    },
  );

  test('an adoption is on the wallet of its strategy', async () => {
    const next = await decide({ kind: 'adopt', symbol: 'BTC', strategy: 'new' });
    expect(found(next).unheeded).toEqual([]);
    expect(await enter(next, 'new', 'BTC')).toBe('accepted');
    expect(await enter(next, 'a', 'BTC')).toBe('accepted');
  });

  test('a flatten of what a strategy owns does nothing, and says so', async () => {
    const next = await decide({ kind: 'flatten', symbol: 'BTC', wallet: 'main' });
    await next.step(1);
    expect(found(next).unheeded).toEqual([
      "--flatten main:BTC did nothing: the position on main is a's, and only what no strategy owns is closed; held is BTC on main, BTC on second",
    ]);
    expect([await held(next, 'main'), await held(next, 'second')]).toEqual([['BTC'], ['BTC']]);
  });

  test('an ignore that may mean either does nothing, and says how to name one', async () => {
    const next = await decide({ kind: 'ignore', symbol: 'BTC' });
    expect(found(next).unheeded).toEqual([
      '--ignore BTC did nothing: main and second hold BTC; name one, such as --ignore main:BTC; held is BTC on main, BTC on second',
    ]);
    expect(await enter(next, 'a', 'BTC')).toBe('accepted');
    expect(await enter(next, 'new', 'ETH')).toMatch(/BTC on second was old's/);
  });

  test.each([
    ['main', 'a', 'new'],
    ['second', 'new', 'a'],
  ] as const)('an ignore on %s leaves the other as it was', async (wallet, there, elsewhere) => {
    const next = await decide({ kind: 'ignore', symbol: 'BTC', wallet });
    expect(found(next).unheeded).toEqual([]);
    expect(await enter(next, there, 'BTC')).toMatch(IGNORED);
    const outcome = wallet === 'main' ? /BTC on second was old's/ : /^accepted$/;
    expect(await enter(next, elsewhere, 'BTC')).toMatch(outcome);
  });

  test('an ignored position is closed by a flatten that names it', async () => {
    const server = await serve();
    const store = createMemoryStore();
    const first = await start(server, both, { store });
    expect(await enter(first, 'a', 'BTC')).toBe('accepted');
    await first.bot.stop();
    const ignoring = await start(server, after, {
      store,
      decisions: [{ kind: 'ignore', symbol: 'BTC' }],
    });
    await ignoring.bot.stop();
    const decisions = [{ kind: 'flatten', symbol: 'BTC', wallet: 'main' }] as const;
    const next = await start(server, after, { store, decisions });
    await next.step(1);
    expect(await held(next, 'main')).toEqual([]);
    expect(await enter(next, 'a', 'BTC')).toBe('accepted');
  });

  test('a level that is in force at the start leaves only the wallet that is to be ignored', async () => {
    const server = await serve();
    const store = createMemoryStore();
    const first = await start(server, both, { store });
    for (const { name } of both) expect(await enter(first, name, 'BTC')).toBe('accepted');
    await first.bot.kill('L1', 'a test');
    await first.bot.stop();
    void store.setLatch('kill', { ...store.latch('kill')!, value: 'L3' });
    const next = await start(server, both, {
      store,
      decisions: [{ kind: 'ignore', symbol: 'BTC', wallet: 'second' }],
    });
    await next.step(1);
    expect([await held(next, 'main'), await held(next, 'second')]).toEqual([[], ['BTC']]);
  });
});

test('with an empty journal, a symbol belongs to its strategy, and any other is unowned', async () => {
  const server = await serve();
  await leavePosition(server, createMemoryStore());
  const mine = await start(server, renamed, { store: createMemoryStore() });
  expect(found(mine).holds).toEqual([]);
  expect(await enter(mine, 'new', 'BTC')).toBe('accepted');
  await mine.bot.stop();
  const other = [{ name: 'other', symbols: ['ETH'] }] as const;
  const next = await start(server, other, { store: createMemoryStore() });
  expect(await enter(next, 'other', 'ETH')).toMatch(
    /the position in BTC on main was never this bot/,
  );
});
