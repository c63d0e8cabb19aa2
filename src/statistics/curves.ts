/** A value at a market time: `[epoch ms, quote units]`. */
export type TimedValue = readonly [time: number, value: number];

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Markets that never close have as many. */
export const DAYS_A_YEAR = 365;

/** Change of a curve in each whole period of UTC; a period without a point changed nothing. */
export function periodChanges(curve: readonly TimedValue[], periodMs: number): number[] {
  const changes: number[] = [];
  const first = curve[0];
  if (first === undefined) return changes;
  let end = Math.floor(first[0] / periodMs + 1) * periodMs;
  let [before, last] = [first[1], first[1]];
  for (const [time, value] of curve) {
    for (; time >= end; end += periodMs) {
      changes.push(last - before);
      before = last;
    }
    last = value;
  }
  return changes;
}

/** Change of a curve in each calendar month of UTC, the unfinished first and last ones included. */
export function monthlyChanges(
  curve: readonly TimedValue[],
): Array<{ year: number; month: number; change: number }> {
  const months: Array<{ year: number; month: number; change: number }> = [];
  let last = curve[0]?.[1] ?? 0;
  for (const [time, value] of curve) {
    const date = new Date(time);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
    const current = months.at(-1);
    if (current === undefined || current.year !== year || current.month !== month) {
      months.push({ year, month, change: value - last });
    } else current.change += value - last;
    last = value;
  }
  return months;
}

/** Largest fall of a curve from its best so far, and how long it was below that; zero without one. */
export function worstDrawdown(curve: readonly TimedValue[]): {
  depth: number;
  /** From the peak to the lowest point. */
  fallMs: number;
  /** Longest stretch below a peak, to its recovery or the curve's end. */
  longestMs: number;
} {
  const worst = { depth: 0, fallMs: 0, longestMs: 0 };
  let peak = curve[0] ?? ([0, 0] as const);
  for (const point of curve) {
    if (point[1] >= peak[1]) {
      peak = point;
      continue;
    }
    const [depth, ms] = [peak[1] - point[1], point[0] - peak[0]];
    if (depth > worst.depth) Object.assign(worst, { depth, fallMs: ms });
    worst.longestMs = Math.max(worst.longestMs, ms);
  }
  return worst;
}
