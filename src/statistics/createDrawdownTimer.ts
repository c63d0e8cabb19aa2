import type { WorstDrawdown } from './curves.ts';

/** The stretch that a run was measured over, and what it was worth at its end. */
export interface MeasuredRun {
  /** Epoch milliseconds. */
  from: number;
  until: number;
  /** Quote units; zero at its begin. */
  value: number;
}

/** Measures a curve point by point, so that none has to be kept. */
export interface DrawdownTimer {
  /** Times ascend. */
  add(time: number, value: number): void;
  /** When it was below a best, the run's two ends included. */
  times(run: MeasuredRun): DrawdownTimes;
}

/** When a curve was below its best so far; the two moments are those of its largest fall, null without one. */
export type DrawdownTimes = Omit<WorstDrawdown, 'depth'>;

/** What `worstDrawdown` tells of a whole curve that begins at zero, of one that is never there as a whole. */
export function createDrawdownTimer(): DrawdownTimer {
  let peak = 0;
  /** Null as long as the run's begin is the best; only who asks knows when that was. */
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
