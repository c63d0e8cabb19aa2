export type BookSide = 'bid' | 'ask';

export interface BookLevel {
  price: number;
  size: number;
}

/** Size that simulated fills took from a level; it counts for as long as the recording shows the level with that size. */
export interface TakenLevel extends BookLevel {
  side: BookSide;
  taken: number;
}

/** As it is saved: a file that was written before sides were kept lacks them. */
export type SavedLevel = Omit<TakenLevel, 'side'> & Partial<Pick<TakenLevel, 'side'>>;

/** What simulated fills took from a recorded book, as it stands now. */
export class TakenLevels {
  readonly #levels = { bid: new Map<number, TakenLevel>(), ask: new Map<number, TakenLevel>() };

  get isEmpty(): boolean {
    return this.#levels.bid.size + this.#levels.ask.size === 0;
  }

  /** Size that is left of a level. */
  leftOf(side: BookSide, { price, size }: BookLevel): number {
    return size - (this.#levels[side].get(price)?.taken ?? 0);
  }

  take(side: BookSide, level: BookLevel, amount: number): void {
    const before = this.#levels[side].get(level.price)?.taken ?? 0;
    this.#levels[side].set(level.price, { side, ...level, taken: before + amount });
  }

  /** The recording shows that size at a price, 0: none; where it is another one, the level is a new one. */
  show(side: BookSide, price: number, size: number): void {
    const entry = this.#levels[side].get(price);
    if (entry !== undefined && entry.size !== size) this.#levels[side].delete(price);
  }

  /** The recording shows these levels of a side and no others. */
  showAll(side: BookSide, levels: Iterable<BookLevel>): void {
    const sizes = new Map<number, number>();
    for (const { price, size } of levels) sizes.set(price, size);
    for (const price of this.#levels[side].keys()) this.show(side, price, sizes.get(price) ?? 0);
  }

  list(): TakenLevel[] {
    return [...this.#levels.bid.values(), ...this.#levels.ask.values()];
  }

  add(level: TakenLevel): void {
    this.#levels[level.side].set(level.price, level);
  }
}
