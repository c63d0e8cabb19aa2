import { map } from 'rxjs';
import { z } from 'zod';
import { afterEach, describe, expect, test } from 'vitest';
import { closePosition, placeOrder } from '../../../src/intents/index.ts';
import type { LinkListener } from '../../../src/env/index.ts';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import type { PlannedShadow } from '../../../src/runtime/BotPlan.ts';
import { readStage } from '../../../src/runtime/control/createStages.ts';
import { defineStrategy, type StrategyContext } from '../../../src/strategy/index.ts';
import { openTwoWallets, STRATEGIES } from '../../operate/watchedBot.ts';
import { openTestBot, type TestBot } from '../openTestBot.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const buy = () => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 });

/** A new version that sells at every minute, and what it saw of its position and its capital. */
function createVersion(use = '/bots/v2.ts', fails = false) {
  const seen: Array<{ size: number | undefined; capital: number }> = [];
  const strategy = defineStrategy({
    name: 'v2',
    contract: 1,
    description: 'Sells at every minute.',
    scopes: ['trade'],
    params: z.object({}),
    setup(ctx: StrategyContext) {
      let size: number | undefined;
      ctx.position('BTC').subscribe((position) => (size = position?.size));
      return ctx.candles('BTC', '1m').pipe(
        map(() => {
          if (fails) throw new Error('on purpose');
          seen.push({ size, capital: ctx.capital() });
          return placeOrder.market({ symbol: 'BTC', side: 'sell', size: 0.001 });
        }),
      );
    },
  });
  const shadow: PlannedShadow = {
    strategy,
    params: {},
    accepted: {},
    use,
    directory: '/bots',
    canary: 0.1,
    isolation: undefined,
  };
  return { seen, shadows: { first: shadow } };
}

const step = (to: 'shadow' | 'canary' | 'live', handOver: string[] = []) => ({
  to,
  reason: 'a test',
  handOver,
});
const accepted = ({ events }: TestBot): string[] =>
  events.flatMap((item) => {
    if (item.kind !== 'intent' || item.event.state !== 'accepted') return [];
    const { intent, decisionKey } = item.event.emission;
    return [`${decisionKey.split('/bar')[0]} ${intent.kind}`];
  });
/** A journal that outlives its bot. */
const surviving = (): JournalStore => ({ ...createMemoryStore(), close: () => {} });

describe('a new version', () => {
  test('takes over by name, a tenth of the capital first, and gives back', async () => {
    const server = await openTwoWallets();
    open.push(server);
    const { seen, shadows } = createVersion();
    const bot = await openTestBot(server, { strategies: STRATEGIES, shadows });
    open.push(bot);
    await bot.step(2);
    bot.propose(buy());
    await bot.step(1);
    const refused = await bot.bot.promote('first', step('canary'));
    expect(refused).toMatch(/^open are position long 0\.02 BTC at .*--hand-over BTC/);
    expect(bot.bot.stageOf('first')).toBe('shadow');
    expect(readStage(bot.store, 'first')).toBeUndefined();

    expect(await bot.bot.promote('first', step('canary', ['BTC']))).toBeUndefined();
    bot.propose(buy());
    await bot.step(2);
    const atCanary = seen.at(-1)!;
    expect(atCanary.size).toBeCloseTo(0.019, 9);
    expect(await bot.bot.promote('first', step('live'))).toBeUndefined();
    await bot.step(1);
    expect(seen.at(-1)!.capital / atCanary.capital).toBeCloseTo(10, 1);
    expect(await bot.bot.promote('first', step('canary'))).toBeUndefined();
    expect(await bot.bot.promote('first', step('shadow', ['BTC']))).toBeUndefined();
    const sold = seen.length;
    bot.propose(closePosition.atMarket('BTC'));
    await bot.step(2);
    expect(seen).toHaveLength(sold);
    expect(accepted(bot)).toEqual([
      'main/first place_order',
      ...Array.from({ length: 3 }, () => 'main+./v2.ts/first place_order'),
      // What was proposed while it did not trade is decided by the former version now, and no earlier.
      'main/first place_order',
      'main/first close_position',
    ]);
    const taken = bot.events.filter((event) => event.kind === 'strategy_stage');
    expect(taken.map((event) => `${event.taken.from} ${event.taken.to}`)).toEqual([
      'shadow canary',
      'canary live',
      'live canary',
      'canary shadow',
    ]);
    expect(taken[0]!.taken.handedOver).toEqual(['BTC']);
  });

  test('trades in the next process, and not once the file names another one', async () => {
    const server = await openTwoWallets();
    open.push(server);
    const store = surviving();
    const { shadows } = createVersion();
    const first = await openTestBot(server, { strategies: STRATEGIES, shadows, store });
    await first.step(2);
    expect(await first.bot.promote('first', step('canary'))).toBeUndefined();
    await first.close();
    const next = await openTestBot(server, { strategies: STRATEGIES, shadows, store });
    expect(next.bot.stageOf('first')).toBe('canary');
    await next.step(2);
    expect(new Set(accepted(next))).toEqual(new Set(['main+./v2.ts/first place_order']));
    await next.close();
    const other = createVersion('/bots/v3.ts');
    const last = await openTestBot(server, { strategies: STRATEGIES, ...other, store });
    open.push(last);
    expect(last.bot.stageOf('first')).toBe('shadow');
  });

  test('takes over nothing before the bot has seen what is open, nor while it may have missed some of it', async () => {
    const server = await openTwoWallets();
    open.push(server);
    const store = surviving();
    const first = await openTestBot(server, { strategies: STRATEGIES, store });
    await first.step(2);
    first.propose(buy());
    await first.step(1);
    await first.close();
    const { shadows } = createVersion();
    let listener: LinkListener | undefined;
    const onListener = (given: LinkListener): void => void (listener = given);
    const next = await openTestBot(server, { strategies: STRATEGIES, shadows, store, onListener });
    open.push(next);
    const unknown = /^what is open is not known yet: /;
    expect(await next.bot.promote('first', step('canary'))).toMatch(unknown);
    await next.step(3);
    expect(await next.bot.promote('first', step('canary'))).toMatch(/^open are position long/);
    listener!.onStatus({ state: 'reconnecting' } as never);
    const said = await next.bot.promote('first', step('canary', ['BTC']));
    expect(said).toMatch(unknown);
    expect(said).toContain('the stream is lost');
    expect(next.bot.stageOf('first')).toBe('shadow');
  });

  test('that fails is quarantined alone, and one step back lets the former one trade', async () => {
    const server = await openTwoWallets();
    open.push(server);
    const { shadows } = createVersion('/bots/v2.ts', true);
    const bot = await openTestBot(server, { strategies: STRATEGIES, shadows });
    open.push(bot);
    await bot.step(2);
    expect(await bot.bot.promote('first', step('canary'))).toBeUndefined();
    await bot.step(1);
    const statusOf = (at: number) => bot.bot.hosts[at]!.status.state;
    expect([statusOf(0), statusOf(1)]).toEqual(['quarantined', 'running']);
    expect(bot.bot.stageOf('first')).toBe('canary');
    expect(await bot.bot.promote('first', step('shadow'))).toBeUndefined();
    bot.propose(buy());
    await bot.step(2);
    expect(statusOf(0)).toBe('running');
    expect(accepted(bot)).toContain('main/first place_order');
  });

  test('stays out where its stage can’t be journaled', async () => {
    const server = await openTwoWallets();
    open.push(server);
    const full = new Error('ENOSPC: no space left on device');
    const store = { ...createMemoryStore(), setLatch: () => Promise.reject(full) };
    const { seen, shadows } = createVersion();
    const bot = await openTestBot(server, { strategies: STRATEGIES, shadows, store });
    open.push(bot);
    await bot.step(2);
    await expect(bot.bot.promote('first', step('canary'))).rejects.toThrow('ENOSPC');
    await bot.step(1);
    expect(bot.bot.stageOf('first')).toBe('shadow');
    expect(seen).toEqual([]);
  });
});

test.each([
  ['first', 'live', [], 'a step goes to canary first'],
  ['first', 'shadow', [], 'at the stage shadow already'],
  ['first', 'canary', ['ETH'], 'ETH is no symbol of first'],
  ['second', 'canary', [], 'give it a `shadow`'],
  ['third', 'canary', [], 'its strategies are first, second'],
] as const)('%s to %s with %j is refused', async (instance, to, handOver, words) => {
  const server = await openTwoWallets();
  open.push(server);
  const { shadows } = createVersion();
  const bot = await openTestBot(server, { strategies: STRATEGIES, shadows });
  open.push(bot);
  await bot.step(1);
  expect(await bot.bot.promote(instance, step(to, [...handOver]))).toContain(words);
  expect(bot.store.latches().filter(({ name }) => name.startsWith('stage'))).toEqual([]);
});
