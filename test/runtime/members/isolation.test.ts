import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generateFeed } from '../../../src/paper/index.ts';
import bollingerReversion from '../../../strategies/bollingerReversion.ts';
import breakout from '../../../strategies/breakout.ts';
import emaTrend from '../../../strategies/emaTrend.ts';
import { runDirect, runSockets, type Member, type ParityTape } from '../../backtest/runParity.ts';
import { root } from '../../sourceFiles.ts';
import completes from '../badPlugins/completes.ts';
import exits from '../badPlugins/exits.ts';
import floods from '../badPlugins/floods.ts';
import loops from '../badPlugins/loops.ts';
import notNumbers from '../badPlugins/notNumbers.ts';
import throws from '../badPlugins/throws.ts';
import { rotated } from '../../tiers.ts';

const START = Date.UTC(2026, 0, 5);
const trend: Member = {
  strategy: emaTrend,
  symbols: ['ETH'],
  wallet: 'main',
  params: { interval: '1m', fast: 8, slow: 21 },
};
const shipped: Array<[string, Member]> = [
  ['emaTrend', trend],
  ['bollingerReversion', { strategy: bollingerReversion, symbols: ['BTC'], wallet: 'main' }],
  ['breakout', { strategy: breakout, symbols: ['BTC'], wallet: 'second' }],
];

const inThread = (file: string, member: Member): Member => ({
  ...member,
  file: join(root, 'strategies', `${file}.ts`),
});

function tapeOf(members: readonly Member[], bars = 1_500): ParityTape {
  const made = (symbol: string, startPrice: number, seed: number) =>
    generateFeed({ symbol, interval: '1m', bars, seed, startTime: START, startPrice });
  const feeds = [made('BTC', 61_000, 5), made('ETH', 3_300, 6)];
  const settings = {
    feeds: [{ symbol: 'BTC', interval: '1m' as const, generate: { seed: 1, bars: 2 } }],
    warmup: 200,
    connections: [{ label: 'second', balance: 25_000 }],
  };
  return { data: { feeds, funding: {} }, settings, members };
}

describe('a strategy in its own thread makes the same run byte for byte', () => {
  test.each(rotated(shipped, 1))('%s', async (file, member) => {
    const [own, shared] = [tapeOf([inThread(file, member)]), tapeOf([member])];
    const run = await runDirect(own);
    expect(run).toEqual(await runDirect(shared));
    expect(run.intents.length).toBeGreaterThan(3);
  });

  test('all three at once, over sockets, with intents that wait for their budget', async () => {
    const members = shipped.map(([, member]) => member);
    const threads = shipped.map(([file, member]) => inThread(file, member));
    const run = await runSockets({ ...tapeOf(threads, 800), budgetLimit: 46 });
    const shared = await runDirect({ ...tapeOf(members, 800), budgetLimit: 46 });
    expect(JSON.stringify(run)).toBe(JSON.stringify(shared));
  }, 90_000);
});

/** Intents of one strategy; the service counts the executions of all in one row of ids. */
async function intentsOf(instance: string, members: readonly Member[]) {
  const run = await runDirect(tapeOf(members, 500));
  const own = run.intents.filter(({ decisionKey }) => decisionKey.includes(`/${instance}/`));
  const intents = own.map((row) => ({ ...row, intent: row.intent.replaceAll(/exe_\w+/g, 'exe') }));
  return { intents, run };
}

const bad = [
  ['loops', loops, 'overran', 'did not finish one event within 0.3 s'],
  ['throws', throws, 'threw', 'the tenth'],
  ['exits', exits, 'thread_ended', 'process.exit(3)'],
  ['floods', floods, 'flooded', 'More than 1000 intents on one event'],
  ['completes', completes, 'completed', 'Its stream completed'],
] as const;

describe('in its own thread, no plugin harms another strategy', () => {
  test.each(rotated(bad, 2))('one that %s', async (name, strategy, kind, reason) => {
    const alone = await intentsOf('ema-trend-0', [trend]);
    const file = join(root, 'test/runtime/badPlugins', `${name}.ts`);
    // On a busy machine the other strategies must not time out before they fail.
    const deadline = name === 'loops' ? { turnDeadlineMs: 300 } : {};
    const member = { strategy, symbols: ['BTC'], wallet: 'second', file, ...deadline };
    const { intents, run } = await intentsOf('ema-trend-0', [trend, member]);
    expect(intents).toEqual(alone.intents);
    expect(intents.length).toBeGreaterThan(3);
    expect(run.lives).toMatchObject([{ state: 'quarantined', fault: { kind } }]);
    const [life] = run.lives;
    expect(life?.state === 'quarantined' && life.fault.reason).toContain(reason);
  });

  test('one with invalid sizes: nothing is sent, and it continues', async () => {
    const alone = await intentsOf('ema-trend-0', [trend]);
    const file = join(root, 'test/runtime/badPlugins/notNumbers.ts');
    const member = { strategy: notNumbers, symbols: ['BTC'], wallet: 'second', file };
    const { intents, run } = await intentsOf('ema-trend-0', [trend, member]);
    expect(intents).toEqual(alone.intents);
    expect(run.intents).toHaveLength(alone.intents.length);
    expect(run.lives).toEqual([]);
  });
});
