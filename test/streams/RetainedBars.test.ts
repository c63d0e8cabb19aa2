import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CandleRecord } from '../../src/contract/index.ts';
import { RetainedBars, recordAt } from '../../src/streams/RetainedBars.ts';

const SIZE = 7;
const column = (factor: number): Float64Array =>
  Float64Array.from({ length: 500 }, (_none, row) => row * factor + factor);
const bars = {
  time: column(60_000),
  open: column(1),
  high: column(4),
  low: column(0.5),
  close: column(2),
  volume: column(3),
};

test('records and rows in any order are retained as one list of the newest', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 20 })), { maxLength: 20 }),
      fc.nat(30),
      (steps, asked) => {
        const retained = new RetainedBars(SIZE);
        const all: CandleRecord[] = [];
        for (const [areRows, count] of steps) {
          const from = all.length;
          for (let row = from; row < from + count; row++) all.push(recordAt(bars, row));
          if (areRows) retained.pushRows(bars, from, from + count);
          else all.slice(from).forEach((bar) => retained.push(bar));
          const last = retained.last(asked);
          expect(last).toEqual(last.length === 0 ? [] : all.slice(-last.length));
          expect(last.length).toBeGreaterThanOrEqual(Math.min(asked, SIZE, all.length));
        }
        retained.clear();
        expect(retained.last(asked)).toEqual([]);
      },
    ),
  );
});
