import { NumberedIds } from './NumberedIds.ts';

/**
 * Remembers the last ids that it saw, at least as many as its limit and at most twice as many: the older half
 * is dropped at once, since finding the oldest each time would cost more.
 */
export class RecentIds {
  #ids = new NumberedIds<true>();
  #older = new NumberedIds<true>();
  #count = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns true when the id is new */
  add(id: string): boolean {
    if (this.#ids.has(id) || this.#older.has(id)) return false;
    this.#ids.set(id, true);
    if (++this.#count >= this.#limit) {
      this.#older = this.#ids;
      this.#ids = new NumberedIds();
      this.#count = 0;
    }
    return true;
  }
}
