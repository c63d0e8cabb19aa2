import { afterEach, expect, test } from 'vitest';
import { createLiveEnv, pause } from '../../src/env/index.ts';
import { placeOrder } from '../../src/intents/index.ts';
import { createMemoryStore } from '../../src/journal/index.ts';
import { openTestServer } from '../paper/server/openTestServer.ts';
import { openTestBot } from './openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

test('nothing is recovered before a remote store has said which of the open work is the bot’s own', async () => {
  const server = await openTestServer();
  open.push(server);
  const before = await openTestBot(server);
  open.push(before);
  await before.step(2);
  before.propose(placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.1, price: 20_000 }));
  await before.step(1);
  await before.bot.stop();
  const env = createLiveEnv();
  const steps: string[] = [];
  const bot = await openTestBot(server, {
    store: {
      ...createMemoryStore(),
      async learn() {
        await pause(env.timers, 200);
        steps.push('learned');
      },
    },
    onBot: ({ events$ }) =>
      void events$.subscribe(({ kind }) => {
        if (kind === 'recovered') steps.push(kind);
      }),
  });
  open.push(bot);
  await bot.step(1);
  expect(steps).toEqual(['learned', 'recovered']);
});
