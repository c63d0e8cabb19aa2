import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toValidPrice } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat, walk, type Row } from '../engine/bench.ts';

const level = { indicator: 'sma', params: { period: 2 }, interval: '1m' };

/** A mean of two is a whole cent then, and no rounding is a tie. */
const toEvenCents = (row: Row): Row => {
  const [open, high, low, close] = row.map((price) => Math.round(price! * 50) / 50);
  return [open!, high!, low!, close!];
};

test('TRK-2 to TRK-5: drift, then hold, then throttle, on either side, measured each from its own price', () => {
  const drawn = fc.record({
    seed: fc.nat(100_000),
    side: fc.constantFrom('buy', 'sell'),
    least: fc.constantFrom(1, 10, 30),
    drift: fc.constantFrom(30, 80, 10_000),
  });
  fc.assert(
    fc.property(drawn, ({ seed, side, least, drift }) => {
      const rows = [...flat(100, 2), ...walk(`tracked ${seed}`, 25, { move: 0.01 })].map(
        toEvenCents,
      );
      // What never fills shows the level alone.
      const bench = createBench({
        feeds: [feedOf(rows.map(([open, high, low, close]) => [open, high, low, close, 0]))],
      });
      const instrument = bench.engine.market.instruments.find(({ symbol }) => symbol === 'BTC')!;
      const closeOf = (bar: number): number => rows[bar]![3];
      const levelAt = (bar: number): number =>
        toValidPrice((closeOf(bar) + closeOf(bar - 1)) / 2, instrument);
      bench.run(6);
      const first = levelAt(5);
      const crossesAt = (price: number, mark: number): boolean =>
        side === 'buy'
          ? price >= toValidPrice(mark * 1.0001, instrument)
          : price <= toValidPrice(mark * 0.9999, instrument);
      const body = {
        side,
        size: 1,
        order_type: 'limit',
        client_order_id: 'mine',
        price_from: { ...level, track: true, min_move_bps: least, max_drift_bps: drift },
      };
      if (crossesAt(first, closeOf(5))) {
        return void expect(
          bench.refusal('orders.place', { body: { symbol: 'BTC', ...body } }).code,
        ).toBe('would_cross');
      }
      bench.order(body);
      // In whole cents: a quotient of two integers is exact where it is whole.
      const bps = (from: number, to: number): number =>
        (Math.abs(Math.round(to * 100) - Math.round(from * 100)) * 10_000) / Math.round(from * 100);
      const expected: string[] = [];
      let price = first;
      for (let bar = 6; bar < rows.length; bar++) {
        const next = levelAt(bar);
        if (bps(first, next) > drift) {
          expected.push('stopped');
          break;
        }
        if (crossesAt(next, closeOf(bar))) expected.push(`hold ${next}`);
        else if (next !== price && bps(price, next) >= least) {
          price = next;
          expected.push(`moved ${next}`);
        }
      }
      bench.run(rows.length - 6);
      const seen = bench.events.flatMap(({ event, data }) => {
        const { trigger_price: at, level: held } = data as {
          trigger_price: number;
          level?: number;
        };
        if (event === 'entry_moved') return [`moved ${at}`];
        if (event === 'entry_hold') return [`hold ${held}`];
        return event === 'entry_tracking_stopped' ? ['stopped'] : [];
      });
      expect(seen).toEqual(expected);
      expect(bench.call('orders.get', { pathParams: { id: 'client:mine' } }).price).toBe(price);
    }),
    { numRuns: 80 },
  );
});
