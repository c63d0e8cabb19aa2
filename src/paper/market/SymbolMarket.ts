import { toValidPrice, type InstrumentRecord, type Interval } from '../../contract/index.ts';
import { createIntervalBars, type IntervalBars } from './IntervalBars.ts';
import { PricePath } from './PricePath.ts';
import { PriceWatches } from './PriceWatches.ts';
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
  #usedBar = -1;
  #used = 0;
  #scan = { version: -1, from: Infinity, until: -Infinity, found: Infinity };

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
    const bid = toValidPrice(below, this.instrument);
    const ask = toValidPrice(above, this.instrument);
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

  /** What fills have used of the volume since the bar in progress began. */
  get usedVolume(): number {
    return this.#usedBar === this.path.barIndex ? this.#used : 0;
  }

  useVolume(size: number): void {
    this.#used = this.usedVolume + size;
    this.#usedBar = this.path.barIndex;
  }

  /** When a watch is reached next, between now and `until`; what was scanned is not scanned again. */
  nextReach(now: number, until: number): number {
    const { watches } = this;
    if (watches.isEmpty) return Infinity;
    const scan = this.#scan;
    if (scan.version !== watches.version || scan.found < now) {
      this.#scan = { version: watches.version, from: now, until: now - 1, found: Infinity };
      return this.nextReach(now, until);
    }
    if (scan.found === Infinity && scan.until < until) {
      const from = Math.max(now, scan.until + 1);
      scan.found = this.path.nextReach(watches, from, until);
      scan.until = until;
    }
    return scan.found;
  }
}
