import { afterEach, expect, test } from 'vitest';
import {
  attachTpsl,
  closePosition,
  createMonitor,
  placeOrder,
  retireTpsl,
  stopLoss,
  stopMonitor,
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
  const reported = await openTestBot(server, { protection: 'reattach', ...options });
  open.push(reported);
  await reported.step(2);
  return reported;
}

/** A bot with a position whose stop is armed. */
async function protectedBot(server: TestServer, options: TestBotOptions = {}): Promise<TestBot> {
  const reported = await start(server, options);
  reported.propose(buy);
  await reported.step(1);
  reported.propose(stop);
  await reported.step(2);
  expect(reported.bot.coverage.uncovered()).toEqual([]);
  return reported;
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

test('a stop that the service retired is resubmitted once, with its trigger', async () => {
  const server = await serve();
  const reported = await protectedBot(server);
  await retire(server);
  await reported.step(3);
  expect(attached(reported)).toEqual([AGAIN]);
  expect(reported.bot.coverage.uncovered()).toEqual([]);
  expect(lost(reported)).toEqual([
    { wallet: 'main', symbol: 'BTC', trigger: STOP, isOffered: true },
  ]);

  await retire(server);
  await reported.step(3);
  expect(attached(reported)).toEqual([AGAIN]);
  expect(lost(reported).at(-1)).toMatchObject({ isOffered: false });
  expect(reported.bot.coverage.uncovered()).toMatchObject([{ symbol: 'BTC' }]);
});

test('off, nothing is resubmitted', async () => {
  const server = await serve();
  const reported = await protectedBot(server, { protection: 'off' });
  await retire(server);
  await reported.step(3);
  expect(attached(reported)).toEqual([]);
  expect(reported.bot.coverage.uncovered()).toMatchObject([{ symbol: 'BTC' }]);
});

test('a grown position is fully covered, and a take-profit is left to the service', async () => {
  const server = await serve();
  const reported = await protectedBot(server);
  reported.propose(attachTpsl('BTC', { take_profit: takeProfit.price(200_000) }));
  reported.propose(buy);
  await reported.step(1);
  await retire(server);
  await reported.step(3);
  expect(attached(reported)).toEqual([AGAIN]);
  expect(reported.bot.book('main').position('BTC')).toBeCloseTo(0.04);
  expect(reported.bot.coverage.uncovered()).toEqual([]);
});

test.each([
  ['the bot itself retired it', retireTpsl('BTC')],
  ['its position was closed', closePosition.atMarket('BTC')],
  [
    'its position was turned',
    placeOrder.market({ symbol: 'BTC', side: 'sell', size: 0.05, reduce_only: false }),
  ],
  ['another took its place', attachTpsl('BTC', { stop_loss: stopLoss.price(21_000) })],
])('nothing is resubmitted if %s', async (_, intent) => {
  const server = await serve();
  const reported = await protectedBot(server);
  reported.propose(intent);
  await reported.step(4);
  expect(attached(reported)).toEqual([]);
  expect(lost(reported)).toEqual([]);
});

test('a trailing stop is resubmitted at its last trigger', async () => {
  const server = await serve();
  const reported = await start(server);
  reported.propose(buy);
  await reported.step(1);
  reported.propose(
    attachTpsl('BTC', { stop_loss: stopLoss.trail({ pct: 5, interval: '1m', min_move_bps: 0 }) }),
  );
  await reported.step(20);
  const { body } = await server.ask('/v1/positions/BTC/tpsl');
  const trigger = (JSON.stringify(body).match(/"trigger_price":([\d.]+)/) ?? [])[1];
  await retire(server);
  await reported.step(3);
  expect(attached(reported)).toEqual([`main {"stop_loss":{"price":${trigger}}} accepted`]);
});

test('a resubmission of unknown outcome is not repeated', async () => {
  const server = await serve();
  let sent = 0;
  const reported = await protectedBot(server, {
    async wire(request, send) {
      if (!request.body.includes(`${STOP}`) || ++sent !== 2) return send();
      await send();
      return { kind: 'no_answer', reason: 'timeout' };
    },
  });
  await retire(server);
  await reported.step(6);
  const keys = reported.events.flatMap((item) =>
    item.kind === 'intent' && item.event.emission.cause.startsWith('reattach:')
      ? [item.event.key]
      : [],
  );
  expect(new Set(keys).size).toBe(1);
  expect(reported.bot.coverage.uncovered()).toEqual([]);
});

test('a restart resubmits stops retired meanwhile, once, and none that the bot retired', async () => {
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

test('each wallet has its own stops', async () => {
  const server = await serve();
  const strategies = [
    { name: 'one', symbols: ['BTC'] },
    { name: 'two', symbols: ['BTC'], wallet: 'second' },
  ];
  const reported = await start(server, { strategies });
  for (const { name } of strategies) reported.propose(buy, name);
  await reported.step(1);
  for (const { name } of strategies) reported.propose(stop, name);
  await reported.step(2);
  expect(reported.bot.coverage.uncovered()).toEqual([]);
  await retire(server);
  await reported.step(3);
  expect(attached(reported)).toEqual([AGAIN]);
  expect(reported.bot.coverage.uncovered()).toEqual([]);
});

/** Ends the process; its position and stop stay. */
async function end(reported: TestBot): Promise<void> {
  await reported.close();
  open.splice(open.indexOf(reported), 1);
}

test('a restart submits nothing for a position that was closed and opened again meanwhile', async () => {
  const server = await serve();
  const store = createMemoryStore();
  await end(await protectedBot(server, { store }));
  const other = await start(server, { protection: 'off' });
  for (const intent of [closePosition.atMarket('BTC'), buy]) {
    other.propose(intent);
    await other.step(1);
  }
  await end(other);

  const second = await start(server, { store });
  await second.step(2);
  expect(attached(second)).toEqual([]);
  expect(lost(second)).toEqual([]);
  expect(second.bot.coverage.uncovered()).toMatchObject([{ symbol: 'BTC' }]);
});

test('what was armed before protection was off is nobody’s afterwards', async () => {
  const server = await serve();
  const store = createMemoryStore();
  await end(await protectedBot(server, { store }));
  const off = await start(server, { store, protection: 'off' });
  await retire(server);
  await off.step(2);
  await end(off);
  const second = await start(server, { store });
  await second.step(2);
  expect(attached(second)).toEqual([]);
});

/** A bot whose stop unwinds by an algorithm: with the monitor that was made of it, it ends. */
async function unwindingBot(server: TestServer, options: TestBotOptions = {}): Promise<TestBot> {
  const reported = await start(server, options);
  reported.propose(buy);
  await reported.step(1);
  const by = { exit_style: 'algo_unwind', unwind_algo: 'smartexit' } as const;
  reported.propose(attachTpsl('BTC', { stop_loss: { ...stopLoss.price(STOP), ...by } }));
  await reported.step(2);
  expect(reported.bot.coverage.uncovered()).toEqual([]);
  return reported;
}

async function stopItsMonitor(reported: TestBot): Promise<void> {
  const { items } = await reported.client.monitors.list();
  reported.propose(stopMonitor({ monitor_id: items[0]!.monitor_id }));
  await reported.step(1);
}

test('a stop whose monitor the bot stopped is not lost, in this process or a later one', async () => {
  const server = await serve();
  const stays = await unwindingBot(server, { store: createMemoryStore() });
  await stopItsMonitor(stays);
  await stays.step(3);
  expect(stays.bot.coverage.uncovered()).toMatchObject([{ symbol: 'BTC' }]);
  expect([attached(stays), lost(stays)]).toEqual([[], []]);
  await end(stays);

  const store = createMemoryStore();
  const first = await unwindingBot(server, { store });
  await stopItsMonitor(first);
  await end(first);
  const second = await start(server, { store });
  await second.step(3);
  expect(second.bot.coverage.uncovered()).toMatchObject([{ symbol: 'BTC' }]);
  expect([attached(second), lost(second)]).toEqual([[], []]);
});

test('a take-profit whose monitor the bot stopped leaves the stop as it is', async () => {
  const server = await serve();
  const reported = await protectedBot(server);
  const by = { exit_style: 'algo_unwind', unwind_algo: 'smartexit' } as const;
  reported.propose(attachTpsl('BTC', { take_profit: { ...takeProfit.price(200_000), ...by } }));
  await reported.step(2);
  await stopItsMonitor(reported);
  await retire(server);
  await reported.step(3);
  expect(attached(reported)).toEqual([AGAIN]);
});

test('a monitor of the bot’s that was made of no leg takes no stop off', async () => {
  const server = await serve();
  const reported = await protectedBot(server);
  const action = {
    symbol: 'BTC',
    side: 'buy',
    size: 0.02,
    order_type: 'limit',
    price: 100,
  } as const;
  reported.propose(
    createMonitor({
      trigger: { type: 'price_level', symbol: 'BTC', price: 110, direction: 'below' },
      action: { type: 'order', request: action },
    }),
  );
  await reported.step(1);
  await stopItsMonitor(reported);
  await retire(server);
  await reported.step(3);
  expect(attached(reported)).toEqual([AGAIN]);
});

test('a retirement that was refused after one that was accepted does not bring the stop back', async () => {
  const server = await serve();
  const reported = await protectedBot(server);
  for (const _ of [1, 2]) reported.propose(retireTpsl('BTC'));
  await reported.step(4);
  expect(attached(reported)).toEqual([]);
  expect(lost(reported)).toEqual([]);
});
