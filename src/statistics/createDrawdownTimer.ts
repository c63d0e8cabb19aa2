import type { WorstDrawdown } from './curves.ts';

/** The stretch over which a run was measured, and the curve's value at its end. */
export interface MeasuredRun {
  /** Epoch milliseconds. */
  from: number;
  until: number;
  /** Quote units; zero at its start. */
  value: number;
}

/** Measures a curve point by point, so that no points have to be stored. */
export interface DrawdownTimer {
  /** Times ascend. */
  add(time: number, value: number): void;
  /** When it was below a peak, the run's two ends included. */
  times(run: MeasuredRun): DrawdownTimes;
}

/** When a curve was below its peak so far; the two times are those of its largest fall, null without one. */
export type DrawdownTimes = Omit<WorstDrawdown, 'depth'>;

/** The result of `worstDrawdown` for a curve that begins at zero, computed without storing the curve. */
export function createDrawdownTimer(): DrawdownTimer {
  let peak = 0;
  /** Null as long as the run's start is the peak; only the caller knows when that was. */
  let peakTime: number | null = null;
  let belowStartUntil = -Infinity;
  let longest = 0;
  let depth = 0;
  let deepestPeak: number | null = null;
  let deepest: number | null = null;
  return {
    add(time, value) {
      if (value >= peak) {
        peak = value;
        peakTime = time;
        return;
      }
      if (peak - value > depth) {
        depth = peak - value;
        deepestPeak = peakTime;
        deepest = time;
      }
      if (peakTime === null) belowStartUntil = time;
      else if (time - peakTime > longest) longest = time - peakTime;
    },
    times({ from, until, value }) {
      const atEnd = value < peak ? until - (peakTime ?? from) : 0;
      const longestMs = Math.max(longest, belowStartUntil - from, atEnd, 0);
      if (peak - value > depth) return { longestMs, peakTime: peakTime ?? from, troughTime: until };
      if (deepest === null) return { longestMs, peakTime: null, troughTime: null };
      return { longestMs, peakTime: deepestPeak ?? from, troughTime: deepest };
    },
  };
}
