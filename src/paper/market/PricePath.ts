import { INTERVAL_MS } from '../../contract/index.ts';
import type { Feed } from '../feed/Feed.ts';

/**
 * Between opening and closing a bar runs open → nearer extreme → farther extreme → close. What is as
 * near on paper differs in its last binary digit (3.45 between 3.42 and 3.48), and is a tie all the same.
 */
const lowFirst = (open: number, high: number, low: number): boolean =>
  open - low <= high - open + open * 1e-12;

/**
 * The path that a feed's candles stand for (conventions §6): inside a bar open → nearer extreme →
 * farther extreme → close (ties: low first), the extremes at one and two thirds, linear between.
 *
 * A bar opens one millisecond after its open time, so that the instant of a boundary belongs to the
 * bar that closes then: who acts on a close sees that close, never the next open. Times are whole
 * milliseconds; time moves forward only, by `seek`.
 */
export class PricePath {
  readonly feed: Feed;
  readonly intervalMs: number;
  readonly #thirdMs: number;
  /** Index of the last bar that has begun; −1 before the first. */
  #bar = -1;
  #time = -Infinity;

  constructor(feed: Feed) {
    if (feed.time.length === 0) throw new Error(`The feed of ${feed.symbol} has no bars.`);
    this.feed = feed;
    this.intervalMs = INTERVAL_MS[feed.interval];
    this.#thirdMs = this.intervalMs / 3;
  }

  get firstTime(): number {
    return this.feed.time[0]!;
  }

  get endTime(): number {
    return this.feed.time[this.feed.time.length - 1]! + this.intervalMs;
  }

  seek(time: number): void {
    const { time: opens } = this.feed;
    this.#time = time;
    while (this.#bar + 1 < opens.length && opens[this.#bar + 1]! < time) this.#bar++;
  }

  /** Whether there is a price at all yet. */
  get listed(): boolean {
    return this.#time >= this.firstTime;
  }

  /** Whether a bar is in progress. */
  get running(): boolean {
    return this.#bar >= 0 && this.#time < this.feed.time[this.#bar]! + this.intervalMs;
  }

  /** Index of the bar in progress, or of the last one that began. */
  get barIndex(): number {
    return this.#bar;
  }

  get closedCount(): number {
    return this.running ? this.#bar : this.#bar + 1;
  }

  get mark(): number {
    if (this.#bar < 0) return this.feed.open[0]!;
    return this.#markIn(this.#bar, this.#time - this.feed.time[this.#bar]!);
  }

  /** Open time of the next bar that has not begun; Infinity after the last. */
  get nextOpenTime(): number {
    return this.feed.time[this.#bar + 1] ?? Infinity;
  }

  /** When the last bar that began closes or closed; −Infinity before the first. */
  get lastCloseTime(): number {
    return this.#bar < 0 ? -Infinity : this.feed.time[this.#bar]! + this.intervalMs;
  }

  /** Index of the last bar that closed; −1 before the first. */
  get closedIndex(): number {
    return this.closedCount - 1;
  }

  /** Volume of the last bar that closed; 0 before the first. */
  get closedVolume(): number {
    const last = this.closedIndex;
    return last < 0 ? 0 : this.feed.volume[last]!;
  }

  /** High and low of the bar in progress as far as it has run, and the share of its time gone. */
  runSoFar(): { high: number; low: number; elapsed: number } {
    const { open, high, low, time } = this.feed;
    const bar = this.#bar;
    const elapsedMs = this.#time - time[bar]!;
    const mark = this.mark;
    let top = Math.max(open[bar]!, mark);
    let bottom = Math.min(open[bar]!, mark);
    const first = lowFirst(open[bar]!, high[bar]!, low[bar]!);
    const passed = elapsedMs >= 2 * this.#thirdMs ? 2 : elapsedMs >= this.#thirdMs ? 1 : 0;
    if (passed === 2 || (passed === 1 && first)) bottom = low[bar]!;
    if (passed === 2 || (passed === 1 && !first)) top = high[bar]!;
    return { high: top, low: bottom, elapsed: elapsedMs / this.intervalMs };
  }

  /** The next corner of the path after the present time; Infinity after the last bar. */
  nextCornerTime(): number {
    if (this.running) {
      const openTime = this.feed.time[this.#bar]!;
      const passed = Math.floor((this.#time - openTime) / this.#thirdMs);
      return openTime + (passed + 1) * this.#thirdMs;
    }
    return this.nextOpenTime + 1;
  }

  /**
   * The first millisecond from `from` to `until` at which the path stands at or beyond one of the
   * two levels; Infinity where there is none. Bars inside the levels cost two comparisons.
   */
  nextReach(levels: { lower: number; upper: number }, from: number, until: number): number {
    const { lower, upper } = levels;
    const { time, high, low, close } = this.feed;
    let bar = this.#bar;
    while (bar + 1 < time.length && time[bar + 1]! < from) bar++;
    while (bar > 0 && time[bar]! >= from) bar--;
    if (bar >= 0 && from >= time[bar]! + this.intervalMs) {
      const last = close[bar]!;
      if (last <= lower || last >= upper) return from;
      bar++;
    }
    if (bar < 0) bar = 0;
    for (; bar < time.length && time[bar]! < until; bar++) {
      if (low[bar]! > lower && high[bar]! < upper) continue;
      const reached = this.#reachIn(bar, lower, upper, Math.max(from, time[bar]! + 1));
      if (reached <= until) return reached;
    }
    return Infinity;
  }

  /** Price of a bar `elapsed` milliseconds after its open time. */
  #markIn(bar: number, elapsed: number): number {
    const { open, high, low, close } = this.feed;
    if (elapsed >= this.intervalMs) return close[bar]!;
    const third = this.#thirdMs;
    const first = lowFirst(open[bar]!, high[bar]!, low[bar]!) ? low[bar]! : high[bar]!;
    const second = first === low[bar]! ? high[bar]! : low[bar]!;
    if (elapsed <= third) return between(open[bar]!, first, (elapsed - 1) / (third - 1));
    if (elapsed <= 2 * third) return between(first, second, (elapsed - third) / third);
    return between(second, close[bar]!, (elapsed - 2 * third) / third);
  }

  #reachIn(bar: number, lower: number, upper: number, from: number): number {
    const openTime = this.feed.time[bar]!;
    const corners = [1, this.#thirdMs, 2 * this.#thirdMs, this.intervalMs];
    const isReached = (elapsed: number): boolean => {
      const mark = this.#markIn(bar, elapsed);
      return mark <= lower || mark >= upper;
    };
    let start = from - openTime;
    if (isReached(start)) return from;
    for (const corner of corners) {
      if (corner <= start) continue;
      if (isReached(corner)) return openTime + this.#firstReached(isReached, start, corner);
      start = corner;
    }
    return Infinity;
  }

  /** Bisection between a moment that is inside the levels and a later one of the same leg that is not. */
  #firstReached(isReached: (elapsed: number) => boolean, inside: number, outside: number): number {
    let [low, high] = [inside, outside];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (isReached(middle)) high = middle;
      else low = middle;
    }
    return high;
  }
}

function between(from: number, to: number, share: number): number {
  return share >= 1 ? to : from + (to - from) * Math.max(0, share);
}
