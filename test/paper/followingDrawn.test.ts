import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toValidPrice } from '../../src/contract/index.ts';
import type { PaperMarket } from '../../src/paper/market/PaperMarket.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { createBench, feedOf, flat, MINUTE, walk, type Row } from './engine/bench.ts';

/** What follows the market on closed bars, step by step on drawn walks: trails and tracked entries of both sides. */

const BARS = 40;
const drawnWalk = fc.record({
  seed: fc.integer({ min: 0, max: 1e9 }),
  move: fc.constantFrom(0.004, 0.01, 0.03),
});
/** In whole cents: a quotient of two integers is exact where it is whole. */
const moveBps = (from: number, to: number): number =>
  (Math.abs(Math.round(to * 100) - Math.round(from * 100)) * 10_000) / Math.round(from * 100);

function openBench({ seed, move }: { seed: number; move: number }, trend = 0) {
  const cents = (price: number, at: number): number =>
    Math.round(price * (1 + trend) ** at * 100) / 100;
  const drift = walk(seed, BARS, { move, volume: 1e6 }).map(
    ([open, high, low, close, volume], at): Row => [
      cents(open, at),
      cents(high, at),
      cents(low, at),
      cents(close, at),
      volume!,
    ],
  );
  const rows = [...flat(100, 6, 1e6), ...drift];
  const bench = createBench({ feeds: [feedOf(rows)] }, { balance: 10_000_000 });
  bench.run(6);
  const market = bench.engine.market as PaperMarket;
  const { instrument } = market.at('BTC');
  return { bench, market, rows, valid: (price: number): number => toValidPrice(price, instrument) };
}

describe('LEG-4: a trail by percent', () => {
  const drawn = fc.record({
    walk: drawnWalk,
    isLong: fc.boolean(),
    kind: fc.constantFrom('stop_loss' as const, 'take_profit' as const),
    pct: fc.constantFrom(0.3, 1, 2.5),
    interval: fc.constantFrom('1m' as const, '5m' as const),
    leastBps: fc.constantFrom(undefined, 0, 5, 40),
    other: fc.boolean(),
  });

  test('follows each close of its interval, only tighter, of a long and of a short', async () => {
    const tried = new Tried();
    await holdLaw(
      120,
      drawn,
      ({ walk: drawnBars, isLong, kind, pct, interval, leastBps, other }) => {
        const { bench, rows, valid } = openBench(drawnBars);
        const trail = {
          pct,
          interval,
          ...(leastBps === undefined ? {} : { min_move_bps: leastBps }),
        };
        const side = isLong ? 'buy' : 'sell';
        const far = valid(kind === 'stop_loss' ? (isLong ? 190 : 10) : isLong ? 10 : 190);
        const fixed = kind === 'stop_loss' ? 'take_profit' : 'stop_loss';
        bench.order({
          side,
          size: 1,
          order_type: 'market',
          [kind]: { trail },
          ...(other ? { [fixed]: { price: far } } : {}),
        });
        const legs = () =>
          bench.call('positions.legs', { pathParams: { symbol: 'BTC' } }).items as Array<{
            kind: string;
            status: string;
            resolution: { trigger_price: number } | null;
          }>;
        const leg = () => legs().find((one) => one.kind === kind && one.status === 'armed');
        /** The trigger is below the price: a long's stop, a short's target. */
        const isBelow = (kind === 'stop_loss') === isLong;
        const away = isBelow ? -1 : 1;
        let trigger = leg()!.resolution!.trigger_price;
        const stepMs = interval === '1m' ? MINUTE : 5 * MINUTE;
        for (let at = 6; at < rows.length; at++) {
          bench.run(1);
          const [, high, low, close] = rows[at]!;
          if (isBelow ? low <= trigger : high >= trigger) {
            expect(leg()).toBeUndefined();
            expect(bench.call('positions.list').items).toEqual([]);
            tried.take(`${kind} fired`);
            return;
          }
          if (((at + 1) * MINUTE) % stepMs === 0) {
            // Cents times tenths of a percent: integers, so that the decimal is exact.
            const parts = Math.round(close * 100) * (1_000 + away * Math.round(pct * 10));
            const target = valid(parts / 100_000);
            const isTighter = away * (target - trigger) < 0;
            const mayMove = kind === 'stop_loss' || away * (target - close) > 0;
            if (isTighter && mayMove && moveBps(trigger, target) >= (leastBps ?? 5)) {
              trigger = target;
              tried.take(`${side} ${kind} moved`);
            }
          }
          expect(leg()?.resolution?.trigger_price, `minute ${at}`).toBe(trigger);
          if (other) expect(legs().filter(({ status }) => status === 'armed')).toHaveLength(2);
        }
      },
    );
    const all = ['stop_loss', 'take_profit'].flatMap((one) => [
      `${one} fired`,
      `buy ${one} moved`,
      `sell ${one} moved`,
    ]);
    expect(tried.rare(all, 1)).toEqual([]);
  });
});

describe('TRK-2 to TRK-5: a tracked entry', () => {
  const drawn = fc.record({
    walk: drawnWalk,
    /** Away from the entry, so that it is not filled at once. */
    trend: fc.constantFrom(0, 0.002, 0.005),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    period: fc.constantFrom(2, 5),
    interval: fc.constantFrom('1m' as const, '5m' as const),
    leastBps: fc.constantFrom(undefined, 0, 20, 80),
    driftBps: fc.constantFrom(undefined, 5, 20, 10_000),
  });

  test('moves with its level, holds where it would cross, and stops by its drift from the first price', async () => {
    const tried = new Tried();
    await holdLaw(
      120,
      drawn,
      ({ walk: drawnBars, trend, side, period, interval, leastBps, driftBps }) => {
        const { bench, market, rows, valid } = openBench(
          drawnBars,
          side === 'buy' ? trend : -trend,
        );
        const perBar = interval === '1m' ? 1 : 5;
        // Until the level is on the side of the book on which it rests.
        let at = 6;
        const closesAt = (end: number): number[] =>
          rows
            .slice(0, end)
            .flatMap(([, , , close], index) => ((index + 1) % perBar === 0 ? [close] : []));
        const levelAt = (end: number): number | undefined => {
          const closes = closesAt(end).slice(-period);
          if (closes.length < period) return undefined;
          return valid(closes.reduce((sum, close) => sum + close, 0) / period);
        };
        const crosses = (level: number): boolean => {
          const { bid, ask } = market.at('BTC').touch();
          return side === 'buy' ? level >= ask : level <= bid;
        };
        for (; at < rows.length - 10; at++) {
          const level = levelAt(at);
          if (level !== undefined && !crosses(level)) break;
          bench.run(1);
        }
        if (at >= rows.length - 10) return;
        const placed = bench.order({
          side,
          size: 1,
          order_type: 'limit',
          client_order_id: 'mine',
          price_from: {
            indicator: 'sma',
            params: { period },
            interval,
            track: true,
            ...(leastBps === undefined ? {} : { min_move_bps: leastBps }),
            ...(driftBps === undefined ? {} : { max_drift_bps: driftBps }),
          },
        });
        const first = placed.price as number;
        expect(first).toBe(levelAt(at));
        let price = first;
        /** Each frame with its price, and the level where that is another one. */
        const seen = () =>
          bench.events
            .filter(({ event }) => event.startsWith('entry_'))
            .map(({ event, data }) => {
              const { trigger_price, level } = data as Record<string, number | undefined>;
              return [event, trigger_price, level];
            });
        const expected: Array<[event: string, price: number, level: number | undefined]> = [];
        for (; at < rows.length; at++) {
          const isFilled = () =>
            bench.call('orders.get', { pathParams: { id: 'client:mine' } }).status !== 'open';
          bench.run(1);
          if (isFilled()) {
            expect(seen().slice(expected.length)).toContainEqual([
              'entry_retired',
              price,
              undefined,
            ]);
            tried.take(`${side} filled`);
            return;
          }
          if ((at + 1) % perBar === 0) {
            const level = levelAt(at + 1)!;
            if (moveBps(first, level) > (driftBps ?? 500)) {
              expected.push(['entry_tracking_stopped', price, level]);
            } else if (crosses(level)) expected.push(['entry_hold', price, level]);
            else if (level !== price && moveBps(price, level) >= (leastBps ?? 5)) {
              price = level;
              expected.push(['entry_moved', level, undefined]);
            }
          }
          const now = bench.call('orders.get', { pathParams: { id: 'client:mine' } });
          expect(seen(), `minute ${at}`).toEqual(expected);
          expect(now.price).toBe(price);
          const last = expected.at(-1)?.[0];
          tried.take(`${side} ${last}`, `${last}`);
          if (last === 'entry_tracking_stopped') return;
        }
      },
    );
    expect(tried.rare(['buy entry_moved', 'sell entry_moved'], 3)).toEqual([]);
    expect(tried.rare(['entry_tracking_stopped'], 1)).toEqual([]);
  });
});
