import { expect, test } from 'vitest';
import { testFeed } from '../../paper/core/openTestService.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

/** The first numbers that each strategy of a bot draws, by its symbol. */
async function drawnBy(names: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const symbols = ['BTC', 'ETH'];
  const feeds = symbols.map((symbol) => ({ symbol, interval: '1m' as const, generate: {} }));
  const server = await openTestServer({ feeds }, { feeds: symbols.map((one) => testFeed(one)) });
  const drawn = new Map<string, readonly number[]>();
  const bot = await openTestBot(server, {
    strategies: names.map((name, at) => ({ name, symbols: [symbols[at]!] })),
    setup: (ctx) => void drawn.set(ctx.symbol, [ctx.random(), ctx.random()]),
  });
  await bot.step(1);
  await bot.close();
  await server.close();
  return drawn;
}

test('each strategy draws numbers of its own, which are the same in each run', async () => {
  const drawn = await drawnBy(['one', 'two']);
  expect(drawn.get('BTC')).not.toEqual(drawn.get('ETH'));
  expect(await drawnBy(['one', 'two'])).toEqual(drawn);
  expect((await drawnBy(['two', 'one'])).get('BTC')).toEqual(drawn.get('ETH'));
});
