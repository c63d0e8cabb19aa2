import { expect, test } from 'vitest';
import { placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBotOptions } from '../openTestBot.ts';

const LIMIT = { timeout: 20_000 };
const order = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.1, price: 1 });

/** A request of this kind is never answered; `asked` counts them. */
function silentAt(endpoint: string) {
  const silent = { asked: 0, wire: undefined as unknown as NonNullable<TestBotOptions['wire']> };
  silent.wire = (request, send) => {
    if (request.endpoint !== endpoint) return send();
    silent.asked += 1;
    return new Promise(() => {});
  };
  return silent;
}

test('a bot that is stopped while its start waits for an answer stops in order', async () => {
  const server = await openTestServer({});
  const store = createMemoryStore();
  const strategies = [{ name: 's0', symbols: ['BTC'] }];
  const dying = silentAt('orders.place');
  const first = await openTestBot(server, { store, strategies, wire: dying.wire });
  first.propose(order);
  void first.step(2).catch(() => {});
  await expect.poll(() => dying.asked, LIMIT).toBe(1);

  const waiting = silentAt('orders.get');
  const fatal: unknown[] = [];
  const setUps: string[] = [];
  const next = await openTestBot(server, {
    store,
    strategies,
    wire: waiting.wire,
    setup: () => void setUps.push('set up'),
    onFatal: (error) => fatal.push(error),
  });
  void next.step(1).catch(() => {});
  await expect.poll(() => waiting.asked, LIMIT).toBe(1);
  // Longer than the start waits, so that it goes on meanwhile.
  await next.bot.stop({ limitMs: 3_000 });
  await next.bot.settled();
  const states = next.bot.hosts.map(({ status }) => status.state);
  expect({ fatal, setUps, states }).toEqual({ fatal: [], setUps: [], states: ['stopped'] });
  await server.close();
});
