import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TickPath } from '../../../src/paper/market/TickPath.ts';
import { holdLaw } from '../../holdLaw.ts';

const FROM = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

/** Of so many trades that most of them are skipped together, one by one. */
test('a search, a run and a price are those of all trades one by one, for any levels and spans', async () => {
  const drawn = fc.record({
    /** Prices of stretches, so that whole stretches stay within a level. */
    stretches: fc.array(
      fc.record({
        count: fc.constantFrom(1, 3, 256, 512, 600),
        price: fc.constantFrom(99, 100, 101),
        /** One trade of it may be elsewhere. */
        spike: fc.option(
          fc.record({
            at: fc.constantFrom(0, 1, 255, 256, 300, 512),
            price: fc.constantFrom(90, 94, 97, 103, 106, 110),
          }),
          { nil: null },
        ),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    stepMs: fc.constantFrom(0, 1, 70),
    searches: fc.array(
      fc.record({
        lower: fc.constantFrom(89, 93, 96, 98, 100),
        upper: fc.constantFrom(100, 102, 104, 107, 111),
        from: fc.constantFrom(0, 0, 0.1, 0.3, 0.5, 0.9),
        until: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  });
  await holdLaw(200, drawn, ({ stretches, stepMs, searches }) => {
    const prices = stretches.flatMap(({ count, price, spike }) =>
      Array.from({ length: count }, (_none, at) => (at === spike?.at ? spike.price : price)),
    );
    const trades = prices.map((price, at) => ({
      time: FROM + 1 + at * stepMs,
      price,
      size: 1 + (at % 3),
    }));
    const last = trades.at(-1)!.time;
    const tape = {
      from: FROM,
      until: FROM + (Math.floor((last - FROM) / MINUTE) + 1) * MINUTE,
      trades: {
        time: Float64Array.from(trades, ({ time }) => time),
        price: Float64Array.from(trades, ({ price }) => price),
        size: Float64Array.from(trades, ({ size }) => size),
      },
      book: null,
    };
    const path = new TickPath(tape, '1m');
    // A trade at the instant at which a bar opens counts a millisecond later.
    const seen = trades.map((trade) =>
      trade.time % MINUTE === 0 ? { ...trade, time: trade.time + 1 } : trade,
    );
    for (const { lower, upper, ...span } of searches) {
      const [from, until] = [span.from, span.until].map((share) =>
        Math.round(FROM + share * (last + 2 - FROM)),
      ) as [number, number];
      const inside = seen.filter(({ time }) => time >= from && time <= until);
      const reached = inside.find(({ price }) => price <= lower || price >= upper);
      expect(path.firstBeyond({ lower, upper }, from, until)).toBe(reached?.time ?? Infinity);
      const run = path.runSince(from, until);
      if (inside.length === 0) expect(run).toBeNull();
      else
        expect(run).toEqual({
          open: inside[0]!.price,
          low: Math.min(...inside.map(({ price }) => price)),
          high: Math.max(...inside.map(({ price }) => price)),
          volume: inside.reduce((sum, { size }) => sum + size, 0),
        });
      expect(path.priceAt(from)).toBe(seen.findLast(({ time }) => time <= from)?.price);
      expect(path.timeAfter(from)).toBe(seen.find(({ time }) => time > from)?.time ?? Infinity);
      const sizes = new Map<number, number>();
      for (const { time, price, size } of seen)
        if (time === from) sizes.set(price, (sizes.get(price) ?? 0) + size);
      expect(path.tradesAt(from)).toEqual(sizes);
    }
  });
});

test('the first trade after a stretch that is skipped is searched, and so is the last before it', () => {
  const [SKIPPED, AT] = [256, 100];
  for (const at of [SKIPPED - 1, SKIPPED, 2 * SKIPPED]) {
    const price = Float64Array.from({ length: 3 * SKIPPED }, (_none, each) =>
      each === at ? AT - 5 : AT,
    );
    const time = price.map((_price, each) => FROM + 1 + each);
    const trades = { time, price, size: price.map(() => 1) };
    const path = new TickPath({ from: FROM, until: FROM + MINUTE, trades, book: null }, '1m');
    const reached = path.firstBeyond({ lower: AT - 1, upper: AT + 1 }, FROM, FROM + MINUTE);
    expect(reached).toBe(FROM + 1 + at);
  }
});
