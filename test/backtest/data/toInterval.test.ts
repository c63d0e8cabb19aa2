import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMultiple, resampleBars, tradesToBars } from '../../../backtest/data/toInterval.ts';
import { barOpenTime, type Interval } from '../../../src/contract/index.ts';
import type { Candles } from '../../../src/paper/index.ts';

const START = Date.UTC(2024, 7, 31, 22); // a Saturday, two hours before a month ends
const MINUTE = 60_000;

/** One-minute bars at these minutes from the start: the minute is in every price. */
function minutes(at: readonly number[]): Candles {
  const column = (of: (minute: number) => number) => Float64Array.from(at, of);
  return {
    time: column((minute) => START + minute * MINUTE),
    open: column((minute) => 1_000 + minute),
    high: column((minute) => 1_000.5 + minute),
    low: column((minute) => 999.5 + minute),
    close: column((minute) => 1_000.25 + minute),
    volume: column(() => 0.1),
  };
}
const range = (from: number, until: number): number[] =>
  Array.from({ length: until - from }, (_none, index) => from + index);
const resample = (at: readonly number[], to: Interval, keepPartial = false) =>
  resampleBars(minutes(at), { from: '1m', to, keepPartial });
const openings = (columns: Candles): number[] =>
  Array.from(columns.time, (time) => (time - START) / MINUTE);

describe('longer bars', () => {
  test('have the first open, the last close, the extremes and the sum, in decimals', () => {
    const { columns, notes } = resample(range(0, 10), '5m');
    expect(columns).toEqual({
      time: Float64Array.of(START, START + 5 * MINUTE),
      open: Float64Array.of(1_000, 1_005),
      high: Float64Array.of(1_004.5, 1_009.5),
      low: Float64Array.of(999.5, 1_004.5),
      close: Float64Array.of(1_004.25, 1_009.25),
      volume: Float64Array.of(0.5, 0.5),
    });
    expect(notes).toEqual([]);
  });

  test('are built from existing bars; without any there is no bar', () => {
    const { columns } = resample([0, 3, 4, 16, 19], '5m');
    expect(openings(columns)).toEqual([0, 15]);
    expect(columns.open).toEqual(Float64Array.of(1_000, 1_016));
    expect(columns.volume).toEqual(Float64Array.of(0.3, 0.2));
  });

  test('incomplete bars at both ends are dropped and reported, or kept on request', () => {
    const { columns, notes } = resample(range(3, 18), '5m');
    expect(openings(columns)).toEqual([5, 10]);
    expect(notes).toEqual([
      'The first bar, 2024-08-31 22:00, is left out: the data begins 2024-08-31 22:03 (--keep-partial keeps it).',
      'The last bar, 2024-08-31 22:15, is left out: the data ends 2024-08-31 22:18 (--keep-partial keeps it).',
    ]);
    const retained = resample(range(3, 18), '5m', true);
    expect(openings(retained.columns)).toEqual([0, 5, 10, 15]);
    expect(retained.notes).toEqual([]);
  });

  test('of trades: each trade is in a bar, or in one that is reported as left out', () => {
    const trades = fc
      .array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 12 })
      // Half minutes: many are at the boundary of a bar.
      .map((halves) => halves.sort((a, b) => a - b).map((half) => START + half * 30_000));
    fc.assert(
      fc.property(trades, fc.boolean(), (times, keepPartial) => {
        const one = Float64Array.from(times, () => 1);
        const tape = { time: Float64Array.from(times), price: one, size: one };
        const { columns, notes } = tradesToBars(tape, { to: '5m', keepPartial });
        const barOf = (time: number): number => barOpenTime(time, '5m');
        const lost = new Set(times.map(barOf).filter((bar) => !columns.time.includes(bar)));
        const reported = notes.map((note) =>
          Date.parse(`${/bar, (.{16}), is left/.exec(note)![1]}Z`),
        );
        for (const bar of lost) expect(reported).toContain(bar);
        if (keepPartial) expect([...lost, ...notes]).toEqual([]);
      }),
    );
    const time = Float64Array.of(START, START + 5 * MINUTE);
    const { columns, notes } = tradesToBars(
      { time, price: Float64Array.of(1, 2), size: Float64Array.of(1, 1) },
      { to: '5m', keepPartial: false },
    );
    expect(openings(columns)).toEqual([0]);
    expect(notes).toEqual([
      'The last bar, 2024-08-31 22:05, is left out: the data ends 2024-08-31 22:05 (--keep-partial keeps it).',
    ]);
  });

  test('begin at UTC’s hours, days and Mondays', () => {
    const twoDays = range(0, 3 * 1_440);
    expect(openings(resample(twoDays, '1d').columns)).toEqual([120, 1_560]);
    expect(openings(resample(twoDays, '4h').columns).slice(0, 2)).toEqual([120, 360]);
    const week = resample(range(0, 12 * 1_440), '1w').columns;
    expect(new Date(week.time[0]!).toUTCString()).toBe('Mon, 02 Sep 2024 00:00:00 GMT');
  });

  test('add up to the same, however many steps are taken', () => {
    const sparse = fc
      .uniqueArray(fc.nat(600), { minLength: 1 })
      .map((at) => at.sort((a, b) => a - b));
    fc.assert(
      fc.property(sparse, (at) => {
        const once = resample(at, '1h', true).columns;
        const half = resample(at, '15m', true).columns;
        const twice = resampleBars(half, { from: '15m', to: '1h', keepPartial: true }).columns;
        expect(twice).toEqual(once);
        expect([...once.time].every((time) => barOpenTime(time, '1h') === time)).toBe(true);
        const sum = once.volume.reduce((total, volume) => total + volume, 0);
        expect(sum).toBeCloseTo(at.length / 10, 9);
      }),
    );
  });

  test('need a multiple', () => {
    expect([isMultiple('3m', '1m'), isMultiple('5m', '3m'), isMultiple('1m', '5m')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isMultiple('1w', '1d'), isMultiple('12h', '8h')]).toEqual([true, false]);
  });
});
