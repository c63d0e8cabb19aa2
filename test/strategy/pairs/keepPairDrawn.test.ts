import { distinctUntilChanged, map, of, startWith, timer } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { runBacktest, type BacktestResult } from '../../../backtest/programs/index.ts';
import { createRandom } from '../../../src/env/index.ts';
import type { StrategyContext } from '../../../src/index.ts';
import type { TestedIntent } from '../../../src/testing.ts';
import { rotated } from '../../tiers.ts';
import { BTC, ETH, heldOf, nakedOf, orderOf, pairOf, SLACK, start } from './pairFixture.ts';

/** A part of them by rotation, all in a full run. */
const ALL_SEEDS = Array.from({ length: 120 }, (_none, index) => index + 1);
const SEEDS = rotated(ALL_SEEDS, 15);

/** A service that answers as it likes, and a market that stands still. */
function playAgainst(seed: number) {
  const random = createRandom(`pair ${seed}`);
  const chance = (share: number): boolean => random.next() < share;
  const pick = <T>(...all: T[]): T => all[Math.floor(random.next() * all.length)]!;
  const hedge_ratio = pick(0.5, 1, 1.7);
  const values = Array.from({ length: 4 }, () => pick(0, 900, 2_500, 6_000) * pick(1, -1));
  const max_naked = pick(300, 1_000, 20_000);
  const bot = start(
    (ctx) =>
      ctx.every('5m').pipe(
        map((_tick, at) => ({ value: values[Math.min(at, values.length - 1)]!, hedge_ratio })),
        startWith({ value: values[0]!, hedge_ratio }),
      ),
    { max_naked, unwind_after_ms: pick(5_000, 30_000), retry_ms: pick(1_000, 5_000) },
  );
  const open = new Map<TestedIntent, 'sent' | 'unknown' | 'partly'>();
  const parts = new Map<TestedIntent, number>();
  let seen = 0;
  const collect = (): void => {
    for (const intent of bot.intents.slice(seen)) {
      const { symbol } = orderOf({ intent });
      const same = [...open.keys()].filter((one) => orderOf({ intent: one }).symbol === symbol);
      expect(same, 'one order of a leg at a time').toEqual([]);
      open.set(intent, 'sent');
      // A bot has journaled it before anything else happens.
      if (!bot.outcomes.some(({ decisionKey }) => decisionKey === intent.decisionKey))
        bot.outcome(intent, 'guarded');
    }
    seen = bot.intents.length;
  };
  const answer = (intent: TestedIntent, isFriendly: boolean): void => {
    const { size, reduce_only } = orderOf({ intent });
    const state = open.get(intent)!;
    if (isFriendly || state === 'partly' || chance(0.5)) {
      const part = Math.round(size * 0.4 * 1e5) / 1e5;
      const isPart = !isFriendly && state !== 'partly' && part > 0 && chance(0.3);
      if (isPart) open.set(intent, 'partly');
      else open.delete(intent);
      bot.fill(
        intent,
        isPart
          ? { size: part }
          : { size: Math.round((size - (parts.get(intent) ?? 0)) * 1e5) / 1e5 },
      );
      if (isPart) parts.set(intent, part);
      return;
    }
    if (state === 'sent' && chance(0.3)) {
      open.set(intent, 'unknown');
      bot.outcome(intent, 'unknown');
      return;
    }
    open.delete(intent);
    if (state === 'unknown') bot.outcome(intent, 'absent');
    else if (reduce_only !== true && chance(0.6)) bot.outcome(intent, 'denied', 'entry_gate');
    else bot.outcome(intent, 'rejected', 'insufficient_margin');
  };
  return { bot, chance, pick, hedge_ratio, values, max_naked, open, collect, answer };
}

describe('whatever is answered', () => {
  test.each(SEEDS)('a pair is never doubled, and bounded, and converges: %i', (seed) => {
    const game = playAgainst(seed);
    const { bot, hedge_ratio, max_naked } = game;
    const largest = Math.max(...game.values.map(Math.abs));
    const checkAll = (): void => {
      game.collect();
      expect(Math.abs(nakedOf(bot, hedge_ratio))).toBeLessThanOrEqual(max_naked + SLACK * 2);
      expect(Math.abs(heldOf(bot, 'ETH')) * ETH).toBeLessThanOrEqual(largest + 1);
      expect(Math.abs(heldOf(bot, 'BTC')) * BTC).toBeLessThanOrEqual(largest * hedge_ratio + 1);
    };
    const play = (isFriendly: boolean): void => {
      for (const intent of game.open.keys()) {
        if (!isFriendly && game.chance(0.6)) continue;
        game.answer(intent, isFriendly);
        checkAll();
      }
    };
    for (let turn = 0; turn < 150; turn++) {
      bot.advance(game.pick('1s', '3s', '10s', '40s'));
      checkAll();
      play(false);
      if (game.chance(0.03)) bot.restart().price('ETH', ETH).price('BTC', BTC);
      checkAll();
    }
    for (let turn = 0; turn < 120; turn++) {
      bot.advance('1m');
      checkAll();
      play(true);
    }
    const value = game.values.at(-1)!;
    const isFlat = value === 0;
    expect(Math.abs(heldOf(bot, 'ETH') * ETH - value)).toBeLessThan(
      isFlat ? 1e-6 : 13 + 0.02 * Math.abs(value),
    );
    expect(Math.abs(heldOf(bot, 'BTC') * BTC + value * hedge_ratio)).toBeLessThan(
      isFlat ? 1e-6 : 13 + 0.02 * Math.abs(value) * hedge_ratio,
    );
    expect(bot.faults).toEqual([]);
  });
});

describe('where entries are denied at random and reductions fill', () => {
  test.each(SEEDS)('a leg lacks its counterpart for no longer than stated: %i', (seed) => {
    const random = createRandom(`naked ${seed}`);
    const pick = <T>(...all: T[]): T => all[Math.floor(random.next() * all.length)]!;
    const share = pick(0.3, 0.7, 0.95);
    const unwind_after_ms = pick(5_000, 30_000);
    const others = Array.from({ length: 3 }, () => pick(0, 900, 2_500) * pick(1, -1));
    const values = [1_800, ...others];
    const bot = start(
      (ctx) =>
        ctx.every('5m').pipe(
          map((_tick, at) => ({ value: values[at % values.length]! })),
          startWith({ value: values[0]! }),
        ),
      { max_naked: 500, unwind_after_ms, retry_ms: pick(1_000, 4_000) },
    );
    let answered = 0;
    let since: number | undefined;
    for (let second = 0; second < 1_500; second++) {
      // What a fill leads to is answered in the same second.
      for (; answered < bot.intents.length; answered++) {
        const intent = bot.intents[answered]!;
        const isEntry = orderOf({ intent }).reduce_only !== true;
        if (isEntry && random.next() < share) bot.outcome(intent, 'denied', 'entry_gate');
        else bot.fill(intent);
        if (Math.abs(nakedOf(bot)) <= SLACK) since = undefined;
        else since ??= bot.now;
      }
      expect(bot.now - (since ?? bot.now)).toBeLessThanOrEqual(unwind_after_ms + 2_000);
      bot.advance('1s');
    }
    expect(bot.intents.length).toBeGreaterThan(5);
  });
});

describe('in a backtest', () => {
  const feedOf = (symbol: string, seed: number, start_price: number, volume: number) => ({
    symbol,
    interval: '1m' as const,
    generate: { seed, bars: 400, start_price, volatility_bps: 2, volume },
  });

  /** Latencies, budgets and shares of volume under which answers, frames and fills cross. */
  function drawn(seed: number, guards: object = {}) {
    const random = createRandom(`pair backtest ${seed}`);
    const pick = <T>(...all: T[]): T => all[Math.floor(random.next() * all.length)]!;
    const restart = { max: 1, backoff_seconds: 120 };
    const config = {
      name: 'pair',
      link: { kind: 'paper' as const },
      paper: {
        feeds: [
          feedOf('ETH', seed, ETH, pick(0.5, 3, 50)),
          feedOf('BTC', seed + 1, BTC, pick(0.02, 3)),
        ],
        warmup: 0,
        balance: 1_000_000,
        volume_share: pick(0.2, 1),
        latency: { order_ms: pick(0, 20, 1_500, 20_000), data_ms: pick(0, 0, 300) },
      },
      budget: { weight_per_minute: pick(40, 200, 2_000) },
      guards,
      strategies: [{ use: 'pair', name: 'pair', symbols: ['ETH', 'BTC'], params: {}, restart }],
    };
    return { pick, config };
  }

  /** What is naked after each fill at the first marks, the most of a leg, and how long it was naked at most. */
  function measure({ fills }: BacktestResult) {
    const held: Record<string, number> = { ETH: 0, BTC: 0 };
    const most: Record<string, number> = { ETH: 0, BTC: 0 };
    let naked = 0;
    for (const { symbol, side, size } of fills) {
      held[symbol]! += side === 'buy' ? size : -size;
      most[symbol] = Math.max(most[symbol]!, Math.abs(held[symbol]!));
      naked = Math.max(naked, Math.abs(held['ETH']! * ETH + held['BTC']! * BTC));
    }
    return { held, most, naked };
  }

  /** What the price moves meanwhile: two basis points a minute. */
  const MOVED = 1.02;

  test.each(rotated(ALL_SEEDS, 6))(
    'whatever crosses on the way, it is bounded, survives a restart and arrives: %i',
    async (seed) => {
      const { pick, config } = drawn(seed);
      const max_naked = pick(200, 1_000, 10_000);
      const value = pick(500, 3_000) * pick(1, -1);
      const failsAt = pick(5, 60, 1_000);
      let lives = 0;
      const strategy = pairOf(
        (ctx) => {
          lives++;
          return ctx.candles('ETH', '1m').pipe(
            map((_bar, at) => {
              if (lives === 1 && at === failsAt) throw new Error('a bug');
              return at;
            }),
            // One target each for three hours, then flat: the history is a part of the bars.
            map(() => (ctx.now() < startOf(ctx) + 180 * 60_000 ? { value } : { value: 0 })),
            distinctUntilChanged((a, b) => a.value === b.value),
          );
        },
        { max_naked },
      );
      const firsts = new WeakMap<object, number>();
      const startOf = (ctx: StrategyContext): number => {
        const known = firsts.get(firsts) ?? ctx.now();
        firsts.set(firsts, known);
        return known;
      };
      const run = await runBacktest({ config, plugins: { pair: strategy } });
      const { held, most, naked } = measure(run);
      expect(run.fills.length).toBeGreaterThan(1);
      expect(naked).toBeLessThanOrEqual(
        (max_naked + 2 * SLACK) * MOVED + Math.abs(value) * (MOVED - 1),
      );
      expect(most['ETH']! * ETH).toBeLessThanOrEqual(Math.abs(value) * MOVED);
      expect(most['BTC']! * BTC).toBeLessThanOrEqual(Math.abs(value) * MOVED);
      expect(held['ETH']).toBeCloseTo(0, 6);
      expect(held['BTC']).toBeCloseTo(0, 6);
    },
  );

  test('a leg that is denied is bought for once, by one step, and sold again', async () => {
    const { config } = drawn(1, { max_order_size: { ETH: 0.001 } });
    const feeds = [feedOf('ETH', 1, ETH, 50), feedOf('BTC', 2, BTC, 3)];
    const deep = { ...config, paper: { ...config.paper, feeds, volume_share: 1 } };
    // By then both have data.
    const strategy = pairOf((ctx) =>
      timer(600_000, ctx.scheduler).pipe(map(() => ({ value: 3_000 }))),
    );
    const run = await runBacktest({ config: deep, plugins: { pair: strategy } });
    expect(run.fills.map(({ symbol, side }) => `${symbol} ${side}`)).toEqual([
      'BTC sell',
      'BTC buy',
    ]);
    const [entry, exit] = run.fills;
    expect(exit!.time - entry!.time).toBeLessThanOrEqual(60_000);
    expect(measure(run).naked).toBeLessThanOrEqual(1_000 * MOVED);
  });

  test('a leg that no guard lets pass keeps the other one from being entered', async () => {
    const { config } = drawn(1, { max_order_size: { BTC: 0.001 } });
    const strategy = pairOf(() => of({ value: 1_000 }));
    const { fills, intents } = await runBacktest({ config, plugins: { pair: strategy } });
    expect(fills).toEqual([]);
    expect(intents.length).toBeLessThan(100);
  });
});
