import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/contract/durations.ts';
import {
  createDrawdown,
  dailyReturns,
  monthlyChanges,
  valuesAtPeriods,
  type TimedValue,
} from '../../src/statistics/index.ts';
import { holdLaw } from '../holdLaw.ts';

/** Of few values, so that equal peaks and troughs are frequent. */
const someCurve = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: -3, max: 3 })), {
    minLength: 1,
    maxLength: 14,
  })
  .map((steps) => {
    let time = 0;
    return steps.map(([wait, value]): TimedValue => [(time += wait), value]);
  });

/** What a drawdown is, of a curve that begins with `start` before its first point; each pair of points is looked at. */
function naiveDrawdown(curve: readonly TimedValue[], from: number, until: number, start: number) {
  const all: readonly TimedValue[] = [[from, start], ...curve];
  let [amount, share, longestMs] = [0, 0, 0];
  let [peakTime, troughTime]: (number | null)[] = [null, null];
  for (const [at, [time, value]] of all.entries()) {
    const before = all.slice(0, at + 1);
    const peak = Math.max(...before.map((point) => point[1]));
    // The last time at the peak.
    const since = before.findLast((point) => point[1] === peak)![0];
    if (value === peak) continue;
    // To the recovery, or to the end.
    const back = all.slice(at).find((point) => point[1] >= peak)?.[0] ?? until;
    longestMs = Math.max(longestMs, back - since);
    share = Math.max(share, (peak - value) / (100 + peak));
    if (peak - value <= amount) continue;
    [amount, peakTime, troughTime] = [peak - value, since, time];
  }
  return { amount, share, longestMs, peakTime, troughTime };
}

test('a drawdown is the same point by point, in flat stretches and in columns, and as its definition says', async () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 14 });
  await holdLaw(
    500,
    fc.tuple(someCurve, cuts, fc.constantFrom(0, -2, 2)),
    ([curve, drawn, start]) => {
      const [from, until] = [0, curve.at(-1)![0]];
      const value = curve.at(-1)![1];
      const found = [
        createDrawdown((own) => 100 + own, start),
        createDrawdown((own) => 100 + own, start),
        createDrawdown((own) => 100 + own, start),
      ] as const;
      for (const [time, own] of curve) found[0].sample(time, own);
      // Stretches of one value as they are, and pieces of any length.
      for (let at = 0; at < curve.length;) {
        const next = curve.findIndex((point, index) => index > at && point[1] !== curve[at]![1]);
        const part = curve.slice(at, next < 0 ? undefined : next);
        found[1].sampleFlat(
          Float64Array.from(part, ([time]) => time),
          part.length,
          curve[at]![1],
        );
        at += part.length;
      }
      for (let at = 0, cut = 0; at < curve.length; cut++) {
        const part = curve.slice(at, at + (drawn[cut] ?? 3));
        const times = Float64Array.from([...part.map(([time]) => time), 99, 99]);
        const values = Float64Array.from([...part.map(([, own]) => own), -99, 99]);
        found[2].sampleColumn(times, values, part.length);
        at += part.length;
      }
      const { amount, share, ...times } = naiveDrawdown(curve, from, until, start);
      for (const one of found) {
        expect(one.deepest(value)).toEqual({ amount, share });
        expect(one.times({ from, until, value })).toEqual(times);
      }
    },
  );
});

test('a last value that may not be complete yet counts as if it were a point', async () => {
  await holdLaw(300, fc.tuple(someCurve, fc.integer({ min: -5, max: 3 })), ([curve, value]) => {
    const until = curve.at(-1)![0] + 3;
    const drawdown = createDrawdown((own) => 100 + own);
    for (const [time, own] of curve) drawdown.sample(time, own);
    const { amount, share, ...times } = naiveDrawdown([...curve, [until, value]], 0, until, 0);
    expect(drawdown.deepest(value)).toEqual({ amount, share });
    expect(drawdown.times({ from: 0, until, value })).toEqual(times);
  });
});

const YEARS = [2022, 2023, 2024, 2025] as const;

/** Hours around month's ends of several years, and between them. */
const someTimes = fc
  .array(
    fc.tuple(
      fc.constantFrom(2023, 2024),
      fc.integer({ min: 0, max: 11 }),
      fc.constantFrom(-DAY_MS, -1, 0, 1, DAY_MS / 2, DAY_MS, 40 * DAY_MS),
      fc.integer({ min: -9, max: 9 }),
    ),
    { maxLength: 10 },
  )
  .map((drawn) => {
    const points = drawn.map(([year, month, off, value]): TimedValue => [
      Date.UTC(year, month) + off,
      value,
    ]);
    return [...new Map(points).entries()].toSorted(([a], [b]) => a - b);
  });

test('changes of months are between the last points of each month and of all before it', async () => {
  await holdLaw(300, someTimes, (curve) => {
    const monthOf = ([time]: TimedValue, at: number): string =>
      new Date(at === 0 ? time : time - 1).toISOString().slice(0, 7);
    const reached = curve.map(monthOf);
    const months = YEARS.flatMap((year) =>
      Array.from({ length: 12 }, (_, at) => `${year}-${String(at + 1).padStart(2, '0')}`),
    ).filter((month) => month >= (reached[0] ?? '9') && month <= (reached.at(-1) ?? ''));
    const ends = months.map(
      (month) => curve.findLast((point, at) => monthOf(point, at) <= month)![1],
    );
    const expected = months.map((month, at) => ({
      year: Number(month.slice(0, 4)),
      month: Number(month.slice(5)),
      change: ends[at]! - (ends[at - 1] ?? curve[0]![1]),
    }));
    expect(monthlyChanges(curve)).toEqual(expected);
  });
});

test('values at the ends of periods are those of the last point until then', async () => {
  await holdLaw(300, someTimes, (curve) => {
    const [first, last] = [curve[0]?.[0] ?? 1, curve.at(-1)?.[0] ?? 0];
    const ends: number[] = [];
    for (let end = Math.ceil(first / DAY_MS) * DAY_MS; end <= last; end += DAY_MS) ends.push(end);
    const values = ends.map((end) => curve.findLast(([time]) => time <= end)![1]);
    expect(valuesAtPeriods(curve, DAY_MS)).toEqual(values);
    const returns = values
      .slice(1)
      .map((value, at) => (values[at]! > -5 ? (5 + value) / (5 + values[at]!) - 1 : NaN));
    expect(dailyReturns(curve, 5)).toEqual(returns);
  });
});
