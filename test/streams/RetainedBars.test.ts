import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CandleRecord } from '../../src/contract/index.ts';
import { RetainedBars, recordAt } from '../../src/streams/RetainedBars.ts';

const SIZE = 7;
const column = (factor: number): Float64Array =>
  Float64Array.from({ length: 500 }, (_none, row) => row * factor + factor);
const barsOf = (factor: number) => ({
  time: column(60_000 * factor),
  open: column(factor),
  high: column(4 * factor),
  low: column(0.5 * factor),
  close: column(2 * factor),
  volume: column(3 * factor),
});
/** A tape, and another one that goes on at the same row. */
const tapes = [barsOf(1), barsOf(10)] as const;

test('records and rows of one tape and another, in any order, are retained as one list of the newest', () => {
  const kinds = fc.constantFrom('rows', 'rows', 'rows', 'records', 'clear');
  const steps = fc.array(
    fc.tuple(kinds, fc.integer({ min: 0, max: 1 }), fc.integer({ min: 1, max: 20 })),
    {
      maxLength: 20,
    },
  );
  fc.assert(
    fc.property(steps, fc.nat(30), (drawn, asked) => {
      const retained = new RetainedBars(SIZE);
      let all: CandleRecord[] = [];
      let from = 0;
      for (const [kind, tape, count] of drawn) {
        if (kind === 'clear') {
          retained.clear();
          all = [];
          continue;
        }
        const bars = tapes[tape]!;
        for (let row = from; row < from + count; row++) all.push(recordAt(bars, row));
        if (kind === 'rows') retained.pushRows(bars, from, from + count);
        else all.slice(-count).forEach((bar) => retained.push(bar));
        from += count;
        const last = retained.last(asked);
        expect(last).toEqual(last.length === 0 ? [] : all.slice(-last.length));
        expect(last.length).toBeGreaterThanOrEqual(Math.min(asked, SIZE, all.length));
      }
      retained.clear();
      expect(retained.last(asked)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
