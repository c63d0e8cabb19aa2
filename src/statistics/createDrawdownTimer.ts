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
  /** Longest time from a best so far to a later point below it, the run's two ends included. */
  longestMs(run: MeasuredRun): number;
}

/** What `worstDrawdown` tells of a whole curve that begins at zero, of one that is never there as a whole. */
export function createDrawdownTimer(): DrawdownTimer {
  let peak = 0;
  /** Null as long as the run's begin is the best; only who asks knows when that was. */
  let peakTime: number | null = null;
  let belowStartUntil = -Infinity;
  let longest = 0;
  return {
    add(time, value) {
      if (value >= peak) {
        peak = value;
        peakTime = time;
      } else if (peakTime === null) belowStartUntil = time;
      else if (time - peakTime > longest) longest = time - peakTime;
    },
    longestMs({ from, until, value }) {
      const atEnd = value < peak ? until - (peakTime ?? from) : 0;
      return Math.max(longest, belowStartUntil - from, atEnd, 0);
    },
  };
}
