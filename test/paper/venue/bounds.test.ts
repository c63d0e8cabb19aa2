import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBench, feedOf, flat, type Row } from '../engine/bench.ts';

/** Tenths of a basis point: 0.5 bps to 500 bps. */
const BOUNDS = [5, 10, 20, 25, 50, 100, 125, 200, 500, 1_000, 5_000] as const;
const PARTS = 100_000;
const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** A price in cents, and its bound above or below, which is a whole cent too. */
const drawn = fc
  .record({
    tenths: fc.constantFrom(...BOUNDS),
    side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
    pick: fc.nat(),
  })
  .map(({ tenths, side, pick }) => {
    const step = PARTS / divisor(tenths, PARTS);
    const first = Math.ceil(2_000 / step);
    const last = Math.floor(90_000 / step);
    const from = step * (first + (pick % (last - first + 1)));
    const sign = side === 'buy' ? 1 : -1;
    const at = from + (sign * from * tenths) / PARTS;
    return { side, sign, bps: tenths / 10, from, at };
  });
const cents = (value: number): number => value / 100;
const still = (price: number, bars: number): Row[] => flat(cents(price), bars, 1e7);
const tick = { indicator: 'sma', params: { period: 1 }, interval: '1m', track: true };

/** The price of an entry that tracks the last close, which steps to another after five minutes. */
function tracked(of: { side: string; from: number; to: number }, more: Record<string, number>) {
  const feeds = [feedOf([...still(of.from, 5), ...still(of.to, 5)])];
  // Wide enough that the best prices are a tick apart from the mark, which is the level.
  const bench = createBench({ feeds, halfSpreadBps: 3.3 });
  bench.run(5);
  const order = { side: of.side, size: 1, order_type: 'limit', client_order_id: 'mine' };
  bench.order({ ...order, price_from: { ...tick, ...more } });
  bench.run(1);
  const { price } = bench.call('orders.get', { pathParams: { id: 'client:mine' } });
  return { price, stopped: bench.named('entry_tracking_stopped').length };
}

test('TRK-4: a drift of exactly the maximum still moves, one tick more stops', () => {
  fc.assert(
    fc.property(drawn, ({ side, sign, bps, from, at }) => {
      const more = { min_move_bps: 0, max_drift_bps: bps };
      expect(tracked({ side, from, to: at }, more)).toEqual({ price: cents(at), stopped: 0 });
      const beyond = tracked({ side, from, to: at + sign }, more);
      expect(beyond).toEqual({ price: cents(from), stopped: 1 });
    }),
    { numRuns: 60 },
  );
});

test('TRK-3: a move of exactly the least is written, one tick less is not', () => {
  fc.assert(
    fc.property(drawn, ({ side, sign, bps, from, at }) => {
      const more = { min_move_bps: bps, max_drift_bps: 10_000 };
      expect(tracked({ side, from, to: at }, more).price).toBe(cents(at));
      expect(tracked({ side, from, to: at - sign }, more).price).toBe(cents(from));
    }),
    { numRuns: 60 },
  );
});

/** A stop that trails the mean of two bars, whose mean is `from` when it is attached and `to` a bar later. */
function trailed({
  side,
  sign,
  from,
  to,
  bps,
}: Record<'sign' | 'from' | 'to' | 'bps', number> & { side: string }) {
  const [low, high, next] = [from - sign, from + sign, 2 * to - (from + sign)].map(cents);
  const bar = (open: number, close: number): Row => [
    open,
    Math.max(open, close),
    Math.min(open, close),
    close,
    1e7,
  ];
  const rows = [...flat(low!, 3, 1e7), bar(high!, high!), bar(high!, next!), ...flat(next!, 3)];
  const bench = createBench({ feeds: [feedOf(rows)], halfSpreadBps: 0 });
  bench.run(4);
  bench.order({ side, size: 1, order_type: 'market' });
  const trail = { indicator: 'sma', params: { period: 2 }, interval: '1m', min_move_bps: bps };
  bench.call('positions.attachLegs', {
    pathParams: { symbol: 'BTC' },
    body: { stop_loss: { trail } },
  });
  bench.run(1);
  const [leg] = bench.call('positions.legs', { pathParams: { symbol: 'BTC' } }).items;
  return leg.resolution.trigger_price;
}

test('LEG-5: a trail moves by exactly its least move, and not by a tick less', () => {
  fc.assert(
    fc.property(drawn, ({ side, sign, bps, from, at }) => {
      // Nearer than that the mark would reach the stop.
      fc.pre(Math.abs(at - from) > 2);
      expect(trailed({ side, sign, from, to: at, bps })).toBe(cents(at));
      expect(trailed({ side, sign, from, to: at - sign, bps })).toBe(cents(from));
    }),
    { numRuns: 60 },
  );
});

test('ORD-1: liquidity exactly at the slippage of a market order fills it', () => {
  fc.assert(
    fc.property(drawn, ({ side, bps, from }) => {
      const feeds = [feedOf(still(from, 5))];
      const bench = createBench({ feeds, halfSpreadBps: bps, impactBps: 0 });
      bench.run(2);
      const body = { side, size: 1, order_type: 'market' };
      expect(bench.order({ ...body, slippage_bps: bps }).status).toBe('filled');
      expect(bench.order({ ...body, slippage_bps: bps - 0.1 }).status).toBe('cancelled');
      // The wallet's own slippage is that of a close.
      bench.call('account.updateSettings', { body: { default_slippage_bps: bps } });
      const close = { order_type: 'market' };
      const closed = bench.call('positions.close', { pathParams: { symbol: 'BTC' }, body: close });
      expect(closed.status).toBe('filled');
    }),
    { numRuns: 60 },
  );
});

test("POS-1: a close's own slippage precedes the wallet's", () => {
  const feeds = [feedOf(still(10_000, 5))];
  const bench = createBench({ feeds, halfSpreadBps: 10, impactBps: 0 });
  bench.run(2);
  bench.order({ side: 'buy', size: 1, order_type: 'market', slippage_bps: 20 });
  const set = (bps: number) =>
    bench.call('account.updateSettings', { body: { default_slippage_bps: bps } });
  const close = (body: object): string =>
    bench.call('positions.close', { pathParams: { symbol: 'BTC' }, body }).status;
  set(20);
  expect(close({ slippage_bps: 5 })).toBe('cancelled');
  set(5);
  expect(close({})).toBe('cancelled');
  expect(close({ slippage_bps: 20 })).toBe('filled');
});

test('EXE-4: a sweep takes what is offered exactly at its limit in basis points', () => {
  fc.assert(
    fc.property(drawn, ({ side, sign, bps, from, at }) => {
      // Without a spread the bid is the mark, and the ask a tick above it.
      const mark = side === 'buy' ? at - 1 : at;
      const rows = [...still(from - sign, 4), ...still(mark, 4)];
      const bench = createBench({ feeds: [feedOf(rows)], halfSpreadBps: 0, impactBps: 0 });
      bench.run(4);
      const launch = { algo: 'ghostsweep', symbol: 'BTC', side, total_size: 1 };
      const { execution_id: id } = bench.call('executions.launch', {
        body: { ...launch, params: { trigger_price: cents(from) }, sweep_limit_bps: bps },
        idempotencyKey: 'sweep',
      });
      bench.run(1);
      expect(bench.call('executions.get', { pathParams: { id } }).status).toBe('completed');
    }),
    { numRuns: 60 },
  );
});
