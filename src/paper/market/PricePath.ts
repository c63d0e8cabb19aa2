import { INTERVAL_MS } from '../../contract/index.ts';
import { countUntil } from '../../env/index.ts';
import type { Feed } from '../feed/Feed.ts';
import { TickPath } from './TickPath.ts';

/**
 * Between opening and closing a bar runs open → nearer extreme → farther extreme → close. Extremes that
 * are equally near in decimals may differ in the last binary digit (3.45 between 3.42 and 3.48); they
 * count as a tie.
 */
const lowFirst = (open: number, high: number, low: number): boolean =>
  open - low <= high - open + open * 1e-12;

/** How often a recorded bar is sampled for orders that follow the best price. */
const RECORDED_STEP_MS = 250;
/** So many bars are stepped over one by one; more are looked up. */
const FEW_BARS = 8;

/**
 * The path that a feed's candles represent (conventions §6): inside a bar open → nearer extreme → farther
 * extreme → close (ties: low first), the extremes at one and two thirds, linear between.
 *
 * A bar opens one millisecond after its open time, so that the instant of a boundary belongs to the bar
 * that closes then: code that acts on a close sees that close, never the next open. Times are whole
 * milliseconds; time moves forward only, by `seek`.
 *
 * Bars that a recording covers follow it: the mark steps from tick to tick (see {@link TickPath}).
 */
export class PricePath {
  readonly feed: Feed;
  readonly intervalMs: number;
  readonly #thirdMs: number;
  readonly #ticks: TickPath | null;
  /** Index of the last bar that has begun; −1 before the first. */
  #bar = -1;
  #time = -Infinity;
  /** An order asks for the mark of one instant about thirty times. */
  readonly #lastMark = { time: Number.NaN, price: 0 };

  constructor(feed: Feed) {
    if (feed.time.length === 0) throw new Error(`The feed of ${feed.symbol} has no bars.`);
    this.feed = feed;
    this.intervalMs = INTERVAL_MS[feed.interval];
    this.#thirdMs = this.intervalMs / 3;
    this.#ticks = feed.tape === undefined ? null : new TickPath(feed.tape, feed.interval);
  }

  get firstTime(): number {
    return this.feed.time[0]!;
  }

  /** The current price. */
  get time(): number {
    return this.#time;
  }

  get endTime(): number {
    return this.feed.time[this.feed.time.length - 1]! + this.intervalMs;
  }

  seek(time: number): void {
    const { time: opens } = this.feed;
    this.#time = time;
    let bar = this.#bar;
    // A stretch that was walked as columns may have thousands of bars.
    if (opens[bar + FEW_BARS]! < time) {
      const last = countUntil(opens, time) - 1;
      bar = opens[last] === time ? last - 1 : last;
    } else while (bar + 1 < opens.length && opens[bar + 1]! < time) bar++;
    if (bar === this.#bar) return;
    this.#bar = bar;
    // A feed may have grown since.
    this.#lastMark.time = Number.NaN;
  }

  /** Whether there is a price yet. */
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
    const last = this.#lastMark;
    return last.time === this.#time ? last.price : this.#markNow();
  }

  #markNow(): number {
    if (this.#bar < 0) return this.feed.open[0]!;
    if (this.isRecorded) return this.#tickAt(this.#bar, this.#time);
    const last = this.#lastMark;
    last.price = this.#markIn(this.#bar, this.#time - this.feed.time[this.#bar]!);
    last.time = this.#time;
    return last.price;
  }

  /** Whether the bar in progress, or the last one that began, runs as it was recorded. */
  get isRecorded(): boolean {
    return this.#ticksIn(this.#bar) !== null;
  }

  /** Lowest and highest price of this millisecond: it may have many recorded trades. */
  get extremes(): { low: number; high: number } {
    const { mark } = this;
    return this.#ticksIn(this.#bar)?.extremesAt(this.#time) ?? { low: mark, high: mark };
  }

  /** Sizes that were traded in this millisecond, by price; null if no trades were recorded. */
  tradesNow(): ReadonlyMap<number, number> | null {
    const ticks = this.#ticksIn(this.#bar);
    return ticks?.areTrades === true ? ticks.tradesAt(this.#time) : null;
  }

  /** Lowest and highest price of the recorded trades between two times, both inclusive. */
  tradedRange(from: number, until: number): { low: number; high: number } | null {
    return this.#ticks?.areTrades === true ? this.#ticks.runSince(from, until) : null;
  }

  /** When the next trade happens: on a synthetic path that is the next millisecond of a bar. */
  get nextTradeTime(): number {
    const { running } = this;
    const ticks = this.#ticksIn(running ? this.#bar : this.#bar + 1);
    if (ticks === null) return running ? this.#time + 1 : this.nextOpenTime + 1;
    const next = ticks.timeAfter(this.#time);
    return next < Infinity ? next : this.nextOpenTime + 1;
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

  /** The bar in progress as far as it has run; null if nothing was traded in it yet. */
  runSoFar(): { open: number; high: number; low: number; volume: number } | null {
    const { open, high, low, time } = this.feed;
    const bar = this.#bar;
    const ticks = this.#ticksIn(bar);
    if (ticks !== null) {
      const run = ticks.runSince(time[bar]! + 1, this.#time);
      // If only the book was recorded, the time of the volume is unknown.
      return run === null || ticks.areTrades ? run : { ...run, volume: this.#volumeSoFar };
    }
    const elapsedMs = this.#time - time[bar]!;
    const mark = this.mark;
    let top = Math.max(open[bar]!, mark);
    let bottom = Math.min(open[bar]!, mark);
    const first = lowFirst(open[bar]!, high[bar]!, low[bar]!);
    const passed = elapsedMs >= 2 * this.#thirdMs ? 2 : elapsedMs >= this.#thirdMs ? 1 : 0;
    if (passed === 2 || (passed === 1 && first)) bottom = low[bar]!;
    if (passed === 2 || (passed === 1 && !first)) top = high[bar]!;
    return { open: open[bar]!, high: top, low: bottom, volume: this.#volumeSoFar };
  }

  /** The bar's volume accrues evenly over its time. */
  get #volumeSoFar(): number {
    const elapsedMs = this.#time - this.feed.time[this.#bar]!;
    return this.feed.volume[this.#bar]! * (elapsedMs / this.intervalMs);
  }

  /**
   * The next corner of the path after the current time; Infinity after the last bar. A recorded bar has
   * hundreds of corners per second, so it is sampled four times a second.
   */
  nextCornerTime(): number {
    if (this.running) {
      const openTime = this.feed.time[this.#bar]!;
      const stepMs = this.isRecorded ? RECORDED_STEP_MS : this.#thirdMs;
      const passed = Math.floor((this.#time - openTime) / stepMs);
      return openTime + (passed + 1) * stepMs;
    }
    return this.nextOpenTime + 1;
  }

  /**
   * The first millisecond from `from` to `until` at which the path is at or beyond one of the two levels;
   * Infinity if there is none. Bars inside the levels cost two comparisons.
   */
  nextReach(levels: { lower: number; upper: number }, from: number, until: number): number {
    const { lower, upper } = levels;
    const { time, high, low, close } = this.feed;
    let bar = this.#bar;
    while (bar + 1 < time.length && time[bar + 1]! < from) bar++;
    while (bar > 0 && time[bar]! >= from) bar--;
    if (bar >= 0 && from >= time[bar]! + this.intervalMs) {
      const isRecorded = this.#ticksIn(bar) !== null;
      const last = isRecorded ? this.#tickAt(bar, from) : close[bar]!;
      if (last <= lower || last >= upper) return from;
      if (!isRecorded) bar++;
    }
    if (bar < 0) bar = 0;
    for (; bar < time.length && time[bar]! < until; bar++) {
      const ticks = this.#ticksIn(bar);
      if (ticks === null && low[bar]! > lower && high[bar]! < upper) continue;
      const begin = Math.max(from, time[bar]! + 1);
      // A book moves even if nothing is traded, and candles omit such minutes.
      const end = Math.min(until, time[bar + 1] ?? until);
      const reached =
        ticks === null
          ? this.#reachIn(bar, lower, upper, begin)
          : ticks.firstBeyond(levels, begin, end);
      if (reached <= until) return reached;
    }
    return Infinity;
  }

  /** The ticks of a recorded bar; null if its path is synthetic. */
  #ticksIn(bar: number): TickPath | null {
    const ticks = this.#ticks;
    return ticks !== null && bar >= 0 && ticks.covers(this.feed.time[bar]!) ? ticks : null;
  }

  /** The last tick until then; before the first, the close of the bar before. */
  #tickAt(bar: number, time: number): number {
    return this.#ticks!.priceAt(time) ?? this.feed.close[bar - 1] ?? this.feed.open[bar]!;
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

  /**
   * Bisection between an instant that is inside the levels and a later one of the same leg that is not.
   */
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
