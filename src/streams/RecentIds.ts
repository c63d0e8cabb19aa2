import { RecentValues } from './RecentValues.ts';

/** Remembers the last ids that it saw, at least as many as its limit and at most twice as many. */
export class RecentIds {
  readonly #seen: RecentValues<true>;

  constructor(limit: number) {
    this.#seen = new RecentValues(limit);
  }

  /** @returns true when the id is new */
  add(id: string): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.set(id, true);
    return true;
  }
}
