import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generateFeed } from '../../src/paper/index.ts';
import bollingerReversion from '../../strategies/bollingerReversion.ts';
import breakout from '../../strategies/breakout.ts';
import emaTrend from '../../strategies/emaTrend.ts';
import grid from './plants/grid.ts';
import { runDirect, runSockets, type ParityTape } from './runParity.ts';
import { inTurn } from '../inTurn.ts';
import { rotated } from '../tiers.ts';

const it = inTurn(2);

const START = Date.UTC(2026, 0, 5);

function tapeOf(members: ParityTape['members'], bars = 1_500): ParityTape {
  const made = (symbol: string, startPrice: number, seed: number) =>
    generateFeed({ symbol, interval: '1m', bars, seed, startTime: START, startPrice });
  const feeds = [made('BTC', 61_000, 5), made('ETH', 3_300, 6)];
  const generate = { seed: 1, bars: 2 };
  return {
    data: { feeds, funding: {} },
    settings: {
      feeds: [{ symbol: 'BTC', interval: '1m', generate }],
      warmup: 200,
      connections: [{ label: 'second', balance: 25_000 }],
    },
    members,
  };
}

const shipped = [
  {
    name: 'emaTrend',
    member: {
      strategy: emaTrend,
      symbols: ['ETH'],
      wallet: 'main',
      params: { interval: '1m', fast: 8, slow: 21 },
    },
  },
  {
    name: 'bollingerReversion',
    member: {
      strategy: bollingerReversion,
      symbols: ['BTC'],
      wallet: 'main',
      params: {},
    },
  },
  {
    name: 'breakout',
    member: { strategy: breakout, symbols: ['BTC'], wallet: 'second', params: {} },
  },
];

describe('the direct link and real sockets make byte-identical runs', () => {
  test.each(rotated(shipped, 1))('$name', async ({ member }) => {
    const tape = tapeOf([member]);
    const direct = await runDirect(tape);
    const sockets = await runSockets(tape);
    expect(direct.bodies).toEqual(sockets.bodies);
    expect(direct.intents).toEqual(sockets.intents);
    expect(direct.fills).toEqual(sockets.fills);
    expect(direct.hash).toBe(sockets.hash);
    expect(direct.intents.length).toBeGreaterThan(3);
    expect(direct.fills.length).toBeGreaterThan(3);
  });

  it('a grid that reads its orders by their refs, also in a thread of its own', async () => {
    const member = { strategy: grid, symbols: ['BTC'], wallet: 'main', params: {} };
    const file = join(import.meta.dirname, 'plants/grid.ts');
    const direct = await runDirect(tapeOf([member]));
    const others = [
      await runSockets(tapeOf([member])),
      await runDirect(tapeOf([{ ...member, file }])),
    ];
    for (const other of others) expect(JSON.stringify(other)).toBe(JSON.stringify(direct));
    const notes = direct.intents.map(({ intent }) => JSON.parse(intent).intent.note as string);
    const sales = notes.filter((text) => /^rung-\d-\d+ accepted 0\.01 0 true 1 filled /.test(text));
    expect(sales.length).toBeGreaterThan(10);
    expect(
      direct.intents.filter(({ intent }) => intent.includes('"cancel_order"')).length,
    ).toBeGreaterThan(2);
    // Every order and every fill came of one of its intents, and was given that intent's ref.
    expect(notes.join()).not.toContain('undefined:');
    const [last] = notes.filter((text) => text.startsWith('rung-')).slice(-1);
    expect(Number(last!.split(' ')[8])).toBe(direct.fills.length);
  });

  it('all three strategies at once, on two wallets', async () => {
    const tape = tapeOf(shipped.map(({ member }) => member));
    const [direct, sockets] = [await runDirect(tape), await runSockets(tape)];
    expect(JSON.stringify(direct)).toBe(JSON.stringify(sockets));
    expect(new Set(direct.fills.map(({ instance }) => instance)).size).toBe(3);
  });

  it('with a budget so small that intents wait for market time', async () => {
    const tape = { ...tapeOf(shipped.map(({ member }) => member)), budgetLimit: 46 };
    const [direct, sockets] = [await runDirect(tape), await runSockets(tape)];
    expect(JSON.stringify(direct)).toBe(JSON.stringify(sockets));
    const waited = direct.intents.filter(({ states }) =>
      states.some((state) => state.startsWith('deferred')),
    );
    expect(waited.length).toBeGreaterThan(0);
  });
});
