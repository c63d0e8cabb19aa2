import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createLiveEnv, createRandom, openThread, type Log } from '../../../src/env/index.ts';
import {
  createStrategyHost,
  createThreadHost,
  type Strategy,
  type StrategyHost,
  type StrategyHostOptions,
} from '../../../src/strategy/index.ts';
import { root } from '../../sourceFiles.ts';
import { runStrategy, START } from '../../strategies/runStrategy.ts';
import oddities from './oddities.ts';
import witness from './witness.ts';

/** What a strategy sees and does in its own thread is what it would see and do in the bot's. */

const hosts: StrategyHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

type Create = (options: StrategyHostOptions) => StrategyHost;

const SYMBOLS = ['ETH', 'BTC'];

const inThread =
  (use: string, seed: string, memoryMb = 256): Create =>
  (options) =>
    createThreadHost({
      ...options,
      openThread,
      waits: true,
      timers: createLiveEnv().timers,
      seed,
      instruments: SYMBOLS.toReversed().map((symbol) => options.instrument(symbol)!),
      isolation: {
        use,
        directory: join(root, 'test/strategy/thread'),
        params: use === './oddities.ts' ? { does: 'hoards' } : {},
        turnDeadlineMs: 20_000,
        memoryMb,
      },
    });

/** A run in steps, each with what it left: lines of the log, intents, values of a plot. */
function follow(strategy: Strategy, create: Create, params: Record<string, unknown> = {}) {
  const reported: unknown[] = [];
  const logOf = (own: object): Log => {
    const write = (message: string, fields: object = {}): void =>
      void reported.push([message, { ...own, ...fields }]);
    const more = (fields: object): Log => logOf({ ...own, ...fields });
    return { debug: write, info: write, warn: write, error: write, with: more };
  };
  let frameTime: number | undefined;
  const run = runStrategy(strategy, {
    params,
    symbols: SYMBOLS,
    capitalShare: 0.25,
    log: logOf({}),
    createHost: (options) =>
      create({
        ...options,
        frameTime: () => frameTime,
        onPlot: ({ name }, time, value) => void reported.push([name, time, value]),
        onIntent(emission) {
          reported.push(emission);
          options.onIntent(emission);
        },
      }),
  });
  hosts.push(run.host);
  return {
    run,
    /** A tick of a frame that is late by so much; undefined: of none. */
    price(last: number, lateMs: number | undefined) {
      frameTime = lateMs === undefined ? undefined : run.market.now() - lateMs;
      run.sources.price$.next({ symbol: 'ETH', mark: last, bid: last, ask: last, last } as never);
      frameTime = undefined;
    },
    reported: () => reported.splice(0),
  };
}

test('all that it sees and does is the same, step by step', { timeout: 60_000 }, () => {
  const seed = 'of this instance';
  const own = follow(witness, (options) =>
    createStrategyHost({ ...options, random: createRandom(seed) }),
  );
  const other = follow(witness, inThread('./witness.ts', seed));
  const steps: Array<(one: ReturnType<typeof follow>) => void> = [
    () => {},
    ({ run }) => run.bars(10),
    ({ price }) => price(11, 4_000),
    // Decided in a task, whose time is its own and not that of the frame before.
    ({ run }) => run.market.advanceTo(START + 95_000),
    ({ run }) => run.bars(12, 13),
    ({ price }) => price(14, undefined),
    ({ run }) => run.market.advanceTo(START + 300_000),
  ];
  const seen: unknown[] = [];
  for (const step of steps) {
    for (const one of [own, other]) step(one);
    const expected = own.reported();
    expect(other.reported()).toEqual(expected);
    seen.push(...expected);
  }
  expect(own.run.emissions).toHaveLength(4);
  expect([own.run.faults, other.run.faults]).toEqual([[], []]);
  expect(seen.length).toBeGreaterThan(10);
});

test('it may use as much memory as is configured, and no more', { timeout: 60_000 }, () => {
  const { run } = follow(oddities, inThread('./oddities.ts', 'x', 96), { does: 'hoards' });
  let bars = 0;
  for (; bars < 40 && run.host.status.state === 'running'; bars++) run.bars(1);
  expect(run.faults).toMatchObject([{ kind: 'thread_ended' }]);
  // Eight megabytes a bar.
  expect(bars).toBeLessThanOrEqual(12);
});
