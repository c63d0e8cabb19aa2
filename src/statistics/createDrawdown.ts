import { createPastFalls, type AverageDrawdown } from './createPastFalls.ts';
import type { TimedValue } from './curves.ts';

/** The stretch over which a curve was measured, and its value at the end. */
export interface MeasuredRun {
  /** Epoch milliseconds. */
  from: number;
  until: number;
  /** Quote units; zero at its start. */
  value: number;
}

/** A largest fall: in quote units, and as a share of the equity at its peak (0.02 = 2 %). */
export interface Depth {
  amount: number;
  share: number;
}

/** When a curve was below its peak; the two times are those of its largest fall, null without one. */
export interface DrawdownTimes {
  peakTime: number | null;
  troughTime: number | null;
  /** Longest stretch below a peak, to its recovery or the curve's end. */
  longestMs: number;
}

/** Measures a curve's falls from its peak point by point, so that no points have to be stored. */
export interface Drawdown {
  /** A point that counts as a peak or a trough; times ascend. */
  sample(time: number, value: number): void;
  /** The same value at many times, ascending. */
  sampleFlat(times: Float64Array, count: number, value: number): void;
  /** A value at each of many times, ascending. */
  sampleColumn(times: Float64Array, values: Float64Array, count: number): void;
  /** The largest fall of all samples, and of a last value that may not be complete yet. */
  deepest(value: number): Depth;
  /** When it was below a peak, the run's two ends included. */
  times(run: MeasuredRun): DrawdownTimes;
  /** The means of all its falls, the run's two ends included. */
  average(run: MeasuredRun): AverageDrawdown;
  /**
   * Samples that a part of the curve needs to have the extremes and the worst drawdowns of all of it: the highest and
   * the lowest one, and peak, trough and recovery of the worst ten by share, of the deepest by amount and of
   * the last. Ascending in time, each time once; without the run's start.
   */
  marks(): TimedValue[];
}

/** Lows that are equal differ by the order in which their parts were added up. */
const ROUNDING = 1e-9;
const isDeeper = (fall: number, than: number): boolean => fall > than * (1 + ROUNDING);

/**
 * The drawdown of a curve: the one definition that ledger, record, ratios and shuffled trades share.
 *
 * @param equityAt the equity at the time when the curve had this value, quote units: a share is a part of it
 * @param start the curve's value before its first sample
 */
export function createDrawdown(equityAt: (value: number) => number, start = 0): Drawdown {
  let peak = start;
  /** Null as long as the run's start is the peak; only the caller knows when that was. */
  let peakTime: number | null = null;
  let isBelow = false;
  /** Of the fall that is not over. */
  let troughAmount = 0;
  let troughTime = 0;
  let troughLow = start;
  let amount = 0;
  /** The fall at its trough: of equal ones the first, and so is one that rounding makes deeper. */
  let deepest = 0;
  let share = 0;
  let deepestPeak: number | null = null;
  let deepestPeakValue = start;
  let trough: number | null = null;
  let troughValue = start;
  let lowest = start;
  let lowestTime: number | null = null;
  const over = createPastFalls();

  const shareOf = (fall: number): number => {
    const equityAtPeak = equityAt(peak);
    return equityAtPeak > 0 ? fall / equityAtPeak : 0;
  };

  function sample(time: number, value: number): void {
    if (value >= peak) {
      if (isBelow) over.add({ ...current(), endTime: time, end: value });
      isBelow = false;
      peak = value;
      peakTime = time;
      return;
    }
    const fall = peak - value;
    share = Math.max(share, shareOf(fall));
    if (fall > amount) amount = fall;
    if (isDeeper(fall, deepest)) {
      deepest = fall;
      deepestPeak = peakTime;
      deepestPeakValue = peak;
      trough = time;
      troughValue = value;
    }
    if (!isBelow || isDeeper(fall, troughAmount)) {
      troughAmount = fall;
      troughTime = time;
      troughLow = value;
    }
    if (value < lowest) {
      lowest = value;
      lowestTime = time;
    }
    isBelow = true;
  }

  /** The fall that is not over, without its end. */
  const current = () => ({
    startTime: peakTime,
    start: peak,
    troughTime,
    trough: troughLow,
    share: shareOf(troughAmount),
  });

  return {
    sample,
    sampleFlat(times, count, value) {
      // The first may be the trough, the last ends the stretch below the peak; between them nothing changes.
      sample(times[0]!, value);
      if (count > 1) sample(times[count - 1]!, value);
    },
    sampleColumn(times, values, count) {
      // Below the same peak only a deeper fall changes anything: neither the peak nor the trough moves else.
      let deepestHere = Number.NEGATIVE_INFINITY;
      for (let at = 0; at < count; at++) {
        const value = values[at]!;
        const fall = peak - value;
        if (value < peak && fall <= deepestHere) continue;
        deepestHere = value < peak ? fall : Number.NEGATIVE_INFINITY;
        sample(times[at]!, value);
      }
    },
    deepest(value) {
      const fall = peak - value;
      return { amount: Math.max(amount, fall), share: Math.max(share, shareOf(fall)) };
    },
    times({ from, until, value }) {
      // A last value at the peak or above is the recovery.
      const atEnd = isBelow || value < peak ? until - (peakTime ?? from) : 0;
      const longestMs = Math.max(over.longestMs(from), atEnd);
      if (isDeeper(peak - value, deepest))
        return { longestMs, peakTime: peakTime ?? from, troughTime: until };
      if (trough === null) return { longestMs, peakTime: null, troughTime: null };
      return { longestMs, peakTime: deepestPeak ?? from, troughTime: trough };
    },
    average({ from, until, value }) {
      if (!isBelow && value >= peak) return over.average(from);
      const lastFall = Math.max(peak - value, isBelow ? troughAmount : 0);
      const last = { share: shareOf(lastFall), durationMs: until - (peakTime ?? from) };
      return over.average(from, last);
    },
    marks() {
      const points = new Map(over.points());
      if (isBelow) points.set(troughTime, troughLow);
      if (trough !== null) points.set(trough, troughValue);
      if (deepestPeak !== null) points.set(deepestPeak, deepestPeakValue);
      if (lowestTime !== null) points.set(lowestTime, lowest);
      if (peakTime !== null) points.set(peakTime, peak);
      return [...points].toSorted(([a], [b]) => a - b);
    },
  };
}

/** The same of a stored curve, from its first point to its last; zero without a fall. */
export function worstDrawdown(curve: readonly TimedValue[]): DrawdownTimes & { depth: number } {
  const [from, start] = curve[0] ?? [0, 0];
  const [until, value] = curve.at(-1) ?? [0, 0];
  const drawdown = createDrawdown(() => 0, start);
  for (const [time, point] of curve) drawdown.sample(time, point);
  const times = drawdown.times({ from, until, value });
  return { depth: drawdown.deepest(value).amount, ...times };
}

/** Distance of a P&L curve from its peak so far, zero at the start included: zero or less. */
export function toDrawdown(curve: readonly TimedValue[]): TimedValue[] {
  let peak = 0;
  return curve.map(([time, value]) => {
    peak = Math.max(peak, value);
    return [time, value - peak] as const;
  });
}
