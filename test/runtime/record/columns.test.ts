import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCurves } from '../../../src/runtime/record/createCurves.ts';
import { createLedger } from '../../../src/runtime/record/createLedger.ts';
import { createDrawdown } from '../../../src/statistics/index.ts';

const HOUR_MS = 3_600_000;
/** So many points retain every fourth from the end on, or every eighth. */
const LONGEST = 90_001;
const LONG = Float64Array.from({ length: LONGEST }, (_none, at) => at - LONGEST);
const price = fc.double({ min: 1, max: 1_000, noNaN: true });
const step = fc.oneof(fc.integer({ min: 1, max: HOUR_MS }), fc.integer({ min: 1, max: 200_000 }));
/** Stretches of instants, each with the step to the next and the price there. */
const stretches = fc.array(fc.array(fc.tuple(step, price), { minLength: 1, maxLength: 40 }), {
  minLength: 1,
  maxLength: 6,
});

/** The stretches as columns, whose times ascend over all of them. */
function columnsOf(drawn: ReadonlyArray<ReadonlyArray<readonly [number, number]>>) {
  let now = 0;
  return drawn.map((stretch) => {
    const times = Float64Array.from(stretch, ([step]) => (now += step));
    return { times, count: stretch.length, closes: Float64Array.from(stretch, ([, each]) => each) };
  });
}

test('a drawdown of columns is that of their points', () => {
  fc.assert(
    fc.property(stretches, price, (drawn, start) => {
      const equityAt = (value: number): number => 100 + value;
      const [one, other] = [createDrawdown(equityAt, start), createDrawdown(equityAt, start)];
      for (const { times, count, closes } of columnsOf(drawn)) {
        one.sampleColumn(times, closes, count);
        for (let at = 0; at < count; at++) other.sample(times[at]!, closes[at]!);
        const run = { from: 0, until: times[count - 1]! + 1, value: closes[count - 1]! - 1 };
        expect(one.times(run)).toEqual(other.times(run));
        expect(one.deepest(run.value)).toEqual(other.deepest(run.value));
      }
    }),
  );
});

test('curves of columns have the points and the hours that single instants would give them', () => {
  fc.assert(
    fc.property(stretches, fc.constantFrom(0, 20_001, 50_002, LONGEST), (drawn, before) => {
      const [one, other] = [createCurves(['a', 'b']), createCurves(['a', 'b'])];
      // A long run retains every second, fourth or eighth point only.
      if (before > 0) {
        const times = LONG.subarray(LONGEST - before);
        for (const each of [one, other]) each.addFlat(times, before, [0, 0], 0);
      }
      for (const { times, count, closes } of columnsOf(drawn)) {
        const doubled = closes.map((each) => 2 * each);
        const sums = closes.map((each) => 3 * each);
        one.addColumns(times, count, [closes, doubled], sums);
        for (let at = 0; at < count; at++)
          other.add(times[at]!, [closes[at]!, doubled[at]!], sums[at]!);
        for (const name of ['a', 'b']) {
          expect(one.of(name).slice(-50)).toEqual(other.of(name).slice(-50));
          expect(one.hourlyOf(name)).toEqual(other.hourlyOf(name));
        }
        expect(one.sum().length).toBe(other.sum().length);
        expect(one.hourlySum([times[count - 1]! + 1, 7])).toEqual(
          other.hourlySum([times[count - 1]! + 1, 7]),
        );
      }
    }),
  );
});

test('a ledger of columns is that of their prices, to the last bit', () => {
  const sizes = fc.array(fc.constantFrom(-0.3, 0, 0.1, 2.7), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(stretches, sizes, fc.nat(3), (drawn, held, priced) => {
      const ledgers = [createLedger(), createLedger()] as const;
      for (const ledger of ledgers) {
        ledger.fund(1_000);
        for (const [at, size] of held.entries()) {
          const symbol = `S${at}`;
          const position = { symbol, size: Math.abs(size), entry_price: 101.3, mark_price: 99.7 };
          ledger.adopt({ ...position, side: size < 0 ? 'short' : 'long' } as never);
        }
      }
      const [one, other] = ledgers;
      for (const { times, count, closes } of columnsOf(drawn)) {
        const symbols = held.flatMap((size, at) => (at < priced && size !== 0 ? [`S${at}`] : []));
        const prices = new Map(
          symbols.map((symbol, at) => [symbol, closes.map((c) => c * (at + 1))]),
        );
        const instants = { times, count, prices };
        const nets = one.netColumn(instants).slice();
        one.sampleColumns(instants);
        expect(one.netColumn(instants).subarray(0, count)).toEqual(nets.subarray(0, count));
        for (let at = 0; at < count; at++) {
          for (const [symbol, column] of prices) other.mark(symbol, column[at]!);
          other.sampleDrawdown(times[at]!);
          expect(nets[at]).toBe(other.net());
        }
        for (const [symbol, column] of prices) one.mark(symbol, column[count - 1]!);
        expect(one.summary()).toEqual(other.summary());
        const run = { from: 0, until: times[count - 1]! + 1 };
        expect(one.drawdownTimes(run)).toEqual(other.drawdownTimes(run));
      }
    }),
  );
});
