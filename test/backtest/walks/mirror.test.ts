/**
 * The mirror law: on a tape whose prices are mirrored, a strategy whose sides are swapped gets the mirror image, fill by
 * fill. Most code is written with longs in mind; whatever treats shorts otherwise shows here.
 */
import { from, mergeMap } from 'rxjs';
import {
  attachTpsl,
  bulkCancel,
  closePosition,
  createMonitor,
  defineStrategy,
  launch,
  placeOrder,
  stopLoss,
  takeProfit,
  type Intent,
} from 'trimtab';
import { z } from 'zod';
import { describe, expect, test } from 'vitest';
import { createRandom, type Random } from '../../../src/env/index.ts';
import { generateFeed, type Feed } from '../../../src/paper/index.ts';
import type { StrategyContext } from '../../../src/strategy/StrategyContext.ts';
import { isFull, rotation } from '../../tiers.ts';
import { runDirect, type ParityTape } from '../runParity.ts';

const CASES = isFull ? 600 : 40;
const PARTS = 4;
const START = Date.UTC(2026, 0, 5, 22);
/** Prices are mirrored at half of this: the start price stays where it is. */
const SUM = 120_000;

type Sign = 1 | -1;

/** Prices of five figures have whole units. */
const toTick = (price: number): number => Math.round(price);
const mirror = (price: number): number => SUM - price;

/** Bars on the tick, no two distances alike: a bar's path goes to its nearer extreme first. */
function createFeed(seed: string): Feed {
  const feed = generateFeed({
    symbol: 'BTC',
    interval: '1m',
    bars: 160,
    seed,
    startTime: START,
    startPrice: SUM / 2,
    volume: 60,
    volatilityBps: 12,
  });
  const columns = { open: feed.open, high: feed.high, low: feed.low, close: feed.close };
  for (const column of Object.values(columns)) column.set(column.map(toTick));
  for (const at of feed.open.keys()) {
    const [open, close] = [feed.open[at]!, feed.close[at]!];
    feed.high[at] = Math.max(feed.high[at]!, open, close);
    feed.low[at] = Math.min(feed.low[at]!, open, close);
    if (feed.high[at] - open === open - feed.low[at]) feed.high[at] += 1;
  }
  return feed;
}

function mirrored(feed: Feed): Feed {
  return {
    ...feed,
    open: feed.open.map(mirror),
    high: feed.low.map(mirror),
    low: feed.high.map(mirror),
    close: feed.close.map(mirror),
  };
}

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random.next() * values.length)]!;

/** Acts at random by distances from the close, the same on the same bar; `sign` −1 swaps all sides. */
function createMirrorActor(seed: string, sign: Sign) {
  return defineStrategy({
    name: 'mirror',
    contract: 1,
    description: 'Acts by distances, on either side.',
    scopes: ['trade', 'algo'],
    params: z.object({}),
    setup: (ctx: StrategyContext) =>
      ctx
        .candles('BTC', '1m')
        .pipe(
          mergeMap(({ time, close }) => from(decide(createRandom(`${seed} ${time}`), close, sign))),
        ),
  });
}

function decide(random: Random, close: number, sign: Sign): Intent[] {
  if (random.next() > 0.25) return [];
  const symbol = 'BTC';
  const drawn = pick(random, [1, -1] as const);
  const side = drawn * sign === 1 ? 'buy' : 'sell';
  const size = pick(random, [0.01, 0.02, 0.05]);
  const steps = (least: number, most: number): number =>
    least + Math.floor(random.next() * (most - least));
  /** So far in the direction of the drawn side; negative: against it. */
  const ahead = (distance: number): number => close + sign * drawn * distance;
  const atr = { indicator: 'atr', interval: '1m', params: { period: 7 } } as const;
  // In basis points of the price, which differs: a tick moves it in both worlds.
  const moved = { min_move_bps: 0.1 };
  // Periods by which no half tick can result: it would be rounded up in both.
  const stop = pick(random, [
    stopLoss.price(ahead(-steps(10, 150))),
    stopLoss.trail({ ...atr, mult: 2, ...moved }),
    stopLoss.offset({ ...atr, mult: 2 }),
    stopLoss.at({ indicator: 'sma', interval: '1m', params: { period: 7 } }),
    stopLoss.trail({ indicator: 'sma', interval: '1m', params: { period: 13 }, ...moved }),
  ]);
  const target = takeProfit.price(ahead(steps(10, 150)));
  const resting = ahead(-steps(1, 100));
  const both = random.next() < 0.5 ? { stop_loss: stop } : { stop_loss: stop, take_profit: target };
  const direction = drawn * sign === 1 ? 'above' : 'below';
  const choices: ReadonlyArray<() => Intent> = [
    () => placeOrder.market({ symbol, side, size }),
    () => placeOrder.market({ symbol, side, size, ...both }),
    () => placeOrder.limit({ symbol, side, size, price: resting }),
    () => placeOrder.limit({ symbol, side, size, price: resting, ...both }),
    () =>
      placeOrder.atLevel({
        symbol,
        side,
        size,
        price_from: {
          indicator: 'ema',
          interval: '1m',
          params: { period: 9 },
          track: true,
          ...moved,
        },
      }),
    () => attachTpsl(symbol, { stop_loss: stop }),
    () => attachTpsl(symbol, { take_profit: target }),
    () => closePosition.atMarket(symbol),
    () => bulkCancel({ symbol }),
    () =>
      launch.pacemaker({
        symbol,
        side,
        total_size: size,
        params: { duration_seconds: 600, slices: 5 },
      }),
    () =>
      launch.ghostsweep({
        symbol,
        side,
        total_size: size,
        params: { trigger_price: ahead(steps(-30, 30)) },
      }),
    () =>
      launch.smartexit({
        symbol,
        side,
        total_size: size,
        reduce_only: true,
        params: { stop_price: ahead(steps(10, 60)), take_price: ahead(-steps(10, 60)) },
      }),
    () =>
      createMonitor({
        trigger: { type: 'price_level', symbol, price: ahead(steps(-30, 30)), direction },
        action: { type: 'order', request: { order_type: 'market', symbol, side, size } },
      }),
  ];
  return [pick(random, choices)()];
}

/** Fills, and what became of each intent, a line each; of a mirrored run as its mirror image. */
async function linesOf(feed: Feed, seed: string, sign: Sign): Promise<string[]> {
  const tape: ParityTape = {
    data: {
      feeds: [sign === 1 ? feed : mirrored(feed)],
      funding: { BTC: { constantRate: 0, intervalMs: 3_600_000 } },
    },
    settings: {
      feeds: [{ symbol: 'BTC', interval: '1m', generate: { seed: 1, bars: 2 } }],
      warmup: 20,
      balance: 10_000_000,
      // A share of the price would differ; so narrow a spread is one tick on either side.
      half_spread_bps: 1e-6,
      impact_bps: 0,
    },
    members: [{ strategy: createMirrorActor(seed, sign), symbols: ['BTC'], wallet: 'main' }],
    guards: { max_position_notional: 10_000_000, max_intents_per_minute: 100 },
  };
  const run = await runDirect(tape);
  const fills = run.fills.map(({ time, side, price, size }) => {
    const isBuy = (side === 'buy') === (sign === 1);
    const shown = sign === 1 ? price : mirror(price);
    return `${time} ${isBuy ? 'buy' : 'sell'} ${size} at ${shown}`;
  });
  const states = run.intents.map(({ decisionKey, intent, states: steps }) => {
    const { kind } = (JSON.parse(intent) as { intent: { kind: string } }).intent;
    return `${decisionKey} ${kind} ${steps.join(', ')}`;
  });
  return [...fills, ...states];
}

describe('the mirror image of a tape gives the mirror image of a run', () => {
  let fills = 0;
  test.each(Array.from({ length: PARTS }, (_none, part) => part))(
    'in drawn runs (part %i)',
    { timeout: 600_000 },
    async (part) => {
      for (let at = part; at < CASES; at += PARTS) {
        const seed = `mirror ${rotation} ${at}`;
        const feed = createFeed(seed);
        const lines = await linesOf(feed, seed, 1);
        expect(await linesOf(feed, seed, -1), `seed ${seed}`).toEqual(lines);
        fills += lines.filter((line) => line.includes(' at ')).length;
      }
    },
  );

  test('and the drawn runs trade', () => {
    expect(fills).toBeGreaterThan(CASES * 5);
  });
});
