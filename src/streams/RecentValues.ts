import { NumberedIds } from './NumberedIds.ts';

/**
 * Values of the ids that were set or renewed last, at least as many as its limit and at most twice as many: the older half
 * is dropped at once, since finding the oldest each time would cost more.
 */
export class RecentValues<V> {
  #values = new NumberedIds<V>();
  #older = new NumberedIds<V>();
  #count = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(id: string): V | undefined {
    return this.#values.get(id) ?? this.#older.get(id);
  }

  has(id: string): boolean {
    return this.#values.has(id) || this.#older.has(id);
  }

  set(id: string, value: V): void {
    const isNew = !this.#values.has(id);
    this.#values.set(id, value);
    if (!isNew || ++this.#count < this.#limit) return;
    this.#older = this.#values;
    this.#values = new NumberedIds();
    this.#count = 0;
  }

  /**
   * It is still in use: only newer ones than it are counted from now on.
   *
   * @returns whether the id is known
   */
  renew(id: string): boolean {
    if (this.#values.has(id)) return true;
    const value = this.#older.get(id);
    if (value === undefined) return false;
    this.set(id, value);
    return true;
  }
}
