import { afterEach, expect, test } from 'vitest';
import {
  attachTpsl,
  closePosition,
  placeOrder,
  retireTpsl,
  stopLoss,
  takeProfit,
} from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const STOP = 20_000;
const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 });
const stop = attachTpsl('BTC', { stop_loss: stopLoss.price(STOP) });

async function serve(): Promise<TestServer> {
  const server = await openTestServer(
    { connections: [{ label: 'second', balance: 100_000 }], balance: 100_000 },
    { feeds: [testFeed('BTC'), testFeed('ETH')] },
  );
  open.push(server);
  return server;
}

async function start(server: TestServer, options: TestBotOptions = {}): Promise<TestBot> {
  const told = await openTestBot(server, { protection: 'reattach', ...options });
  open.push(told);
  await told.step(2);
  return told;
}

/** A bot with a position whose stop is armed. */
async function protectedBot(server: TestServer, options: TestBotOptions = {}): Promise<TestBot> {
  const told = await start(server, options);
  told.propose(buy);
  await told.step(1);
  told.propose(stop);
  await told.step(2);
  expect(told.bot.coverage.uncovered()).toEqual([]);
  return told;
}

/** Takes the stop off behind the bot's back: its frame is that of a service that does so itself. */
async function retire(server: TestServer, wallet?: string): Promise<void> {
  const headers = wallet === undefined ? {} : { 'X-Service-Wallet': wallet };
  const { status } = await server.ask('/v1/positions/BTC/tpsl', { method: 'DELETE', headers });
  expect(status).toBe(200);
}

const attached = ({ events }: TestBot): string[] =>
  events.flatMap((item) => {
    if (item.kind !== 'intent' || item.event.emission.intent.kind !== 'attach_tpsl') return [];
    const { emission, state } = item.event;
    const { intent, wallet } = emission;
    if (emission.instance !== 'operator' || state === 'guarded' || state === 'sending') return [];
    return [`${wallet} ${JSON.stringify((intent as typeof stop).legs)} ${state}`];
  });

const lost = ({ events }: TestBot) =>
  events.flatMap((event) => (event.kind === 'stop_lost' ? [event.lost] : []));

const AGAIN = `main {"stop_loss":{"price":${STOP}}} accepted`;

test('a stop that the service retired is offered again, once, with its trigger', async () => {
  const server = await serve();
  const told = await protectedBot(server);
  await retire(server);
  await told.step(3);
  expect(attached(told)).toEqual([AGAIN]);
  expect(told.bot.coverage.uncovered()).toEqual([]);
  expect(lost(told)).toEqual([{ wallet: 'main', symbol: 'BTC', trigger: STOP, isOffered: true }]);

  await retire(server);
  await told.step(3);
  expect(attached(told)).toEqual([AGAIN]);
  expect(lost(told).at(-1)).toMatchObject({ isOffered: false });
  expect(told.bot.coverage.uncovered()).toMatchObject([{ symbol: 'BTC' }]);
});

test('off, nothing is offered', async () => {
  const server = await serve();
  const told = await protectedBot(server, { protection: 'off' });
  await retire(server);
  await told.step(3);
  expect(attached(told)).toEqual([]);
  expect(told.bot.coverage.uncovered()).toMatchObject([{ symbol: 'BTC' }]);
});

test("a position that grew is covered whole, and a take-profit stays the service's", async () => {
  const server = await serve();
  const told = await protectedBot(server);
  told.propose(attachTpsl('BTC', { take_profit: takeProfit.price(200_000) }));
  told.propose(buy);
  await told.step(1);
  await retire(server);
  await told.step(3);
  expect(attached(told)).toEqual([AGAIN]);
  expect(told.bot.book('main').position('BTC')).toBeCloseTo(0.04);
  expect(told.bot.coverage.uncovered()).toEqual([]);
});

test.each([
  ['the bot itself retired it', retireTpsl('BTC')],
  ['its position was closed', closePosition.atMarket('BTC')],
  [
    'its position was turned',
    placeOrder.market({ symbol: 'BTC', side: 'sell', size: 0.05, reduce_only: false }),
  ],
  ['another took its place', attachTpsl('BTC', { stop_loss: stopLoss.price(21_000) })],
])('nothing is offered where %s', async (_, intent) => {
  const server = await serve();
  const told = await protectedBot(server);
  told.propose(intent);
  await told.step(4);
  expect(attached(told)).toEqual([]);
  expect(lost(told)).toEqual([]);
});

test('a trailing stop is offered again at its last trigger', async () => {
  const server = await serve();
  const told = await start(server);
  told.propose(buy);
  await told.step(1);
  told.propose(
    attachTpsl('BTC', { stop_loss: stopLoss.trail({ pct: 5, interval: '1m', min_move_bps: 0 }) }),
  );
  await told.step(20);
  const { body } = await server.ask('/v1/positions/BTC/tpsl');
  const trigger = (JSON.stringify(body).match(/"trigger_price":([\d.]+)/) ?? [])[1];
  await retire(server);
  await told.step(3);
  expect(attached(told)).toEqual([`main {"stop_loss":{"price":${trigger}}} accepted`]);
});

test('an offer whose outcome is unknown is not made a second time', async () => {
  const server = await serve();
  let sent = 0;
  const told = await protectedBot(server, {
    async wire(request, send) {
      if (!request.body.includes(`${STOP}`) || ++sent !== 2) return send();
      await send();
      return { kind: 'no_answer', reason: 'timeout' };
    },
  });
  await retire(server);
  await told.step(6);
  const keys = told.events.flatMap((item) =>
    item.kind === 'intent' && item.event.emission.cause.startsWith('reattach:')
      ? [item.event.key]
      : [],
  );
  expect(new Set(keys).size).toBe(1);
  expect(told.bot.coverage.uncovered()).toEqual([]);
});

test('a restart offers what was retired meanwhile, once, and nothing that the bot retired', async () => {
  const server = await serve();
  const store = createMemoryStore();
  const first = await protectedBot(server, { store });
  await first.close();
  open.splice(open.indexOf(first), 1);
  await retire(server);

  const second = await start(server, { store });
  await second.step(2);
  expect(attached(second)).toEqual([AGAIN]);
  await second.close();
  open.splice(open.indexOf(second), 1);

  const third = await start(server, { store });
  await third.step(2);
  expect(attached(third)).toEqual([]);
  expect(third.bot.coverage.uncovered()).toEqual([]);
  third.propose(retireTpsl('BTC'));
  await third.step(1);
  await third.close();
  open.splice(open.indexOf(third), 1);

  const fourth = await start(server, { store });
  await fourth.step(3);
  expect(attached(fourth)).toEqual([]);
  expect(lost(fourth)).toEqual([]);
});

test('each wallet has stops of its own', async () => {
  const server = await serve();
  const strategies = [
    { name: 'one', symbols: ['BTC'] },
    { name: 'two', symbols: ['BTC'], wallet: 'second' },
  ];
  const told = await start(server, { strategies });
  for (const { name } of strategies) told.propose(buy, name);
  await told.step(1);
  for (const { name } of strategies) told.propose(stop, name);
  await told.step(2);
  expect(told.bot.coverage.uncovered()).toEqual([]);
  await retire(server);
  await told.step(3);
  expect(attached(told)).toEqual([AGAIN]);
  expect(told.bot.coverage.uncovered()).toEqual([]);
});
