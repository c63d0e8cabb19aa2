import { expect, test } from 'vitest';
import { placeOrder } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createSqliteStore } from '../../../src/journal/sqlite/createSqliteStore.ts';
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

test.each([
  ['less than', 3_000],
  ['longer than', 300],
])(
  'a bot that is stopped while its start waits for an answer, %s the stop, stops in order',
  async (_when, limitMs) => {
    const server = await openTestServer({});
    const store = createMemoryStore();
    const strategies = [{ name: 's0', symbols: ['BTC'] }];
    const dying = silentAt('orders.place');
    const first = await openTestBot(server, { store, strategies, wire: dying.wire });
    first.propose(order);
    void first.step(2).catch(() => {});
    await expect.poll(() => dying.asked, LIMIT).toBe(1);

    // A database that is closed can't be read or written any more.
    const left = createSqliteStore(':memory:');
    for (const { key, state: _state, ...row } of store.intents())
      void left.append({ intent: { key, ...row }, entries: store.entries(key) });
    const waiting = silentAt('orders.get');
    const fatal: unknown[] = [];
    const setUps: string[] = [];
    const next = await openTestBot(server, {
      store: left,
      strategies,
      wire: waiting.wire,
      setup: () => void setUps.push('set up'),
      onFatal: (error) => fatal.push(error),
    });
    void next.step(1).catch(() => {});
    await expect.poll(() => waiting.asked, LIMIT).toBe(1);
    // The start waits for a second.
    await next.bot.stop({ limitMs });
    await next.bot.settled();
    const states = next.bot.hosts.map(({ status }) => status.state);
    expect({ fatal, setUps, states }).toEqual({ fatal: [], setUps: [], states: ['stopped'] });
    await server.close();
  },
);
