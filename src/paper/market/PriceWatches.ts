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

/** A price to be reached, or to be passed. */
export interface WatchedPrice {
  price: number;
  side: 'below' | 'above';
  passed?: boolean;
}

/** The level of a watch. */
export const levelOfWatch = ({ price, side, passed = false }: WatchedPrice): number =>
  passed ? beyond(price, side) : price;

/** Watches at one level, in the order in which they fire. */
interface Level {
  readonly level: number;
  readonly watches: PriceWatch[];
}

/**
 * The watches of one symbol by level, sorted so that the next one to be reached is last on each side. The market
 * scans for the two nearest levels only, for any number of watches; those that share a level, such as monitors of one
 * indicator, share its place.
 */
export class PriceWatches {
  /** Changes whenever the nearest levels may have changed. */
  version = 0;
  readonly #below: Level[] = [];
  readonly #above: Level[] = [];
  /** Watches that are inactive until their time. */
  readonly #asleep: Array<{ watch: PriceWatch; until: number }> = [];
  /** Watches that sleep until a bar that the feed does not have: none, unless it grows. */
  readonly #afterFeed: PriceWatch[] = [];

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
    const awake = [...this.#below, ...this.#above].flatMap(({ watches }) => watches);
    return [...awake.map((watch) => ({ watch, until: null })), ...this.#asleep];
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
    else this.#afterFeed.push(watch);
  }

  /** The feed has a bar after its former end, whose first trade comes then; Infinity: it has none. */
  feedGrew(firstTrade: number): void {
    for (const watch of this.#afterFeed.splice(0)) this.sleep(watch, firstTrade);
  }

  wake(now: number): void {
    for (let index = this.#asleep.length - 1; index >= 0; index--) {
      if (this.#asleep[index]!.until > now) continue;
      const [woken] = this.#asleep.splice(index, 1);
      this.add(woken!.watch);
    }
  }

  add(watch: PriceWatch): void {
    const levels = this.#levelsOf(watch);
    const at = placeOf(levels, watch);
    const found = levels[at];
    if (found?.level === watch.level) insertInOrder(found.watches, watch);
    else levels.splice(at, 0, { level: watch.level, watches: [watch] });
    this.version++;
  }

  remove(watch: PriceWatch): void {
    const levels = this.#levelsOf(watch);
    const at = placeOf(levels, watch);
    const index = levels[at]?.level === watch.level ? levels[at].watches.indexOf(watch) : -1;
    if (index >= 0) {
      dropFrom(levels, at, index);
      this.version++;
      return;
    }
    const asleep = this.#asleep.findIndex((each) => each.watch === watch);
    if (asleep >= 0) this.#asleep.splice(asleep, 1);
    const after = this.#afterFeed.indexOf(watch);
    if (after >= 0) this.#afterFeed.splice(after, 1);
  }

  hasReached(price: PriceNow): boolean {
    return this.#firstBelow(price) !== undefined || this.#firstAbove(price) !== undefined;
  }

  /** Removes the next watch that is reached, in the order in which the path passed them. */
  takeReached(price: PriceNow): PriceWatch | undefined {
    const [below, above] = [this.#firstBelow(price), this.#firstAbove(price)];
    const isBelow = below !== undefined && (above === undefined || below.order < above.order);
    const first = isBelow ? below : above;
    if (first !== undefined) this.remove(first);
    return first;
  }

  #levelsOf({ side }: PriceWatch): Level[] {
    return side === 'below' ? this.#below : this.#above;
  }

  /** The lower watch that is reached first. */
  #firstBelow({ mark, low, time }: PriceNow): PriceWatch | undefined {
    for (let at = this.#below.length - 1; at >= 0; at--) {
      const { level, watches } = this.#below[at]!;
      if (level < low) return undefined;
      const first = level >= mark ? watches[0] : watches.find(({ since }) => since < time);
      if (first !== undefined) return first;
    }
    return undefined;
  }

  #firstAbove({ mark, high, time }: PriceNow): PriceWatch | undefined {
    for (let at = this.#above.length - 1; at >= 0; at--) {
      const { level, watches } = this.#above[at]!;
      if (level > high) return undefined;
      const first = level <= mark ? watches[0] : watches.find(({ since }) => since < time);
      if (first !== undefined) return first;
    }
    return undefined;
  }
}

/** The mark, and the range of the price within this millisecond. */
export interface PriceNow {
  mark: number;
  low: number;
  high: number;
  time: number;
}

/** Index of the watch's level, or that at which it is to be inserted. */
function placeOf(levels: readonly Level[], { level, side }: PriceWatch): number {
  let [from, to] = [0, levels.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = levels[middle]!.level;
    if (side === 'below' ? other < level : other > level) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** A new watch is the last; one that slept has its old position. */
function insertInOrder(watches: PriceWatch[], watch: PriceWatch): void {
  let at = watches.length;
  while (at > 0 && watches[at - 1]!.order > watch.order) at--;
  if (at === watches.length) watches.push(watch);
  else watches.splice(at, 0, watch);
}

function dropFrom(levels: Level[], at: number, index: number): void {
  const { watches } = levels[at]!;
  if (watches.length === 1) levels.splice(at, 1);
  else if (index === 0) watches.shift();
  else watches.splice(index, 1);
}
