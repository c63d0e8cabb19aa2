/** What acts when a watch is reached; the engine has one reaction per topic. */
export type WatchTopic = 'order' | 'leg' | 'margin' | 'execution' | 'monitor';

/**
 * A request for notice when the mark is at or beyond a level. Plain data; fires once and is then removed.
 */
export interface PriceWatch {
  readonly symbol: string;
  readonly level: number;
  readonly side: 'below' | 'above';
  readonly topic: WatchTopic;
  readonly wallet: string;
  readonly id: string;
  /** Earlier watches at the same level fire first. */
  readonly order: number;
  /** When it was set: trades before that do not count, even in the same millisecond. */
  readonly since: number;
}

/**
 * The level at which a price is passed and not only reached: further by more than the path's rounding
 * error, and by less than any path moves in a millisecond.
 */
export function beyond(price: number, side: 'below' | 'above'): number {
  const step = price * 1e-12;
  return side === 'below' ? price - step : price + step;
}

/**
 * The watches of one symbol, sorted so that the next one to be reached is last on each side. The market
 * scans for the two nearest levels only, for any number of watches.
 */
export class PriceWatches {
  /** Changes whenever the nearest levels may have changed. */
  version = 0;
  readonly #below: PriceWatch[] = [];
  readonly #above: PriceWatch[] = [];
  /** Watches that are inactive until their time. */
  readonly #asleep: Array<{ watch: PriceWatch; until: number }> = [];

  get lower(): number {
    return this.#below.at(-1)?.level ?? -Infinity;
  }

  get upper(): number {
    return this.#above.at(-1)?.level ?? Infinity;
  }

  get isEmpty(): boolean {
    return this.#below.length + this.#above.length + this.#asleep.length === 0;
  }

  /** Every watch and the time until which it sleeps; null: it is awake. */
  list(): Array<{ watch: PriceWatch; until: number | null }> {
    const awake = [...this.#below, ...this.#above].map((watch) => ({ watch, until: null }));
    return [...awake, ...this.#asleep];
  }

  /** When the next sleeping watch becomes active; Infinity if none sleeps. */
  get wakeTime(): number {
    let next = Infinity;
    for (const { until } of this.#asleep) if (until < next) next = until;
    return next;
  }

  /** Suspends a watch until a time; then it has its old position among the others. */
  sleep(watch: PriceWatch, until: number): void {
    this.remove(watch);
    if (Number.isFinite(until)) this.#asleep.push({ watch, until });
  }

  wake(now: number): void {
    for (let index = this.#asleep.length - 1; index >= 0; index--) {
      if (this.#asleep[index]!.until > now) continue;
      const [woken] = this.#asleep.splice(index, 1);
      this.add(woken!.watch);
    }
  }

  add(watch: PriceWatch): void {
    const list = watch.side === 'below' ? this.#below : this.#above;
    let [from, to] = [0, list.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (firesBefore(watch, list[middle]!)) from = middle + 1;
      else to = middle;
    }
    list.splice(from, 0, watch);
    this.version++;
  }

  remove(watch: PriceWatch): void {
    const list = watch.side === 'below' ? this.#below : this.#above;
    const index = list.lastIndexOf(watch);
    if (index >= 0) {
      list.splice(index, 1);
      this.version++;
      return;
    }
    const asleep = this.#asleep.findIndex((each) => each.watch === watch);
    if (asleep >= 0) this.#asleep.splice(asleep, 1);
  }

  hasReached(price: PriceNow): boolean {
    return this.#firstBelow(price) >= 0 || this.#firstAbove(price) >= 0;
  }

  /** Removes the next watch that is reached, in the order in which the path passed them. */
  takeReached(price: PriceNow): PriceWatch | undefined {
    const [belowAt, aboveAt] = [this.#firstBelow(price), this.#firstAbove(price)];
    const [below, above] = [this.#below[belowAt], this.#above[aboveAt]];
    const isBelow = below !== undefined && (above === undefined || below.order < above.order);
    const first = isBelow ? below : above;
    if (first === undefined) return undefined;
    this.version++;
    if (isBelow) this.#below.splice(belowAt, 1);
    else this.#above.splice(aboveAt, 1);
    return first;
  }

  /** Index of the lower watch that is reached first; −1 if none is. */
  #firstBelow({ mark, low, time }: PriceNow): number {
    let at = this.#below.length - 1;
    for (; at >= 0 && this.#below[at]!.level >= low; at--) {
      if (this.#below[at]!.since < time || this.#below[at]!.level >= mark) return at;
    }
    return -1;
  }

  #firstAbove({ mark, high, time }: PriceNow): number {
    let at = this.#above.length - 1;
    for (; at >= 0 && this.#above[at]!.level <= high; at--) {
      if (this.#above[at]!.since < time || this.#above[at]!.level <= mark) return at;
    }
    return -1;
  }
}

/** The mark, and the range of the price within this millisecond. */
export interface PriceNow {
  mark: number;
  low: number;
  high: number;
  time: number;
}

function firesBefore(a: PriceWatch, b: PriceWatch): boolean {
  if (a.level === b.level) return a.order < b.order;
  return a.side === 'below' ? a.level > b.level : a.level < b.level;
}
