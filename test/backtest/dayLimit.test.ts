import { concatMap, filter, ignoreElements, merge, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { placeOrder } from '../../src/intents/index.ts';
import { crossesOver, crossesUnder, defineStrategy } from '../../src/strategy/index.ts';
import { testFeed } from '../paper/core/openTestService.ts';
import { runDirect, runDriven } from './runParity.ts';

/** Where it trades: it looks at every bar, and a replay hands on those in between as a stretch. */
interface Level {
  side: 'buy' | 'sell';
  /** Bought where the close rises over it, sold where the close falls under it. */
  close: number;
  size: number;
}

const trading = (levels: readonly Level[], ends: string[]) =>
  defineStrategy({
    name: 'trading',
    contract: 1,
    description: 'Trades where the close crosses a level.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      merge(
        ctx.outcomes$.pipe(
          filter(({ state }) => state === 'accepted' || state === 'denied'),
          tap(({ state, reason }) => ends.push(reason ?? state)),
          ignoreElements(),
        ),
        ...levels.map(({ side, close: level, size }) => {
          const crosses = side === 'buy' ? crossesOver : crossesUnder;
          return ctx.candles(ctx.symbol, '1m').pipe(
            crosses(
              ({ close }) => close,
              () => level,
            ),
            concatMap(() => [placeOrder.market({ symbol: ctx.symbol, side, size })]),
          );
        }),
      ),
  });

const LONG: readonly Level[] = [
  { side: 'buy', close: 99.5, size: 1 },
  { side: 'buy', close: 102.5, size: 1 },
];
const SHORT: readonly Level[] = [
  { side: 'sell', close: 100.5, size: 1 },
  { side: 'sell', close: 97.5, size: 1 },
];
/** A little more is bought when something is lost already: the stretch before the limit begins there. */
const MORE: readonly Level[] = [...LONG, { side: 'buy', close: 93.5, size: 0.2 }];
/** Minutes from the first bar until a later day begins. */
const DAY = 1_440;

interface Course {
  name: string;
  symbols?: readonly string[];
  levels: readonly Level[];
  bars?: number;
  closeOf(at: number): number;
  /** Orders that are accepted before, and denied after the limit was reached, of each symbol. */
  accepted?: number;
  denied?: number;
  lost: RegExp;
}

const COURSES: Course[] = [
  {
    name: 'a long',
    levels: LONG,
    closeOf: (at) => (at < 150 ? 99 : at < 220 ? 100 : at === 260 ? 80 : at < 300 ? 99 : 103),
    lost: /^the wallet lost 20\.\d\d today \(/,
  },
  {
    name: 'a short',
    levels: SHORT,
    closeOf: (at) => (at < 150 ? 101 : at < 220 ? 100 : at === 260 ? 120 : at < 300 ? 101 : 97),
    lost: /^the wallet lost 20\.\d\d today \(/,
  },
  {
    name: 'two symbols, neither of which alone reaches it',
    symbols: ['BTC', 'ETH'],
    levels: LONG,
    closeOf: (at) => (at < 150 ? 99 : at < 220 ? 100 : at === 260 ? 94 : at < 300 ? 99 : 103),
    lost: /^the wallet lost 12\.\d\d today \(/,
  },
  {
    name: 'a day that begins while it is held',
    levels: LONG,
    bars: DAY + 400,
    closeOf: (at) =>
      at < DAY - 50 ? 99 : at < DAY ? 100 : at === DAY + 60 ? 80 : at < DAY + 300 ? 99 : 103,
    lost: /^the wallet lost 20\.\d\d today \(/,
  },
  {
    name: 'a stretch that begins with a loss',
    levels: MORE,
    closeOf: (at) =>
      at < 150 ? 99 : at < 180 ? 100 : at < 200 ? 93 : at === 260 ? 89 : at < 300 ? 94 : 103,
    accepted: 2,
    denied: 3,
    lost: /^the wallet lost 12\.\d\d today \(/,
  },
];

test.each(COURSES)(
  'a daily loss that is reached and regained between two decisions holds: $name',
  async ({ symbols = ['BTC'], levels, bars = 400, closeOf, accepted = 1, denied = 2, lost }) => {
    const feeds = symbols.map((symbol) => {
      const feed = testFeed(symbol, bars);
      for (let at = 0; at < feed.close.length; at++) {
        const [open, close] = [closeOf(Math.max(0, at - 1)), closeOf(at)];
        feed.open[at] = open;
        feed.close[at] = close;
        feed.high[at] = Math.max(open, close);
        feed.low[at] = Math.min(open, close);
      }
      return feed;
    });
    const ends: string[][] = [[], []];
    const [exact, driven] = [await runDirect(tapeOf(ends[0]!)), await runDriven(tapeOf(ends[1]!))];
    const count = (each: number): number => each * symbols.length;
    expect(ends[0]).toEqual([
      ...Array<unknown>(count(accepted)).fill('accepted'),
      ...Array<unknown>(count(denied)).fill(expect.stringMatching(lost)),
    ]);
    expect(ends[1]).toEqual(ends[0]);
    expect(driven.hash).toBe(exact.hash);

    function tapeOf(into: string[]) {
      const strategy = trading(levels, into);
      return {
        data: { feeds, funding: {} },
        settings: {
          feeds: symbols.map((symbol) => ({ symbol, interval: '1m' as const, generate: {} })),
          warmup: 100,
        },
        members: symbols.map((symbol) => ({ strategy, symbols: [symbol], wallet: 'main' })),
        guards: { daily_loss_limit: 10 },
      };
    }
  },
);
