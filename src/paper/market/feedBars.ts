import { barOpenTime, INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { BarColumns } from '../../env/index.ts';
import type { Feed } from '../feed/Feed.ts';

/** By feed and interval: every run on the same feed reads the same bars. */
const known = new WeakMap<Feed, Map<Interval, BarColumns | null>>();

/**
 * All bars that a feed makes of one of its intervals, also those of its future: for what knows by itself which
 * of them have closed. Null if a bar does not begin where one of its interval does, which no column can express.
 *
 * The feed must not grow.
 */
export function feedBars(feed: Feed, interval: Interval): BarColumns | null {
  const ofFeed = known.get(feed) ?? new Map<Interval, BarColumns | null>();
  known.set(feed, ofFeed);
  let bars = ofFeed.get(interval);
  if (bars === undefined) {
    bars = isAligned(feed) ? aggregate(feed, interval) : null;
    ofFeed.set(interval, bars);
  }
  return bars;
}

function isAligned({ time, interval }: Feed): boolean {
  const phase = barOpenTime(0, interval);
  const lengthMs = INTERVAL_MS[interval];
  for (let at = 0; at < time.length; at++) {
    // A bar that follows an aligned one at once needs no division, and nearly all do.
    if (at > 0 && lengthMs === time[at]! - time[at - 1]!) continue;
    if ((time[at]! - phase) % lengthMs !== 0) return false;
  }
  return true;
}

/** As `IntervalBars` aggregates them while the replay runs. */
function aggregate(feed: Feed, interval: Interval): BarColumns {
  if (interval === feed.interval) return feed;
  const phase = barOpenTime(0, interval);
  const lengthMs = INTERVAL_MS[interval];
  const openOf = (time: number): number => Math.floor((time - phase) / lengthMs) * lengthMs + phase;
  const { time: times } = feed;
  const made = columns(countBars(times, openOf));
  let bar = -1;
  for (let at = 0; at < times.length; at++) {
    const time = openOf(times[at]!);
    if (bar < 0 || made.time[bar] !== time) {
      bar++;
      made.time[bar] = time;
      made.open[bar] = feed.open[at]!;
      made.high[bar] = feed.high[at]!;
      made.low[bar] = feed.low[at]!;
    } else {
      made.high[bar] = Math.max(made.high[bar]!, feed.high[at]!);
      made.low[bar] = Math.min(made.low[bar]!, feed.low[at]!);
    }
    made.close[bar] = feed.close[at]!;
    made.volume[bar]! += feed.volume[at]!;
  }
  return made;
}

function countBars(times: Float64Array, openOf: (time: number) => number): number {
  let count = 0;
  let last = NaN;
  for (let at = 0; at < times.length; at++) {
    const time = openOf(times[at]!);
    if (time !== last) count++;
    last = time;
  }
  return count;
}

function columns(length: number): BarColumns {
  const column = (): Float64Array => new Float64Array(length);
  const [time, open, high] = [column(), column(), column()];
  return { time, open, high, low: column(), close: column(), volume: column() };
}
