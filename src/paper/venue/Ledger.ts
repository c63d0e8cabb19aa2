/**
 * Records of one kind in the order they came, found by id, listed newest first. Beyond `limit` records
 * the oldest closed ones are dropped; open ones stay, ids are never reused.
 *
 * Ids are `kind_number` with ever larger numbers (`EngineState.nextId`), so the rows are sorted by them
 * and need no separate index. The numbers are held beside the ids: a search would else read some from text.
 */
export class Ledger<T> {
  readonly #limit: number;
  readonly #isClosed: (item: T) => boolean;
  readonly #ids: string[] = [];
  readonly #numbers: number[] = [];
  readonly #items: T[] = [];

  constructor(limit: number, isClosed: (item: T) => boolean) {
    this.#limit = limit;
    this.#isClosed = isClosed;
  }

  add(id: string, item: T): void {
    this.#ids.push(id);
    this.#numbers.push(numberOf(id));
    this.#items.push(item);
    // Pruning an eighth at a time keeps the cost of one record constant.
    if (this.#items.length > this.#limit * 1.125) this.#prune();
  }

  get(id: string): T | undefined {
    const index = this.#search(numberOf(id));
    return this.#ids[index] === id ? this.#items[index] : undefined;
  }

  remove(id: string): void {
    const index = this.#search(numberOf(id));
    if (this.#ids[index] !== id) return;
    this.#ids.splice(index, 1);
    this.#numbers.splice(index, 1);
    this.#items.splice(index, 1);
  }

  get size(): number {
    return this.#items.length;
  }

  /**
   * Items below a position, newest first; the position of a page's last item is the next page's cursor.
   */
  *newest(before = Infinity): Generator<{ item: T; place: number }> {
    for (let index = this.#search(before) - 1; index >= 0; index--) {
      yield { item: this.#items[index]!, place: this.#numbers[index]! };
    }
  }

  /** All rows, oldest first. */
  *entries(): Generator<[id: string, item: T]> {
    for (const [index, id] of this.#ids.entries()) yield [id, this.#items[index]!];
  }

  /** Index of the first row whose number is not below `number`. */
  #search(number: number): number {
    let [from, to] = [0, this.#ids.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#numbers[middle]! < number) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #prune(): void {
    let excess = this.#items.length - this.#limit;
    let remaining = 0;
    let seen = 0;
    // The newest stays, which its caller is about to answer with, even if all before it are open.
    for (; excess > 0 && seen < this.#items.length - 1; seen++) {
      if (this.#isClosed(this.#items[seen]!)) {
        excess--;
        continue;
      }
      this.#ids[remaining] = this.#ids[seen]!;
      this.#numbers[remaining] = this.#numbers[seen]!;
      this.#items[remaining++] = this.#items[seen]!;
    }
    // All later rows move down in one step.
    this.#ids.splice(remaining, seen - remaining);
    this.#numbers.splice(remaining, seen - remaining);
    this.#items.splice(remaining, seen - remaining);
  }
}

/** The number at the id's end, read digit by digit; NaN for a foreign id, which is never found. */
function numberOf(id: string): number {
  let number = 0;
  for (let at = id.lastIndexOf('_') + 1; at < id.length; at++) {
    const digit = id.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

const ZERO = 0x30;
