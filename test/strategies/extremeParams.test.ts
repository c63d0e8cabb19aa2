/** Each strategy at the ends of the ranges of its parameters: what it emits has a valid shape, and nothing ends it. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Interval } from '../../src/contract/index.ts';
import type { Intent, Strategy } from '../../src/index.ts';
import { testStrategy, type StrategyTest } from '../../src/testing.ts';
import accumulator from '../../strategies/accumulator.ts';
import bollingerReversion from '../../strategies/bollingerReversion.ts';
import breakout from '../../strategies/breakout.ts';
import directionalTrend from '../../strategies/directionalTrend.ts';
import emaTrend from '../../strategies/emaTrend.ts';
import fundingCarry from '../../strategies/fundingCarry.ts';
import gridTrader from '../../strategies/gridTrader.ts';
import hullTrend from '../../strategies/hullTrend.ts';
import marketMaker from '../../strategies/marketMaker.ts';
import pairTrader from '../../strategies/pairTrader.ts';

type Params = Record<string, unknown>;

/** Where a range has no end: far below and above what anyone sets. */
const [LEAST, MOST] = [1e-3, 1e3];
const BARS = 200;

interface Subject {
  strategy: Strategy;
  symbols: readonly string[];
  /** Whether it reads bars. */
  reads: 'bars' | 'prices';
  /** Short periods, so that a few hundred bars decide something. */
  usual: Params;
}

const [one, pair] = [['BTC'], ['BTC', 'ETH']];
const SUBJECTS: Record<string, Subject> = {
  accumulator: {
    strategy: accumulator,
    symbols: one,
    reads: 'bars',
    usual: { trend: 3, floor: 12 },
  },
  bollingerReversion: { strategy: bollingerReversion, symbols: one, reads: 'bars', usual: {} },
  breakout: { strategy: breakout, symbols: one, reads: 'bars', usual: {} },
  directionalTrend: {
    strategy: directionalTrend,
    symbols: one,
    reads: 'bars',
    usual: { period: 5, slow: 10, strength: 70 },
  },
  emaTrend: { strategy: emaTrend, symbols: one, reads: 'bars', usual: { fast: 3, slow: 8 } },
  fundingCarry: {
    strategy: fundingCarry,
    symbols: pair,
    reads: 'prices',
    usual: { settlements: 3 },
  },
  gridTrader: { strategy: gridTrader, symbols: one, reads: 'prices', usual: {} },
  hullTrend: { strategy: hullTrend, symbols: one, reads: 'bars', usual: { period: 9 } },
  marketMaker: { strategy: marketMaker, symbols: one, reads: 'prices', usual: {} },
  pairTrader: { strategy: pairTrader, symbols: pair, reads: 'bars', usual: { period: 10 } },
};

interface Range {
  enum?: unknown[];
  type?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

/** Ends that the instruments set, and which are refused at the start with their value. */
const ENDS: Record<string, unknown[]> = { max_naked: [22, 1e6] };

function endsOf({ enum: all, type, ...range }: Range): unknown[] {
  if (all !== undefined) return all;
  if (type === 'boolean') return [false, true];
  const least = range.minimum ?? (range.exclusiveMinimum === undefined ? -MOST : LEAST);
  const most = Math.min(range.maximum ?? MOST, Number.MAX_SAFE_INTEGER);
  return [least, most];
}

/** Each parameter at both of its ends, the others as usual. */
function extremesOf({ strategy, usual }: Subject): Params[] {
  const schema = z.toJSONSchema(strategy.params as z.ZodType, { io: 'input' });
  const ranges = Object.entries((schema.properties ?? {}) as Record<string, Range>);
  const ends = ranges.map(([name, range]) => [name, ENDS[name] ?? endsOf(range)] as const);
  const single = ends.flatMap(([name, values]) =>
    values.map((value): Params => ({ ...usual, [name]: value })),
  );
  return [usual, ...single];
}

/** Up and down, more and more, so that averages cross, channels break and levels are passed. */
const priceAt = (bar: number, phase: number): number =>
  100 * (1 + 0.02 * Math.sin(bar / 7 + phase)) * (1 + 0.15 * Math.sin(bar / 90));

const barAt = (bar: number, phase: number) => {
  const [open, close] = [priceAt(bar - 1, phase), priceAt(bar, phase)];
  return {
    open,
    close,
    high: Math.max(open, close) + 0.1,
    low: Math.min(open, close) - 0.1,
    volume: 1_000,
  };
};

/** The bars that it reads unless it is told others. */
function intervalOf({ params }: Strategy): Interval {
  const { interval } = (params as z.ZodType).parse({}) as { interval?: Interval };
  return interval ?? '1h';
}

/** What goes in at the market fills, so that entries and exits are both decided; what rests stays. */
function fillsAtOnce(intent: Intent): boolean {
  if (intent.kind === 'close_position' || intent.kind === 'launch') return true;
  return intent.kind === 'place_order' && intent.request.order_type === 'market';
}

function play({ strategy, symbols, reads }: Subject, params: Params): StrategyTest {
  const interval = (params['interval'] ?? intervalOf(strategy)) as Interval;
  const bot = testStrategy(strategy, { symbols, params, answers: 'accept' });
  let answered = 0;
  for (let bar = 0; bar < BARS; bar++) {
    for (const [phase, symbol] of symbols.entries()) {
      bot.price(symbol, Math.round(priceAt(bar, phase) * 100) / 100);
      if (strategy !== fundingCarry) continue;
      const rate = 1e-3 * Math.sin(bar / 20 + 3 * phase);
      bot.funding(symbol, { rate, next_time: 3_600_000 * (Math.floor(bot.now / 3_600_000) + 1) });
    }
    if (reads === 'prices') bot.advance('1h');
    else
      bot.feeds(symbols.map((symbol, phase) => ({ symbol, interval, bars: [barAt(bar, phase)] })));
    for (; answered < bot.intents.length; answered++) {
      const intent = bot.intents[answered]!;
      if (fillsAtOnce(intent)) bot.fill(intent);
    }
  }
  return bot;
}

describe.each(Object.entries(SUBJECTS))('%s', (_name, subject) => {
  test.each(extremesOf(subject))('%j', (params) => {
    const { intents, faults } = play(subject, params);
    expect(faults).toEqual([]);
    if (params === subject.usual) expect(intents.length).toBeGreaterThan(0);
  });
});
