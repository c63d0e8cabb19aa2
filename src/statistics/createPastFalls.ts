import type { TimedValue } from './curves.ts';

/** The means of all falls from a peak; null without one. */
export interface AverageDrawdown {
  /** As a share of the equity at the peak. */
  share: number | null;
  /** From the peak to the recovery, or to the curve's end. */
  durationMs: number | null;
}

/** A fall from a peak to the recovery: its three samples. */
export interface PastFall {
  /** Last time at the peak; null where that is the run's start. */
  startTime: number | null;
  start: number;
  troughTime: number;
  trough: number;
  endTime: number;
  end: number;
  /** Its depth as a share of the equity at the peak. */
  share: number;
}

/** Falls that are over, however many: the worst of them whole, of the others their means. */
export interface PastFalls {
  add(fall: PastFall): void;
  /** @param from the run's start, epoch milliseconds */
  longestMs(from: number): number;
  /** @param last one more, which is not over */
  average(from: number, last?: { share: number; durationMs: number }): AverageDrawdown;
  /** The samples of the worst ten, without the run's start. */
  points(): TimedValue[];
}

/** A report shows as many. */
const MOST_RETAINED = 10;

export function createPastFalls(): PastFalls {
  /** Deepest first; of equal ones the earlier. */
  const worst: PastFall[] = [];
  /** Of those that began after the run's start; the one that began with it is the first of all. */
  let longestMs = 0;
  let durationsMs = 0;
  let firstEnd: number | undefined;
  let count = 0;
  let shares = 0;

  const firstMs = (from: number): number => (firstEnd === undefined ? 0 : firstEnd - from);

  return {
    add(fall) {
      const { startTime, endTime, share } = fall;
      count++;
      shares += share;
      if (startTime === null) firstEnd = endTime;
      else {
        durationsMs += endTime - startTime;
        longestMs = Math.max(longestMs, endTime - startTime);
      }
      if (worst.length === MOST_RETAINED && share <= worst.at(-1)!.share) return;
      const place = worst.findIndex((other) => other.share < share);
      worst.splice(place < 0 ? worst.length : place, 0, fall);
      worst.length = Math.min(worst.length, MOST_RETAINED);
    },
    longestMs: (from) => Math.max(longestMs, firstMs(from)),
    average(from, last) {
      const all = count + (last === undefined ? 0 : 1);
      if (all === 0) return { share: null, durationMs: null };
      return {
        share: (shares + (last?.share ?? 0)) / all,
        durationMs: (durationsMs + firstMs(from) + (last?.durationMs ?? 0)) / all,
      };
    },
    points: () =>
      worst.flatMap(({ startTime, start, troughTime, trough, endTime, end }): TimedValue[] => [
        ...(startTime === null ? [] : [[startTime, start] as const]),
        [troughTime, trough],
        [endTime, end],
      ]),
  };
}
