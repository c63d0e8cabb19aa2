import { barOpenTime, INTERVAL_MS, type Interval } from '../../contract/index.ts';
import type { Bar, BarSeries } from '../core/Market.ts';
import type { PricePath } from './PricePath.ts';

const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
type Column = (typeof COLUMNS)[number];

/** Closed bars of one interval, aggregated from the feed as its bars close; each bar is read once. */
export interface IntervalBars {
  /** Closed bars at the path's current time. */
  closed(now: number): BarSeries;
  forming(now: number): Bar | null;
  /** When the next bar of the interval closes, after `now`; Infinity if no more bars come. */
  nextCloseTime(now: number): number;
}

/** The feed's own interval needs no copy: its columns with as many rows as have closed. */
class FeedView implements BarSeries {
  readonly #path: PricePath;
  constructor(path: PricePath) {
    this.#path = path;
  }
  get length(): number {
    return this.#path.closedCount;
  }
  get time(): Float64Array {
    return this.#path.feed.time;
  }
  get open(): Float64Array {
    return this.#path.feed.open;
  }
  get high(): Float64Array {
    return this.#path.feed.high;
  }
  get low(): Float64Array {
    return this.#path.feed.low;
  }
  get close(): Float64Array {
    return this.#path.feed.close;
  }
  get volume(): Float64Array {
    return this.#path.feed.volume;
  }
}

const NONE = new Float64Array(0);

/**
 * Columns with room for all the bars that a feed can make. They are allocated once, with the first bar,
 * because most intervals are never requested.
 */
class BarColumns implements BarSeries {
  length = 0;
  time: Float64Array = NONE;
  open: Float64Array = NONE;
  high: Float64Array = NONE;
  low: Float64Array = NONE;
  close: Float64Array = NONE;
  volume: Float64Array = NONE;
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(bar: Bar): void {
    if (this.length === this.time.length) this.#grow();
    for (const column of COLUMNS) this[column][this.length] = bar[column];
    this.length++;
  }

  /** At the first bar all that the feed can need; a feed that has grown since needs more. */
  #grow(): void {
    const room = Math.max(this.#capacity, 2 * this.length, 1);
    for (const column of COLUMNS) {
      const grown = new Float64Array(room);
      grown.set(this[column]);
      this[column] = grown;
    }
  }
}

/** At most one bar for each bar of the feed, and for each interval of its time span. */
function mostBars({ firstTime, endTime, feed }: PricePath, lengthMs: number): number {
  return Math.min(feed.time.length, Math.ceil((endTime - firstTime) / lengthMs) + 1);
}

function extend(bar: Bar, next: Readonly<Record<Exclude<Column, 'time'>, number>>): void {
  bar.high = Math.max(bar.high, next.high);
  bar.low = Math.min(bar.low, next.low);
  bar.close = next.close;
  bar.volume += next.volume;
}

/** The bar in progress of the feed itself, as far as the path has run. */
function runningBar(path: PricePath): Bar | null {
  if (!path.running) return null;
  const { feed, barIndex } = path;
  const run = path.runSoFar();
  return run === null ? null : { time: feed.time[barIndex]!, ...run, close: path.mark };
}

export function createIntervalBars(path: PricePath, interval: Interval): IntervalBars {
  const { feed } = path;
  const lengthMs = INTERVAL_MS[interval];
  const phase = barOpenTime(0, interval);
  const isFeedInterval = interval === feed.interval;
  const view = new FeedView(path);
  const columns = new BarColumns(isFeedInterval ? 0 : mostBars(path, lengthMs));
  let next = 0;
  let open: Bar | null = null;

  /** When the bar closes that contains `time`: as in {@link barOpenTime}, which looks up its interval. */
  const closeOf = (time: number): number =>
    Math.floor((time - phase) / lengthMs) * lengthMs + phase + lengthMs;
  const feedBar = (index: number): Bar => ({
    time: barOpenTime(feed.time[index]!, interval),
    open: feed.open[index]!,
    high: feed.high[index]!,
    low: feed.low[index]!,
    close: feed.close[index]!,
    volume: feed.volume[index]!,
  });
  const catchUp = (now: number): void => {
    for (const end = path.closedCount; next < end; next++) {
      const bar = feedBar(next);
      if (open !== null && open.time !== bar.time) flush();
      if (open === null) open = bar;
      else extend(open, bar);
    }
    if (open !== null && open.time + lengthMs <= now) flush();
  };
  const flush = (): void => {
    columns.push(open!);
    open = null;
  };

  return {
    closed(now) {
      if (isFeedInterval) return view;
      catchUp(now);
      return columns;
    },
    forming(now) {
      const running = runningBar(path);
      if (isFeedInterval) return running;
      catchUp(now);
      if (running === null) return open === null ? null : { ...open };
      const time = barOpenTime(running.time, interval);
      if (open === null || open.time !== time) return { ...running, time };
      const bar = { ...open };
      extend(bar, running);
      return bar;
    },
    nextCloseTime(now) {
      const last = path.barIndex;
      const current = last < 0 ? -Infinity : closeOf(feed.time[last]!);
      if (current > now) return current;
      return last + 1 < feed.time.length ? closeOf(feed.time[last + 1]!) : Infinity;
    },
  };
}

/** Whether bars of `interval` can be built from the feed's: each must be a whole number of them. */
export function serves(feedInterval: Interval, interval: Interval): boolean {
  return INTERVAL_MS[interval] % INTERVAL_MS[feedInterval] === 0;
}
