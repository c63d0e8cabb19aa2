import { INTERVAL_MS, type Interval } from '../src/contract/index.ts';
import type { Feed } from '../src/paper/index.ts';

type FeedTimes = Pick<Feed, 'interval' | 'time'>;

/** The interval of the longest bars: decisions on a tape are made at their boundaries. */
export function longestInterval(feeds: readonly FeedTimes[]): Interval {
  return longestOf(feeds).interval;
}

/**
 * The first instant from `time` on at which a bar of the longest feed may open. A run that began between
 * two of them would step across their closes, and fill at once a decision that is half a bar old.
 *
 * @param time epoch milliseconds
 */
export function boundaryFrom(feeds: readonly FeedTimes[], time: number): number {
  return boundaryAt(feeds, time, Math.ceil);
}

/** The last such instant that is not after `time`. */
export function boundaryBefore(feeds: readonly FeedTimes[], time: number): number {
  return boundaryAt(feeds, time, Math.floor);
}

function boundaryAt(
  feeds: readonly FeedTimes[],
  time: number,
  round: (bars: number) => number,
): number {
  const { interval, time: opens } = longestOf(feeds);
  const [first = 0] = opens;
  const length = INTERVAL_MS[interval];
  return first + round((time - first) / length) * length;
}

function longestOf(feeds: readonly FeedTimes[]): FeedTimes {
  return feeds.reduce((a, b) => (INTERVAL_MS[b.interval] > INTERVAL_MS[a.interval] ? b : a));
}
