import { afterEach, expect, test } from 'vitest';
import { createDialect } from '../../src/contract/index.ts';
import { launch } from '../../src/intents/index.ts';
import { openTestServer } from '../paper/server/openTestServer.ts';
import { openTestBot } from './openTestBot.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

test.each([
  [30, 30, 'accepted'],
  [300, 60, 'request.params.duration_seconds: Too small: expected number to be >=300'],
])(
  'DIAL-1: where the service takes Pacemakers from %i s, one of %i s is refused before it is sent: %s',
  async (least, duration_seconds, reported) => {
    const dialect = createDialect({ limits: { pacemakerMinSeconds: least } });
    const server = await openTestServer({ balance: 100_000 }, { dialect });
    open.push(server);
    const bot = await openTestBot(server, { dialect });
    open.push(bot);
    await bot.step(2);
    const order = { symbol: 'BTC', side: 'buy', total_size: 0.01 } as const;
    bot.propose(launch.pacemaker({ ...order, params: { duration_seconds } }));
    await bot.step(2);
    const words = bot.events.flatMap((item) => {
      if (item.kind === 'intent' && item.event.state === 'accepted') return ['accepted'];
      return item.kind === 'strategy_fault' ? [item.fault.reason] : [];
    });
    expect(words).toEqual([expect.stringContaining(reported)]);
  },
);
