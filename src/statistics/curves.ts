/** A value at a market time: `[epoch ms, quote units]`. */
export type TimedValue = readonly [time: number, value: number];

/** Of its own: this folder imports from no other. */
const DAY_MS = 86_400_000;
/** Days a year of markets that never close. */
export const DAYS_A_YEAR = 365;

/**
 * Value of a curve at each boundary of a UTC period, from the first at or after the first point to the last at
 * or before the last one: what lies outside of them is no complete period. A point at a boundary belongs to the
 * period that ends there; a period without a point ends as it began.
 */
export function valuesAtPeriods(curve: readonly TimedValue[], periodMs: number): number[] {
  const values: number[] = [];
  const first = curve[0];
  if (first === undefined) return values;
  let boundary = Math.ceil(first[0] / periodMs) * periodMs;
  let last = first[1];
  for (const [time, value] of curve) {
    for (; time > boundary; boundary += periodMs) values.push(last);
    last = value;
  }
  if (curve.at(-1)![0] === boundary) values.push(last);
  return values;
}

/**
 * Returns of equity over whole UTC days: the end of a day over its start, minus one. NaN if the equity at the
 * start of the day was zero or negative.
 *
 * @param curve P&L since the start, quote units
 * @param capital equity at the start, quote units
 */
export function dailyReturns(curve: readonly TimedValue[], capital: number): number[] {
  const equity = valuesAtPeriods(curve, DAY_MS).map((pnl) => capital + pnl);
  return equity.slice(1).map((end, day) => (equity[day]! > 0 ? end / equity[day]! - 1 : NaN));
}

/** `month` from 1 to 12. */
export interface MonthChange {
  year: number;
  month: number;
  /** Quote units. */
  change: number;
}

/**
 * Change of a curve in each calendar month of UTC, including the incomplete first and last ones; a month without a
 * point has none. A point at a month's end belongs to it; the first point, from which the curve is measured, to the
 * month that begins there.
 */
export function monthlyChanges(curve: readonly TimedValue[]): MonthChange[] {
  const months: MonthChange[] = [];
  const [start, first] = curve[0] ?? [0, 0];
  let last = first;
  /** Months since the year zero of the newest; none at first. */
  let newest = NaN;
  for (const [time, value] of curve) {
    const date = new Date(Math.max(start, time - 1));
    const reached = date.getUTCFullYear() * 12 + date.getUTCMonth();
    if (reached !== newest) {
      for (let empty = newest + 1; empty < reached; empty += 1) months.push(emptyMonth(empty));
      months.push(emptyMonth(reached));
      newest = reached;
    }
    months.at(-1)!.change += value - last;
    last = value;
  }
  return months;
}

const emptyMonth = (count: number): MonthChange => ({
  year: Math.floor(count / 12),
  month: (count % 12) + 1,
  change: 0,
});

/** The points of both curves, each ascending by time; where both have a time, that of the first one. */
export function mergeCurves(
  one: readonly TimedValue[],
  other: readonly TimedValue[],
): TimedValue[] {
  const points: TimedValue[] = [];
  let next = 0;
  for (const point of one) {
    for (; next < other.length && other[next]![0] < point[0]; next++) points.push(other[next]!);
    if (other[next]?.[0] === point[0]) next++;
    points.push(point);
  }
  return [...points, ...other.slice(next)];
}
