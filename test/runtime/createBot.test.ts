import { describe, expect, test } from 'vitest';
import type { BotEvent } from '../../src/runtime/BotEvent.ts';
import { createBot } from '../../src/runtime/createBot.ts';
import { STOPPING } from '../../src/runtime/createOutlet.ts';
import type { KillLevel } from '../../src/runtime/control/killLevels.ts';
import type { StopPolicy } from '../../src/runtime/control/stopPolicy.ts';
import { account, position } from '../streams/records.ts';
import { setUpService } from './setUpParts.ts';

const WALLETS = ['main', 'side'];
const POLICIES: readonly StopPolicy[] = ['leave', 'pause', 'stop', 'flatten'];
const LEVELS: readonly KillLevel[] = ['L1', 'L2', 'L3', 'L4'];

/** Each of two wallets holds a position that its operator keeps, and a spot asset that others bought. */
function setUp() {
  const service = setUpService({
    strategies: WALLETS.map((wallet) => ({ name: `of-${wallet}`, wallet })),
    decisions: WALLETS.map((wallet) => ({ kind: 'ignore', symbol: 'BTC', wallet }) as const),
  });
  const bot = createBot(service.options);
  const events: BotEvent[] = [];
  bot.events$.subscribe((event) => events.push(event));
  for (const wallet of WALLETS)
    bot.book(wallet).model({
      account: { ...account, wallet },
      positions: new Map([['BTC', position(1)]]),
      balances: new Map([['HYPE', { asset: 'HYPE', total: 3, available: 3, held: 0 }]]),
      openOrders: new Map(),
    } as never);
  /** What was reported as left, a line each. */
  const left = (): string[] => [
    ...service.warned.map(([, details]) => {
      const { wallet, symbol } = details as { wallet: string; symbol: string };
      return `${wallet} ${symbol}`;
    }),
    ...events.flatMap((one) =>
      one.kind === 'holding_left' ? [`${one.wallet} ${one.symbol}`] : [],
    ),
  ];
  return { ...service, bot, events, left };
}

const ALL = WALLETS.flatMap((wallet) => [`${wallet} BTC`, `${wallet} HYPE/USDC`]).toSorted();

describe.each(POLICIES)('a stop that says %s', (policy) => {
  test('closes the gate before it ends anything, unless it leaves everything', async () => {
    const { bot, events, pass } = setUp();
    const stopped = bot.stop({ policy });
    const closed = events.flatMap((one) => (one.kind === 'gate' ? one.reasons : []));
    expect(closed).toEqual(policy === 'leave' ? [] : [STOPPING]);
    await pass(10);
    await stopped;
  });

  test('reports what it leaves of every wallet if it closes positions', async () => {
    const { bot, left, pass } = setUp();
    const stopped = bot.stop({ policy });
    await pass(10);
    await stopped;
    expect(left().toSorted()).toEqual(policy === 'flatten' ? ALL : []);
  });
});

test.each(LEVELS)(
  'level %s reports what it leaves of every wallet if it closes positions',
  async (level) => {
    const { bot, left } = setUp();
    await bot.kill(level, 'a test');
    expect(left().toSorted()).toEqual(level === 'L3' ? ALL : []);
  },
);

test.each(['L2', 'L3'] as const)(
  'a stopped bot asks the service for nothing more, at level %s',
  async (level) => {
    const { bot, sent, pass } = setUp();
    await bot.kill(level, 'a test');
    await pass(3);
    const looked = sent.length;
    const stopped = bot.stop();
    await pass(10);
    await stopped;
    const asked = sent.length;
    await pass(120);
    expect(looked).toBeGreaterThan(0);
    expect(sent.length).toBe(asked);
  },
);
