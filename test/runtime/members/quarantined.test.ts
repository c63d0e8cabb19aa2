import { afterEach, expect, test } from 'vitest';
import { launch, placeOrder } from '../../../src/intents/index.ts';
import { openTwoWallets, STRATEGIES } from '../../operate/watchedBot.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

/** Ends a strategy by a fault of its own; it has no policy to start again. */
const fail = ({ bot }: TestBot, name: string): void => {
  bot.hosts.find(({ instance }) => instance === name)!.fail(new Error('a fault of its own'));
};

test('an entry that waits for its turn ends with its strategy; exits and the others go on waiting', async () => {
  const server = await openTwoWallets();
  open.push(server);
  const details = { retry_after_seconds: 3_600 };
  const error = { code: 'rate_limited', message: '', details };
  const response = { status: 429, headers: {}, body: { error, request_id: 'r' } };
  const bot = await openTestBot(server, {
    strategies: STRATEGIES,
    wire: (request, send) =>
      request.endpoint === 'orders.place' ? { kind: 'answered', response } : send(),
  });
  open.push(bot);
  await bot.step(2);
  const order = { symbol: 'BTC', side: 'buy', size: 0.02 } as const;
  bot.propose(placeOrder.market(order, { ref: 'entry' }));
  bot.propose(placeOrder.market({ ...order, side: 'sell', reduce_only: true }, { ref: 'exit' }));
  bot.propose(placeOrder.market({ ...order, symbol: 'ETH' }, { ref: 'other' }), 'second');
  await bot.step(1);
  const statesOf = (): Record<string, string> =>
    Object.fromEntries(
      bot.events.flatMap((item) =>
        item.kind === 'intent' ? [[item.event.emission.intent.ref, item.event.state]] : [],
      ),
    );
  expect(statesOf()).toEqual({ entry: 'deferred', exit: 'deferred', other: 'deferred' });
  fail(bot, 'first');
  await new Promise(setImmediate);
  expect(statesOf()).toEqual({ entry: 'expired', exit: 'deferred', other: 'deferred' });
  const ended = bot.events.findLast((item) => item.kind === 'intent');
  expect(ended).toMatchObject({ event: { reason: 'its strategy no longer runs' } });
});

test('a launch that may not have arrived is looked up once its strategy has ended', async () => {
  const server = await openTwoWallets();
  open.push(server);
  let isAway = true;
  const asked: string[] = [];
  const bot = await openTestBot(server, {
    strategies: [{ name: 'first', symbols: ['BTC'] }],
    wire(request, send) {
      asked.push(request.endpoint);
      const isLost = isAway && request.endpoint === 'executions.launch';
      return isLost ? { kind: 'no_answer', reason: 'timeout' } : send();
    },
  });
  open.push(bot);
  await bot.step(2);
  const params = { duration_seconds: 86_400 };
  bot.propose(launch.pacemaker({ symbol: 'BTC', side: 'buy', total_size: 0.01, params }));
  const launches = (): number => asked.filter((one) => one === 'executions.launch').length;
  void bot.step(1).catch(() => {});
  await expect.poll(launches).toBeGreaterThan(0);
  fail(bot, 'first');
  isAway = false;
  const before = { launches: launches(), all: asked.length };
  await expect.poll(() => asked.length - before.all).toBeGreaterThan(1);
  expect(launches()).toBe(before.launches);
  expect((await bot.client.executions.list()).items).toEqual([]);
});
