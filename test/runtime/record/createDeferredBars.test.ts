import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDeferredBars } from '../../../src/runtime/record/createDeferredBars.ts';

const MINUTE = 60_000;

interface Drawn {
  intervals: number[];
  /** Minutes without a bar, by lane. */
  gaps: number[][];
  /** Minutes after which somebody reads. */
  reads: number[];
  /** Lanes whose symbol is held. */
  held: number[];
  takesColumns: boolean;
}

const drawn = fc.record<Drawn>({
  intervals: fc.array(fc.constantFrom(1, 3, 5), { minLength: 1, maxLength: 4 }),
  gaps: fc.array(fc.array(fc.nat(40)), { minLength: 4, maxLength: 4 }),
  reads: fc.array(fc.nat(40), { maxLength: 6 }),
  held: fc.uniqueArray(fc.nat(3)),
  takesColumns: fc.boolean(),
});

function columnsOf(minutes: number, gaps: readonly number[]) {
  const opens = Array.from({ length: 40 }, (_none, at) => at).filter(
    (at) => at % minutes === 0 && !gaps.includes(at),
  );
  const time = Float64Array.from(opens, (at) => at * MINUTE);
  const close = Float64Array.from(opens, (at) => at + minutes / 10);
  return { time, open: close, high: close, low: close, close, volume: close };
}

test('bars that are put off count in their order, as if each had counted at once', () => {
  fc.assert(
    fc.property(drawn, ({ intervals, gaps, reads, held, takesColumns }) => {
      const symbolOf = (lane: number): string => `S${lane}`;
      const marks: Record<string, number> = {};
      /** By instant: the prices of what is held once it is complete. */
      const seen = new Map<number, string>();
      const heldPrices = (): string =>
        JSON.stringify(
          held.filter((lane) => lane < intervals.length).map((lane) => marks[symbolOf(lane)]),
        );
      const deferred = createDeferredBars({
        priced: (symbols) => held.forEach((lane) => symbols.add(symbolOf(lane))),
        takeColumns: () => takesColumns,
        onInstants({ times, count, prices }, setPrices) {
          expect(takesColumns || held.length === 0).toBe(true);
          for (let at = 0; at < count; at++) {
            const isSet = prices.size > 0;
            if (isSet) setPrices(at);
            for (const [symbol, column] of prices) expect(marks[symbol]).toBe(column[at]);
            seen.set(times[at]!, heldPrices());
          }
        },
        onTaken: () => {},
      });
      const lanes = intervals.map((minutes, lane) => {
        const intervalMs = minutes * MINUTE;
        const symbol = symbolOf(lane);
        const mark = ({ close }: { close: number }): void => void (marks[symbol] = close);
        return {
          bars: columnsOf(minutes, gaps[lane]!),
          intervalMs,
          symbol,
          rank: minutes * 10 + lane,
          row: 0,
          taker: deferred.lane({
            symbol,
            intervalMs,
            rank: minutes * 10 + lane,
            take(bar) {
              mark(bar);
              seen.set(bar.time + intervalMs, heldPrices());
            },
            takeLast: mark,
          }),
        };
      });
      const expected = new Map<number, string>();
      const current: Record<string, number> = {};
      const stops = [...reads, 40].toSorted((one, other) => one - other);
      for (const stop of stops) {
        const fresh: Array<[time: number, rank: number, symbol: string, close: number]> = [];
        for (const one of lanes) {
          const { bars, intervalMs, symbol, rank, taker } = one;
          let to = one.row;
          while (to < bars.time.length && bars.time[to]! + intervalMs <= stop * MINUTE) to++;
          if (to > one.row) taker.pass(bars, one.row, to);
          for (let row = one.row; row < to; row++)
            fresh.push([bars.time[row]! + intervalMs, rank, symbol, bars.close[row]!]);
          one.row = to;
        }
        for (const [time, , symbol, close] of fresh.toSorted(
          (a, b) => a[0] - b[0] || a[1] - b[1],
        )) {
          current[symbol] = close;
          const own = held.filter((lane) => lane < intervals.length);
          expected.set(time, JSON.stringify(own.map((lane) => current[symbolOf(lane)])));
        }
        deferred.settle();
        expect(marks).toEqual(current);
        expect([...seen]).toEqual([...expected]);
      }
    }),
  );
});
