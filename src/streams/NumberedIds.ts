/**
 * Values by id, as a Map. Most services number their records, `ord_1`, `ord_2`, and bars are named by their times: of such
 * a series the values are kept in a list in the order of the numbers, without the ids and without a table that grows.
 * Every other id is kept as it is.
 */
export class NumberedIds<V> {
  #prefix: string | undefined;
  /** Ascending. */
  readonly #numbers: number[] = [];
  readonly #values: Array<V | undefined> = [];
  readonly #others = new Map<string, V>();

  get(id: string): V | undefined {
    const number = this.#numberOf(id);
    if (number < 0) return this.#others.get(id);
    const place = this.#placeOf(number);
    return place < 0 ? this.#others.get(id) : this.#values[place];
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  set(id: string, value: V): void {
    if (this.#prefix === undefined) this.#prefix = prefixOf(id);
    const number = this.#numberOf(id);
    const place = number < 0 ? -1 : this.#placeOf(number);
    if (place >= 0) this.#values[place] = value;
    else if (number >= 0 && number > (this.#numbers.at(-1) ?? -1)) {
      // It may have come before those that are listed.
      if (this.#others.size > 0) this.#others.delete(id);
      this.#numbers.push(number);
      this.#values.push(value);
    } else this.#others.set(id, value);
  }

  delete(id: string): void {
    const number = this.#numberOf(id);
    const place = number < 0 ? -1 : this.#placeOf(number);
    if (place >= 0) this.#values[place] = undefined;
    else this.#others.delete(id);
  }

  /** Index among the numbers; below 0 if it is not among them. */
  #placeOf(number: number): number {
    const numbers = this.#numbers;
    let to = numbers.length - 1;
    // The newest is asked for most.
    if (to < 0 || number > numbers[to]!) return -1;
    let from = Math.max(0, to - (numbers[to]! - number));
    while (from < to) {
      const middle = (from + to) >> 1;
      if (numbers[middle]! < number) from = middle + 1;
      else to = middle;
    }
    return numbers[from] === number ? from : -1;
  }

  /** Below 0 for an id that is not of the series, or not written as the series writes it. */
  #numberOf(id: string): number {
    const prefix = this.#prefix;
    if (prefix === undefined || !id.startsWith(prefix)) return -1;
    const digits = id.length - prefix.length;
    if (digits === 0 || digits > MOST_DIGITS) return -1;
    if (digits > 1 && id.charCodeAt(prefix.length) === ZERO) return -1;
    let number = 0;
    for (let at = prefix.length; at < id.length; at++) {
      const digit = id.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) return -1;
      number = number * 10 + digit;
    }
    return number;
  }
}

const ZERO = 48;
/** A number of more digits may not be the only one with its value. */
const MOST_DIGITS = 15;

/** What stands before the digits at the end; it may be empty. */
function prefixOf(id: string): string {
  let end = id.length;
  while (end > 0 && id.charCodeAt(end - 1) >= ZERO && id.charCodeAt(end - 1) <= ZERO + 9) end--;
  return id.slice(0, end);
}
