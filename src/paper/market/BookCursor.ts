import type { Side } from '../../contract/index.ts';
import type { BookChanges, BookRows, BookTape } from '../feed/Tape.ts';
import {
  TakenLevels,
  type BookLevel,
  type BookSide,
  type SavedLevel,
  type TakenLevel,
} from './TakenLevels.ts';

const SIDES: readonly BookSide[] = ['bid', 'ask'];

/** The recorded book at a time that only moves forward. */
interface BookState {
  /** When it was last recorded; −Infinity if it was not yet. */
  readonly time: number;
  /** When it is recorded next; Infinity after the last. */
  readonly nextTime: number;
  /** Shows each message on the way to what was taken. */
  seek(time: number, taken: TakenLevels): void;
  /** Levels of a side, best first. */
  levels(side: BookSide): Iterable<BookLevel>;
}

/** Books that replace each other. */
class RowsState implements BookState {
  readonly #tape: BookRows;
  #row = -1;

  constructor(tape: BookRows) {
    this.#tape = tape;
  }

  get time(): number {
    return this.#tape.time[this.#row] ?? -Infinity;
  }

  get nextTime(): number {
    return this.#tape.time[this.#row + 1] ?? Infinity;
  }

  seek(time: number, taken: TakenLevels): void {
    while (this.nextTime <= time) {
      this.#row++;
      if (taken.isEmpty) continue;
      for (const side of SIDES) taken.showAll(side, this.levels(side));
    }
  }

  *levels(side: BookSide): Generator<BookLevel> {
    const { depth, cells } = this.#tape;
    if (this.#row < 0) return;
    for (let level = 0; level < depth; level++) {
      const cell = (this.#row * depth + level) * 4 + (side === 'bid' ? 0 : 2);
      const [price, size] = [cells[cell]!, cells[cell + 1]!];
      if (Number.isNaN(price)) return;
      if (size > 0) yield { price, size };
    }
  }
}

/** Prices of one side, worst first, so that changes at the best price are cheap. */
class SideLevels {
  readonly prices: number[] = [];
  readonly sizes: number[] = [];
  readonly #sign: 1 | -1;

  constructor(side: BookSide) {
    this.#sign = side === 'bid' ? 1 : -1;
  }

  set(price: number, size: number): void {
    const at = this.#search(price);
    const isThere = this.prices[at] === price;
    if (size === 0) {
      if (isThere) this.#remove(at);
    } else if (isThere) this.sizes[at] = size;
    else {
      this.prices.splice(at, 0, price);
      this.sizes.splice(at, 0, size);
    }
  }

  #remove(at: number): void {
    this.prices.splice(at, 1);
    this.sizes.splice(at, 1);
  }

  #search(price: number): number {
    let [from, to] = [0, this.prices.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#sign * (price - this.prices[middle]!) > 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** A book that changes level by level. */
class ChangesState implements BookState {
  readonly #tape: BookChanges;
  readonly #sides = { bid: new SideLevels('bid'), ask: new SideLevels('ask') };
  #message = 0;

  constructor(tape: BookChanges) {
    this.#tape = tape;
  }

  get time(): number {
    return this.#tape.time[this.#message - 1] ?? -Infinity;
  }

  get nextTime(): number {
    return this.#tape.time[this.#message] ?? Infinity;
  }

  seek(time: number, taken: TakenLevels): void {
    const { time: times, first, isBid, price, size } = this.#tape;
    for (; this.#message < times.length && times[this.#message]! <= time; this.#message++) {
      const end = first[this.#message + 1] ?? price.length;
      for (let index = first[this.#message]!; index < end; index++) {
        const side = isBid[index] === 1 ? 'bid' : 'ask';
        this.#sides[side].set(price[index]!, size[index]!);
        taken.show(side, price[index]!, size[index]!);
      }
    }
  }

  *levels(side: BookSide): Generator<BookLevel> {
    const { prices, sizes } = this.#sides[side];
    for (let index = prices.length - 1; index >= 0; index--) {
      yield { price: prices[index]!, size: sizes[index]! };
    }
  }
}

/** Best price of a side. */
function bestOf(levels: Iterable<BookLevel>): number | undefined {
  for (const { price } of levels) return price;
  return undefined;
}

/** Lowest and highest traded price between two times, both inclusive; null: none. */
export type TradedRange = (from: number, until: number) => { low: number; high: number } | null;

/**
 * The recorded book, less the size that simulated fills took from it: the recording does not contain
 * them, so a level that it keeps showing with the same size would otherwise fill without limit. Also less
 * the levels that trades went through since it was last recorded: a bid above a trade's price is gone, or
 * a stop that the trade triggers would be sold to it.
 */
export class BookCursor {
  readonly #state: BookState;
  readonly #traded: TradedRange;
  readonly #taken = new TakenLevels();
  /** Bids above `low` and asks below `high` are gone, by the trades since the book was recorded. */
  #since = { bookTime: NaN, until: NaN, low: Infinity, high: -Infinity };

  constructor(tape: BookTape, traded: TradedRange = () => null) {
    this.#state = tape.kind === 'rows' ? new RowsState(tape) : new ChangesState(tape);
    this.#traded = traded;
  }

  seek(time: number): void {
    this.#state.seek(time, this.#taken);
    const { time: bookTime } = this.#state;
    if (this.#since.bookTime !== bookTime) {
      // A recorder that reports one side first leaves the book crossed: the crossing levels are gone.
      const low = bestOf(this.#state.levels('ask')) ?? Infinity;
      const high = bestOf(this.#state.levels('bid')) ?? -Infinity;
      this.#since = { bookTime, until: bookTime, low, high };
    }
    const since = this.#since;
    if (since.until >= time) return;
    const run = this.#traded(since.until + 1, time);
    since.until = time;
    if (run === null) return;
    since.low = Math.min(since.low, run.low);
    since.high = Math.max(since.high, run.high);
  }

  /** When it is recorded next; Infinity after the last. */
  get nextTime(): number {
    return this.#state.nextTime;
  }

  /**
   * Best price of a side; undefined if the side is empty. Levels that simulated fills took are still on
   * the tape.
   */
  best(side: BookSide): number | undefined {
    return bestOf(this.#levels(side));
  }

  /** Levels in the book, with their recorded sizes, best first. */
  shown(side: BookSide, depth: number): BookLevel[] {
    const levels: BookLevel[] = [];
    for (const level of this.#levels(side)) {
      if (levels.length === depth) break;
      levels.push(level);
    }
    return levels;
  }

  /** Levels that a taker of that side hits, best first. */
  *offers(taker: Side): Generator<BookLevel> {
    const side = taker === 'buy' ? 'ask' : 'bid';
    for (const level of this.#levels(side)) {
      const size = this.#taken.leftOf(side, level);
      if (size > 0) yield { price: level.price, size };
    }
  }

  /** Records that a fill took `amount` from the level at a price. */
  take(taker: Side, price: number, amount: number): void {
    const side = taker === 'buy' ? 'ask' : 'bid';
    for (const level of this.#state.levels(side)) {
      if (level.price !== price) continue;
      this.#taken.take(side, level, amount);
      return;
    }
  }

  *#levels(side: BookSide): Generator<BookLevel> {
    const { low, high } = this.#since;
    for (const level of this.#state.levels(side)) {
      const isGone = side === 'bid' ? level.price > low : level.price < high;
      if (!isGone) yield level;
    }
  }

  takenLevels(): TakenLevel[] {
    return this.#taken.list();
  }

  /** Restores what was taken from the book as it was saved, at the time that was sought. */
  restoreTaken(levels: readonly SavedLevel[]): void {
    for (const level of levels) {
      const side = level.side ?? this.#sideOf(level);
      if (side !== undefined) this.#taken.add({ ...level, side });
    }
  }

  /** The side on which the book shows a level; undefined if it does on none. */
  #sideOf({ price, size }: BookLevel): BookSide | undefined {
    const isShown = (each: BookLevel): boolean => each.price === price && each.size === size;
    return SIDES.find((side) => [...this.#state.levels(side)].some(isShown));
  }
}
