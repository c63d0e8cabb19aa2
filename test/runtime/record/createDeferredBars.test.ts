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
  isFlat: boolean;
}

const drawn = fc.record<Drawn>({
  intervals: fc.array(fc.constantFrom(1, 3, 5), { minLength: 1, maxLength: 4 }),
  gaps: fc.array(fc.array(fc.nat(40)), { minLength: 4, maxLength: 4 }),
  reads: fc.array(fc.nat(40), { maxLength: 6 }),
  isFlat: fc.boolean(),
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
    fc.property(drawn, ({ intervals, gaps, reads, isFlat }) => {
      const marks: Record<number, number> = {};
      const seen: Array<[time: number, lane: number]> = [];
      const instants: number[] = [];
      const deferred = createDeferredBars({
        isFlat: () => isFlat,
        onFlatInstants: (times, count) => instants.push(...times.slice(0, count)),
      });
      const lanes = intervals.map((minutes, lane) => {
        const intervalMs = minutes * MINUTE;
        const mark = ({ close }: { close: number }): void => void (marks[lane] = close);
        return {
          bars: columnsOf(minutes, gaps[lane]!),
          intervalMs,
          row: 0,
          taker: deferred.lane({
            intervalMs,
            rank: minutes * 10 + lane,
            take(bar) {
              seen.push([bar.time + intervalMs, minutes * 10 + lane]);
              mark(bar);
            },
            takeLast: mark,
          }),
        };
      });
      const expected: Array<[number, number]> = [];
      const expectedMarks: Record<number, number> = {};
      let at = 0;
      const check = (): void => {
        deferred.settle();
        expect(marks).toEqual(expectedMarks);
        if (isFlat) expect([...new Set(instants)]).toEqual([...new Set(expected.map(([t]) => t))]);
        else expect(seen).toEqual(expected);
      };
      const stops = [...reads, 40].toSorted((one, other) => one - other);
      for (const stop of stops) {
        for (const [lane, one] of lanes.entries()) {
          const { bars, intervalMs, taker } = one;
          let to = one.row;
          while (to < bars.time.length && bars.time[to]! + intervalMs <= stop * MINUTE) to++;
          if (to > one.row) taker.pass(bars, one.row, to);
          for (let row = one.row; row < to; row++) {
            expected.push([bars.time[row]! + intervalMs, intervals[lane]! * 10 + lane]);
            expectedMarks[lane] = bars.close[row]!;
          }
          one.row = to;
        }
        const fresh = expected.splice(at).toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
        expected.push(...fresh);
        at = expected.length;
        check();
      }
    }),
  );
});
