import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FillRecord, OrderRecord, PositionRecord } from '../../../src/contract/index.ts';
import { createBench, feedOf, MINUTE, START, walk, type Row } from '../engine/bench.ts';

const SYMBOLS = ['BTC', 'ETH'] as const;
const LEVERAGE = { BTC: 10, ETH: 5 } as const;
const MAX_LEVERAGE = 20;
/** ETH is isolated in half of the runs: its margin is its own then. */
type Symbol = (typeof SYMBOLS)[number];

interface Naive {
  size: number;
  entry: number;
  realized: number;
  opened: number;
  margin: number;
}

/** Positions once more, from nothing but the fills. */
function positionsOf(fills: readonly FillRecord[]): Map<string, Naive> {
  const positions = new Map<string, Naive>();
  for (const { symbol, side, size, price, time } of fills) {
    const change = side === 'buy' ? size : -size;
    const leverage = LEVERAGE[symbol as Symbol];
    const fresh = { size: 0, entry: 0, realized: 0, opened: time, margin: 0 };
    const held = positions.get(symbol) ?? fresh;
    const closing = held.size * change < 0 ? Math.min(Math.abs(held.size), size) : 0;
    const rest = size - closing;
    const next = { ...held, size: Number((held.size + change).toFixed(6)) };
    if (closing > 0) {
      next.realized += closing * (price - held.entry) * Math.sign(held.size);
      next.margin *= 1 - closing / Math.abs(held.size);
    }
    if (held.size * next.size < 0) {
      Object.assign(next, {
        entry: price,
        realized: 0,
        opened: time,
        margin: (rest * price) / leverage,
      });
    } else if (closing === 0) {
      const total = Math.abs(held.size) + size;
      next.entry = (Math.abs(held.size) * held.entry + size * price) / total;
      next.margin += (size * price) / leverage;
    }
    if (next.size === 0) positions.delete(symbol);
    else positions.set(symbol, next);
  }
  return positions;
}

/** Margin of a cross symbol: the larger side, if its orders fill, without what only closes. */
function crossMargin(
  symbol: Symbol,
  size: number,
  mark: number,
  orders: readonly OrderRecord[],
): number {
  const opening = (side: 'buy' | 'sell', closes: number): number => {
    const all = orders.filter(
      (one) => one.symbol === symbol && one.side === side && !one.reduce_only,
    );
    const rest = all.reduce((sum, one) => sum + one.size - one.filled_size, 0);
    const value = all.reduce((sum, one) => sum + (one.size - one.filled_size) * one.price!, 0);
    return rest <= closes ? 0 : (value * (rest - closes)) / rest;
  };
  const held = Math.abs(size) * mark;
  const buys = (size > 0 ? held : 0) + opening('buy', Math.max(0, -size));
  const sells = (size < 0 ? held : 0) + opening('sell', Math.max(0, size));
  return Math.max(buys, sells, held) / LEVERAGE[symbol];
}

const step = fc.record({
  symbol: fc.constantFrom(...SYMBOLS),
  side: fc.constantFrom('buy', 'sell'),
  size: fc.integer({ min: 1, max: 12 }),
  away: fc.constantFrom(null, -0.5, 0.3, 1, 3),
  reduce_only: fc.boolean(),
  minutes: fc.constantFrom(0, 0, 1, 3),
});

test('positions, margin in use and prices of liquidation follow from fills and orders', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 8, maxLength: 24 }),
      fc.boolean(),
      fc.nat(1_000),
      (steps, isIsolated, seed) => {
        const tapes = new Map<string, Row[]>(
          SYMBOLS.map((symbol) => [symbol, walk(`${symbol} ${seed}`, 90, { volume: 200 })]),
        );
        const feeds = SYMBOLS.map((symbol) => feedOf(tapes.get(symbol)!, { symbol }));
        const instruments = Object.fromEntries(
          SYMBOLS.map((symbol) => [symbol, { price_decimals: 2, max_leverage: MAX_LEVERAGE }]),
        );
        const bench = createBench({ feeds, instruments }, { balance: 5_000 });
        bench.run(2);
        // The close of the bar that has just ended.
        const markOf = (symbol: string): number =>
          tapes.get(symbol)![(bench.engine.now - START) / MINUTE - 1]![3];
        for (const symbol of SYMBOLS) {
          const mode = symbol === 'ETH' && isIsolated ? 'isolated' : 'cross';
          bench.call('leverage.set', {
            pathParams: { symbol },
            body: { leverage: LEVERAGE[symbol], mode },
          });
        }
        for (const { symbol, side, size, away, reduce_only, minutes } of steps) {
          const mark = markOf(symbol);
          const sign = side === 'buy' ? 1 : -1;
          const price =
            away === null ? undefined : Number((mark * (1 - (sign * away) / 100)).toFixed(2));
          const limit =
            price === undefined ? { order_type: 'market' } : { order_type: 'limit', price };
          try {
            bench.order({ symbol, side, size, ...limit, ...(reduce_only ? { reduce_only } : {}) });
          } catch {
            // Refused: nothing may have changed, which what follows shows as well.
          }
          if (minutes > 0) bench.run(minutes);

          const fills = (
            bench.call('orders.fills', { query: { limit: 500 } }).items as FillRecord[]
          ).toReversed();
          const naive = positionsOf(fills);
          const shown = bench.call('positions.list').items as PositionRecord[];
          const account = bench.call('account.get');
          const orders = bench.call('orders.list').items as OrderRecord[];
          expect(shown.map((one) => one.symbol).toSorted()).toEqual([...naive.keys()].toSorted());
          const unrealized = shown.reduce((sum, one) => sum + one.unrealized_pnl, 0);
          const cash = account.equity - unrealized;
          const isOwn = (one: string): boolean => isIsolated && one === 'ETH';
          const upkeep = (size: number, at: number): number =>
            (Math.abs(size) * at) / (2 * MAX_LEVERAGE);
          for (const record of shown) {
            const own = naive.get(record.symbol)!;
            expect(record.side === 'short' ? -record.size : record.size).toBe(own.size);
            expect(record.entry_price).toBeCloseTo(own.entry, 8);
            expect(record.realized_pnl).toBeCloseTo(own.realized, 6);
            expect(record.opened_time).toBe(own.opened);
            // At that price nothing is left beyond what the venue asks for.
            const at = record.liquidation_price;
            if (at == null) continue;
            const backing = isOwn(record.symbol)
              ? own.margin
              : cash +
                [...naive].reduce((sum, [symbol, other]) => {
                  if (symbol === record.symbol) return sum;
                  if (isOwn(symbol)) return sum - other.margin;
                  const now = markOf(symbol);
                  return sum + other.size * (now - other.entry) - upkeep(other.size, now);
                }, 0);
            expect(backing + own.size * (at - own.entry) - upkeep(own.size, at)).toBeCloseTo(0, 5);
          }
          const used = SYMBOLS.reduce((sum, symbol) => {
            const own = naive.get(symbol);
            const now = markOf(symbol);
            if (own === undefined || !isOwn(symbol))
              return sum + crossMargin(symbol, own?.size ?? 0, now, orders);
            // An isolated position has its margin, whatever its price; its orders need theirs beside it.
            const beside = crossMargin(symbol, own.size, 0, orders);
            return sum + own.margin + beside;
          }, 0);
          expect(account.used_margin).toBeCloseTo(used, 5);
          expect(account.realized_pnl).toBeCloseTo(
            fills.reduce((sum, one) => sum + (one.closed_pnl ?? 0), 0),
            6,
          );
          const pnl = bench.call('account.pnl').items as Array<{ symbol: string; volume: number }>;
          for (const symbol of SYMBOLS) {
            const traded = fills
              .filter((one) => one.symbol === symbol)
              .reduce((sum, one) => sum + one.notional, 0);
            const rows = pnl.filter((one) => one.symbol === symbol);
            expect(rows.reduce((sum, one) => sum + one.volume, 0)).toBeCloseTo(traded, 4);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('the average price of an order is that of its fills, and its size never more than theirs', () => {
  const bench = createBench({
    feeds: [feedOf(walk('average', 40, { volume: 60 }), { start: START })],
  });
  bench.run(2);
  const { order_id: id } = bench.order({ side: 'buy', size: 20, order_type: 'limit', price: 103 });
  for (let minute = 0; minute < 30; minute++) {
    bench.run(1);
    const order = bench.call('orders.get', { pathParams: { id } });
    const fills = bench.call('orders.fills', { query: { limit: 500 } }).items as FillRecord[];
    const value = fills.reduce((sum, one) => sum + one.notional, 0);
    const size = fills.reduce((sum, one) => sum + one.size, 0);
    expect(order.filled_size).toBeCloseTo(size, 8);
    if (size > 0) expect(order.average_price).toBeCloseTo(value / size, 8);
  }
});
