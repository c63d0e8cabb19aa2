import { barOpenTime, type Interval } from '../../contract/index.ts';
import type { Tape, TradeTape } from '../feed/Tape.ts';
import { BookCursor } from './BookCursor.ts';

/** Number of ticks that are skipped together if none of them reaches a level. */
const BLOCK = 256;

/**
 * The mark of a recorded market: the last trade's price, or the book's mid if only the book was recorded.
 * Prices are constant between ticks.
 *
 * A tick at the instant at which a bar opens counts a millisecond later: the instant itself belongs to
 * the bar that closes then.
 */
export class TickPath {
  readonly from: number;
  readonly until: number;
  /** Whether the ticks are trades, which fill the resting orders that they reach. */
  readonly areTrades: boolean;
  readonly #time: Float64Array;
  readonly #price: Float64Array;
  readonly #size: Float64Array;
  readonly #blockLow: Float64Array;
  readonly #blockHigh: Float64Array;

  /** The value at the time from which the recording applies. */
  readonly #before: number | undefined;

  constructor(tape: Tape, interval: Interval) {
    const { from, until } = tape;
    this.from = from;
    this.until = until;
    this.areTrades = tape.trades !== null;
    const ticks = tape.trades ?? middlesOf(tape);
    const first = searchTime(ticks.time, from);
    const last = searchTime(ticks.time, until);
    const openLater = (at: number): number => (barOpenTime(at, interval) === at ? at + 1 : at);
    this.#before = ticks.price[first - 1];
    this.#time = ticks.time.slice(first, last).map(openLater);
    this.#price = ticks.price.slice(first, last);
    this.#size = ticks.size.slice(first, last);
    const blocks = Math.ceil(this.#time.length / BLOCK);
    this.#blockLow = new Float64Array(blocks).fill(Infinity);
    this.#blockHigh = new Float64Array(blocks).fill(-Infinity);
    for (const [index, price] of this.#price.entries()) {
      const block = Math.floor(index / BLOCK);
      this.#blockLow[block] = Math.min(this.#blockLow[block]!, price);
      this.#blockHigh[block] = Math.max(this.#blockHigh[block]!, price);
    }
  }

  /** Whether a bar that opens then was recorded completely. */
  covers(openTime: number): boolean {
    return openTime >= this.from && openTime < this.until;
  }

  /** Price of the last tick until `time` inclusive; undefined if there was none. */
  priceAt(time: number): number | undefined {
    return this.#price[searchTime(this.#time, time + 1) - 1] ?? this.#before;
  }

  /** Time of the first tick after `time`; Infinity after the last. */
  timeAfter(time: number): number {
    return this.#time[searchTime(this.#time, time + 1)] ?? Infinity;
  }

  /** Lowest and highest price at that millisecond; undefined if there is no tick. */
  extremesAt(time: number): { low: number; high: number } | undefined {
    return this.runSince(time, time) ?? undefined;
  }

  /** The bar of the ticks from `from` to `until`, both inclusive; null if there are none. */
  runSince(
    from: number,
    until: number,
  ): { open: number; high: number; low: number; volume: number } | null {
    const first = searchTime(this.#time, from);
    const end = searchTime(this.#time, until + 1);
    if (first >= end) return null;
    let [low, high, volume] = [Infinity, -Infinity, 0];
    for (let index = first; index < end; index++) {
      low = Math.min(low, this.#price[index]!);
      high = Math.max(high, this.#price[index]!);
      volume += this.#size[index]!;
    }
    return { open: this.#price[first]!, high, low, volume };
  }

  /** Sizes of the trades at that millisecond, by price. */
  tradesAt(time: number): Map<number, number> {
    const sizes = new Map<number, number>();
    for (let at = searchTime(this.#time, time); this.#time[at] === time; at++) {
      const price = this.#price[at]!;
      sizes.set(price, (sizes.get(price) ?? 0) + this.#size[at]!);
    }
    return sizes;
  }

  /** Time of the first tick from `from` to `until`, both inclusive, at or beyond one of the levels. */
  firstBeyond(
    { lower, upper }: { lower: number; upper: number },
    from: number,
    until: number,
  ): number {
    const end = searchTime(this.#time, until + 1);
    for (let index = searchTime(this.#time, from); index < end; index++) {
      const block = Math.floor(index / BLOCK);
      if (this.#blockLow[block]! > lower && this.#blockHigh[block]! < upper) {
        index = (block + 1) * BLOCK - 1;
        continue;
      }
      const price = this.#price[index]!;
      if (price <= lower || price >= upper) return this.#time[index]!;
    }
    return Infinity;
  }
}

/** Index of the first time that is not before `time`. */
function searchTime(times: Float64Array, time: number): number {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (times[middle]! < time) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The book's mid whenever it moves; nothing was traded there. */
function middlesOf({ book, until }: Tape): TradeTape {
  const cursor = new BookCursor(book!);
  const [time, price]: [number[], number[]] = [[], []];
  for (const at of book!.time) {
    if (at === -Infinity || at >= until) continue;
    cursor.seek(at);
    const [bid, ask] = [cursor.best('bid'), cursor.best('ask')];
    if (bid === undefined || ask === undefined) continue;
    const middle = (bid + ask) / 2;
    if (middle === price.at(-1)) continue;
    // Several messages of one millisecond are one tick: the last.
    if (time.at(-1) === at) price[price.length - 1] = middle;
    else {
      time.push(at);
      price.push(middle);
    }
  }
  const size = new Float64Array(time.length);
  return { time: Float64Array.from(time), price: Float64Array.from(price), size };
}
