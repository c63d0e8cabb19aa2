import {
  tickAt,
  toValidPrice,
  type InstrumentRecord,
  type Interval,
} from '../../contract/index.ts';
import { nearestPrice } from './nearestPrice.ts';
import { createIntervalBars, type IntervalBars } from './IntervalBars.ts';
import { PricePath } from './PricePath.ts';
import { PriceWatches, type PriceNow, type PriceWatch } from './PriceWatches.ts';
import type { Feed } from '../feed/Feed.ts';
import { BookCursor } from './BookCursor.ts';
import type { SavedLevel } from './TakenLevels.ts';
import { TradedTick, type SavedTick } from './TradedTick.ts';

/** The part of a symbol's volume that fills have used, as plain data. */
export interface SavedVolume {
  /** By bar. */
  used: Array<[bar: number, size: number]>;
  /** Of the trades of one millisecond. Earlier files have one size, which fills nothing: that instant is over. */
  tick: SavedTick | { time: number; size: number };
  /** Of the recorded book. */
  taken: SavedLevel[];
}

const MOST_BARS_AHEAD = 1_024;

/** Best bid and ask around a mark. */
export interface Touch {
  mark: number;
  bid: number;
  ask: number;
}

/** One symbol: its path, its price watches, its bars, and the volume that fills have used. */
export class SymbolMarket {
  readonly instrument: InstrumentRecord;
  readonly path: PricePath;
  readonly watches = new PriceWatches();
  readonly #halfSpread: number;
  readonly #bars = new Map<Interval, IntervalBars>();
  #touch: Touch = { mark: NaN, bid: NaN, ask: NaN };
  readonly #used = new Map<number, number>();
  readonly #tick = new TradedTick();
  readonly #book: BookCursor | null;
  #scan = { version: -1, until: -Infinity, found: Infinity, bars: 1 };

  constructor(feed: Feed, instrument: InstrumentRecord, halfSpreadBps: number) {
    this.path = new PricePath(feed);
    this.instrument = instrument;
    this.#halfSpread = halfSpreadBps / 10_000;
    const book = feed.tape?.book ?? null;
    const traded = this.path.tradedRange.bind(this.path);
    this.#book = book === null ? null : new BookCursor(book, traded);
  }

  /** The recorded book at the path's time; null if none was recorded. */
  get book(): BookCursor | null {
    if (this.#book === null || !this.path.isRecorded) return null;
    this.#book.seek(this.path.time);
    return this.#book;
  }

  bars(interval: Interval): IntervalBars {
    let bars = this.#bars.get(interval);
    if (bars === undefined) {
      bars = createIntervalBars(this.path, interval);
      this.#bars.set(interval, bars);
    }
    return bars;
  }

  /** Bid and ask are the book's, or the nearest valid prices to mark ∓ half spread (conventions §6). */
  touch(): Touch {
    const { mark } = this.path;
    const { book } = this;
    if (book !== null) return this.#recordedTouch(book, mark);
    if (mark !== this.#touch.mark) this.#touch = this.#touchAt(mark);
    return this.#touch;
  }

  /** The recorded prices; an empty side is half a spread away. */
  #recordedTouch(book: BookCursor, mark: number): Touch {
    const [bid, ask] = [book.best('bid'), book.best('ask')];
    if (bid !== undefined && ask !== undefined) return { mark, bid, ask };
    const made = this.#touchAt(mark);
    return { mark, bid: bid ?? made.bid, ask: ask ?? made.ask };
  }

  #touchAt(mark: number): Touch {
    const [below, above] = [mark * (1 - this.#halfSpread), mark * (1 + this.#halfSpread)];
    const bid = nearestPrice(below, this.instrument);
    const ask = nearestPrice(above, this.instrument);
    if (0 < bid && bid < ask) return { mark, bid, ask };
    // A grid coarser than the spread would lock the book, so its two sides stay one step apart; nobody bids nothing.
    const down = Math.max(this.#step(below, 'down'), tickAt(below, this.instrument));
    const up = this.#step(above, 'up');
    return down < up
      ? { mark, bid: down, ask: up }
      : { mark, bid: down, ask: this.#nextAbove(down) };
  }

  #step(price: number, mode: 'down' | 'up'): number {
    return toValidPrice(price, this.instrument, mode);
  }

  #nextAbove(price: number): number {
    return toValidPrice(price * (1 + 1e-9), this.instrument, 'up');
  }

  /**
   * Volume of a bar that fills may still use: a share of it, less what earlier fills have used. A taker
   * draws on the last bar that closed, a resting order on the bar in progress.
   */
  volumeLeft(bar: number, share: number): number {
    if (bar < 0) return 0;
    return Math.max(0, share * this.path.feed.volume[bar]! - (this.#used.get(bar) ?? 0));
  }

  useVolume(bar: number, size: number): void {
    this.#used.set(bar, (this.#used.get(bar) ?? 0) + size);
    // Only the last closed bar and the one in progress are ever drawn on.
    for (const old of this.#used.keys()) if (old < bar - 1) this.#used.delete(old);
  }

  /**
   * Size that trades of this millisecond leave to a resting order that they went through; Infinity if no
   * trades were recorded, and the bar's volume alone decides.
   */
  tradedLeft({ level, side }: PriceWatch): number {
    const trades = this.path.tradesNow();
    return trades === null ? Infinity : this.#tick.left(this.path.time, trades, level, side);
  }

  useTraded({ level, side }: PriceWatch, size: number): void {
    const trades = this.path.tradesNow();
    if (trades !== null) this.#tick.use(this.path.time, trades, { level, side, size });
  }

  saveVolume(now: number): SavedVolume {
    this.#book?.seek(now);
    const taken = this.#book?.takenLevels() ?? [];
    return { used: [...this.#used], tick: this.#tick.save(), taken };
  }

  restoreVolume({ used, tick, taken }: SavedVolume, now: number): void {
    for (const [bar, size] of used) this.#used.set(bar, size);
    if ('below' in tick) this.#tick.restore(tick);
    this.#book?.seek(now);
    this.#book?.restoreTaken(taken);
  }

  /** The scan ended where the feed did, and so did what waited for the bar after it. */
  feedGrew(): void {
    this.watches.feedGrew(this.path.nextOpenTime + 1);
    this.#scan = { version: -1, until: -Infinity, found: Infinity, bars: 1 };
  }

  /** When a watch is reached or wakes next, between now and `until`; Infinity if none is. */
  nextReach(now: number, until: number): number {
    const { wakeTime } = this.watches;
    const horizon = wakeTime < until ? wakeTime : until;
    if (this.#isReachedNow()) return now;
    const reached = this.#scanFor(now, horizon);
    return reached <= horizon ? reached : wakeTime <= until ? wakeTime : Infinity;
  }

  /** Time until which an earlier scan found nothing to be reached. */
  isQuiet(until: number): boolean {
    const { version, wakeTime } = this.watches;
    const { version: scanned, found, until: end } = this.#scan;
    return scanned === version && found === Infinity && until <= end && wakeTime === Infinity;
  }

  /** Removes the next watch that the current mark has reached. */
  takeReached(now: number): PriceWatch | undefined {
    this.watches.wake(now);
    return this.#isReachedNow() ? this.watches.takeReached(this.#priceNow) : undefined;
  }

  #isReachedNow(): boolean {
    const { path, watches } = this;
    if (!path.listed) return false;
    if (path.isRecorded) return watches.hasReached(this.#priceNow);
    return path.mark <= watches.lower || path.mark >= watches.upper;
  }

  get #priceNow(): PriceNow {
    const { mark, extremes, time } = this.path;
    return { mark, ...extremes, time };
  }

  /**
   * A span is not scanned twice while no watch changes. The longer none does, the further each scan reads
   * ahead, up to twice as many bars as are used.
   */
  #scanFor(now: number, until: number): number {
    const { version } = this.watches;
    let scan = this.#scan;
    if (scan.version !== version || scan.found < now) {
      // This instant was already scanned.
      scan = { version, until: now, found: Infinity, bars: 1 };
      this.#scan = scan;
    }
    if (scan.found === Infinity && scan.until < until) {
      const ahead = Math.max(until, now + scan.bars * this.path.intervalMs);
      const from = Math.max(now, scan.until) + 1;
      scan.found = this.watches.isEmpty ? Infinity : this.path.nextReach(this.watches, from, ahead);
      scan.until = ahead;
      if (scan.bars < MOST_BARS_AHEAD) scan.bars *= 2;
    }
    return scan.found;
  }
}
