interface Row<T> {
  readonly id: string;
  readonly item: T;
  readonly place: number;
}

/**
 * Records of one kind in the order they came, found by id, listed newest first. Once more than
 * `limit` are kept, the oldest closed ones go; open ones stay, ids are never used again.
 */
export class Ledger<T> {
  readonly #byId = new Map<string, Row<T>>();
  readonly #limit: number;
  readonly #isClosed: (item: T) => boolean;
  #rows: Array<Row<T>> = [];
  #place = 0;

  constructor(limit: number, isClosed: (item: T) => boolean) {
    this.#limit = limit;
    this.#isClosed = isClosed;
  }

  add(id: string, item: T): void {
    const row = { id, item, place: ++this.#place };
    this.#byId.set(id, row);
    this.#rows.push(row);
    // Pruning an eighth at a time keeps the cost of one record constant.
    if (this.#rows.length > this.#limit * 1.125) this.#prune();
  }

  get(id: string): T | undefined {
    return this.#byId.get(id)?.item;
  }

  remove(id: string): void {
    this.#byId.delete(id);
    this.#rows = this.#rows.filter((row) => row.id !== id);
  }

  get size(): number {
    return this.#rows.length;
  }

  /** Items with a place below `before`, newest first; the place is a page's cursor. */
  *newest(before = Infinity): Generator<{ item: T; place: number }> {
    for (let index = this.#rows.length - 1; index >= 0; index--) {
      const row = this.#rows[index]!;
      if (row.place < before) yield row;
    }
  }

  #prune(): void {
    let excess = this.#rows.length - this.#limit;
    this.#rows = this.#rows.filter(({ id, item }) => {
      if (excess <= 0 || !this.#isClosed(item)) return true;
      excess--;
      this.#byId.delete(id);
      return false;
    });
  }
}
