import { filter, ignoreElements, map, merge, tap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { launch, placeOrder } from '../../../src/intents/index.ts';
import { generateFeed } from '../../../src/paper/index.ts';
import type { RestartPolicy } from '../../../src/runtime/RestartPolicy.ts';
import { defineStrategy, type Strategy } from '../../../src/strategy/index.ts';
import emaTrend from '../../../strategies/emaTrend.ts';
import {
  runDirect,
  runSockets,
  type Member,
  type ParityRun,
  type ParityTape,
} from '../../backtest/runParity.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5);
const healthy: Member = {
  strategy: emaTrend,
  symbols: ['ETH'],
  wallet: 'main',
  params: { interval: '1m', fast: 8, slow: 21 },
};

function tapeOf(members: readonly Member[]): ParityTape {
  const made = (symbol: string, startPrice: number, seed: number) =>
    generateFeed({ symbol, interval: '1m', bars: 700, seed, startTime: START, startPrice });
  const feeds = [made('BTC', 61_000, 5), made('ETH', 3_300, 6)];
  const settings = {
    feeds: [{ symbol: 'BTC', interval: '1m' as const, generate: { seed: 1, bars: 2 } }],
    warmup: 200,
    connections: [{ label: 'second', balance: 25_000 }],
  };
  return { data: { feeds, funding: {} }, settings, members };
}

/** Receives what a failing strategy saw in each of its runs. */
interface Seen {
  lives: Array<{ retained: number; bars: number[]; snapshots: string[] }>;
}

/** Launches once, buys at each bar, and throws at the twentieth live one of each life. */
function createFailing(seen: Seen): Strategy {
  return defineStrategy({
    name: 'failing',
    contract: 1,
    description: 'Throws at its twentieth bar.',
    scopes: ['trade', 'algo'],
    params: z.object({}),
    warmup: () => 5,
    state: z.object({ lives: z.int().default(0) }),
    setup(ctx) {
      const life = {
        retained: ctx.state.get().lives,
        bars: [] as number[],
        snapshots: [] as string[],
      };
      seen.lives.push(life);
      ctx.state.set({ lives: life.retained + 1 });
      const { symbol } = ctx;
      const bars$ = ctx.candles(symbol, '1m').pipe(
        map(({ time }, index) => {
          life.bars.push(time);
          if (index === 24) throw new Error('the twentieth');
          if (life.retained === 0 && index === 7) {
            const params = { duration_seconds: 3_600 };
            return launch.pacemaker({ symbol, side: 'buy', total_size: 0.1, params });
          }
          return placeOrder.market({ symbol, side: 'buy', size: 0.001 });
        }),
      );
      const snapshots$ = ctx.executions$.pipe(
        filter(({ event }) => event === 'snapshot'),
        tap(({ execution }) => life.snapshots.push(execution.execution_id)),
        ignoreElements(),
      );
      return merge(snapshots$, bars$);
    },
  });
}

const policy: RestartPolicy = { max: 2, backoffMs: 3 * MINUTE, withinMs: 1_000 * MINUTE };

function memberOf(seen: Seen, restart?: RestartPolicy): Member {
  const member = { strategy: createFailing(seen), symbols: ['BTC'], wallet: 'second' };
  return restart === undefined ? member : { ...member, restart };
}

/** The service counts executions of all strategies in one row: their ids say nothing of one of them. */
const ownIntents = (run: ParityRun, instance: string) =>
  run.intents
    .filter(({ decisionKey }) => decisionKey.includes(`/${instance}/`))
    .map((row) => ({ ...row, intent: row.intent.replaceAll(/exe_\w+/g, 'exe') }));

describe('a strategy that fails', () => {
  test('stays quarantined without a policy, and the others trade unaffected', async () => {
    const alone = await runDirect(tapeOf([healthy]));
    const run = await runDirect(tapeOf([healthy, memberOf({ lives: [] })]));
    expect(run.lives).toMatchObject([{ state: 'quarantined', instance: 'failing-1' }]);
    expect(ownIntents(alone, 'ema-trend-0').length).toBeGreaterThan(3);
    expect(ownIntents(run, 'ema-trend-0')).toEqual(ownIntents(alone, 'ema-trend-0'));
  });

  test('is restarted by its policy, with doubling waits in market time', async () => {
    const run = await runDirect(tapeOf([healthy, memberOf({ lives: [] }, policy)]));
    const story = run.lives.map((life) => [life.state, life.time - run.lives[0]!.time]);
    expect(story).toEqual([
      ['quarantined', 0],
      ['restarted', 3 * MINUTE],
      ['quarantined', 22 * MINUTE],
      ['restarted', 28 * MINUTE],
      ['quarantined', 47 * MINUTE],
    ]);
    expect(run.lives.at(-1)).not.toHaveProperty('restartAt');
    expect(run.latches).toEqual([
      {
        name: 'strategy failing-1',
        value: 'quarantined',
        reason: 'threw: the twentieth',
      },
    ]);
  });

  test('restarts count within their time only', async () => {
    const often = { ...policy, withinMs: 10 * MINUTE };
    const run = await runDirect(tapeOf([memberOf({ lives: [] }, often)]));
    expect(run.lives.filter(({ state }) => state === 'restarted').length).toBeGreaterThan(10);
  });

  test('is warmed up again, has its persisted state, and decides no bar twice', async () => {
    const seen: Seen = { lives: [] };
    const run = await runDirect(tapeOf([memberOf(seen, policy)]));
    const [first, second, third] = seen.lives;
    expect(seen.lives.map(({ retained }) => retained)).toEqual([0, 1, 2]);
    // Five bars of history: those that closed while it was down among them.
    expect(second!.bars[0]).toBe(first!.bars.at(-1)! - 2 * MINUTE);
    expect(third!.bars).toHaveLength(25);
    const causes = run.intents.map(({ decisionKey }) => decisionKey);
    expect(new Set(causes).size).toBe(causes.length);
    const decided = ownIntents(run, 'failing-0');
    expect(decided).toHaveLength(3 * 19);
  });

  test('is informed of its executions that kept running', async () => {
    const seen: Seen = { lives: [] };
    await runDirect(tapeOf([memberOf(seen, policy)]));
    const [, second] = seen.lives;
    expect(second!.snapshots).toHaveLength(1);
  });

  test('does so in a replay over sockets byte for byte as without them', async () => {
    const tape = () => tapeOf([healthy, memberOf({ lives: [] }, policy)]);
    expect(JSON.stringify(await runSockets(tape()))).toBe(JSON.stringify(await runDirect(tape())));
  });
});
