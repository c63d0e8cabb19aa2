import type { BotConfig } from '../../src/config/index.ts';
import type { BotPlan } from '../../src/runtime/index.ts';
import { testFeed } from '../paper/core/openTestService.ts';
import { openTestServer, type TestServer } from '../paper/server/openTestServer.ts';
import type { TestBotOptions } from '../runtime/openTestBot.ts';

/** Two strategies on two symbols and two wallets. */
export const STRATEGIES = [
  { name: 'first', symbols: ['BTC'] },
  { name: 'second', symbols: ['ETH'], wallet: 'second' },
];

/** A paper service with both symbols and both wallets. */
export const openTwoWallets = (): Promise<TestServer> =>
  openTestServer(
    { connections: [{ label: 'second', balance: 50_000 }] },
    { feeds: [testFeed('BTC'), testFeed('ETH')] },
  );

/** The configuration that a plan of a test could have come from. */
export function configOf(
  { strategies, guards }: BotPlan,
  rest: Partial<BotConfig> = {},
): BotConfig {
  return {
    name: 'watched',
    file: 'watched.yaml',
    directory: '/bots',
    link: { kind: 'paper' },
    guards,
    strategies: strategies.map(({ name, symbols, wallet }) => ({
      name,
      symbols,
      wallet,
      use: '/bots/plugin.ts',
    })),
    journal: { path: 'memory', durability: 'power', keep_days: 90 },
    operate: null,
    ...rest,
  } as unknown as BotConfig;
}

/**
 * A wire on which an order arrives and its answer does not: nothing after it gets through, so that the bot can't look
 * it up, until `release`.
 */
export function loseAnswers(): { wire: NonNullable<TestBotOptions['wire']>; release(): void } {
  const released = Promise.withResolvers<void>();
  let isSent = false;
  return {
    async wire(request, send) {
      if (request.endpoint === 'orders.place') {
        await send();
        isSent = true;
        return { kind: 'no_answer', reason: 'The line is dead.' };
      }
      if (isSent) await released.promise;
      return send();
    },
    release: () => released.resolve(),
  };
}
