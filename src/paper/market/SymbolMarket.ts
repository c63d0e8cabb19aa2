import { toValidPrice, type InstrumentRecord, type Interval } from '../../contract/index.ts';
import { nearestPrice } from './nearestPrice.ts';
import { createIntervalBars, type IntervalBars } from './IntervalBars.ts';
import { PricePath } from './PricePath.ts';
import { PriceWatches, type PriceWatch } from './PriceWatches.ts';
import type { Feed } from '../feed/Feed.ts';

/** Best bid and ask around a mark. */
export interface Touch {
  mark: number;
  bid: number;
  ask: number;
}

/** One symbol: its path, who watches its price, its bars, and the volume that fills have used up. */
export class SymbolMarket {
  readonly instrument: InstrumentRecord;
  readonly path: PricePath;
  readonly watches = new PriceWatches();
  readonly #halfSpread: number;
  readonly #bars = new Map<Interval, IntervalBars>();
  #touch: Touch = { mark: NaN, bid: NaN, ask: NaN };
  readonly #used = new Map<number, number>();
  #scan = { version: -1, until: -Infinity, found: Infinity };

  constructor(feed: Feed, instrument: InstrumentRecord, halfSpreadBps: number) {
    this.path = new PricePath(feed);
    this.instrument = instrument;
    this.#halfSpread = halfSpreadBps / 10_000;
  }

  bars(interval: Interval): IntervalBars {
    let bars = this.#bars.get(interval);
    if (bars === undefined) {
      bars = createIntervalBars(this.path, interval);
      this.#bars.set(interval, bars);
    }
    return bars;
  }

  /** Bid and ask are the nearest valid prices to mark ∓ half spread (conventions §6). */
  touch(): Touch {
    const { mark } = this.path;
    if (mark !== this.#touch.mark) this.#touch = this.#touchAt(mark);
    return this.#touch;
  }

  #touchAt(mark: number): Touch {
    const [below, above] = [mark * (1 - this.#halfSpread), mark * (1 + this.#halfSpread)];
    const bid = nearestPrice(below, this.instrument);
    const ask = nearestPrice(above, this.instrument);
    if (bid < ask) return { mark, bid, ask };
    // A grid coarser than the spread would close the book; its two sides stay a step apart.
    const [down, up] = [this.#step(below, 'down'), this.#step(above, 'up')];
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
   * Volume of a bar that fills may still use: a share of it, less what fills on its account have
   * used. A taker draws on the last bar that closed, a resting order on the bar in progress.
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

  /** Volume that fills have used up, by bar. */
  usedVolume(): Array<[bar: number, size: number]> {
    return [...this.#used];
  }

  /** When a watch is reached or wakes next, between now and `until`; Infinity where none is. */
  nextReach(now: number, until: number): number {
    const { wakeTime } = this.watches;
    const horizon = wakeTime < until ? wakeTime : until;
    const reached = this.#scanFor(now, horizon);
    return reached <= horizon ? reached : wakeTime <= until ? wakeTime : Infinity;
  }

  /** Takes the next watch that the present mark has reached. */
  takeReached(now: number): PriceWatch | undefined {
    this.watches.wake(now);
    return this.path.listed ? this.watches.takeReached(this.path.mark) : undefined;
  }

  /** What was scanned once is not scanned again, as long as no watch has changed. */
  #scanFor(now: number, until: number): number {
    const { version } = this.watches;
    let scan = this.#scan;
    if (scan.version !== version || scan.found < now) {
      scan = { version, until: now - 1, found: Infinity };
      this.#scan = scan;
    }
    if (scan.found === Infinity && scan.until < until) {
      scan.found = this.path.nextReach(this.watches, Math.max(now, scan.until + 1), until);
      scan.until = until;
    }
    return scan.found;
  }
}
