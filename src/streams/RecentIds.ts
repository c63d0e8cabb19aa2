/**
 * Remembers the last ids that it saw, at least as many as its limit and at most twice as many: the older half
 * is dropped at once, since finding the oldest each time would cost more.
 */
export class RecentIds {
  #ids = new Set<string>();
  #older = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns true when the id is new */
  add(id: string): boolean {
    if (this.#ids.has(id) || this.#older.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size >= this.#limit) {
      this.#older = this.#ids;
      this.#ids = new Set();
    }
    return true;
  }
}
