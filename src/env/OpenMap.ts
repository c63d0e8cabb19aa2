/** Beyond this many a table finds an entry faster than a list. */
const MOST_LISTED = 8;

/**
 * A Map of what is open at a time: mostly one entry or none, which come and go. V8's own gives its table away whenever
 * it becomes empty and makes another one for the next entry; a short list needs no table and no hash of its key.
 */
export class OpenMap<V> {
  readonly #keys: string[] = [];
  readonly #values: V[] = [];
  /** All entries, while there are many. */
  #table: Map<string, V> | null = null;

  get size(): number {
    return this.#table === null ? this.#keys.length : this.#table.size;
  }

  get(key: string): V | undefined {
    if (this.#table !== null) return this.#table.get(key);
    const at = this.#placeOf(key);
    return at < 0 ? undefined : this.#values[at];
  }

  has(key: string): boolean {
    return this.#table === null ? this.#placeOf(key) >= 0 : this.#table.has(key);
  }

  set(key: string, value: V): void {
    if (this.#table !== null) {
      this.#table.set(key, value);
      return;
    }
    const at = this.#placeOf(key);
    if (at >= 0) this.#values[at] = value;
    else if (this.#keys.length < MOST_LISTED) {
      this.#keys.push(key);
      this.#values.push(value);
    } else this.#toTable().set(key, value);
  }

  delete(key: string): boolean {
    if (this.#table !== null) {
      const isKnown = this.#table.delete(key);
      if (this.#table.size === 0) this.#table = null;
      return isKnown;
    }
    const at = this.#placeOf(key);
    if (at < 0) return false;
    if (at === this.#keys.length - 1) {
      this.#keys.pop();
      this.#values.pop();
    } else {
      this.#keys.splice(at, 1);
      this.#values.splice(at, 1);
    }
    return true;
  }

  clear(): void {
    this.#keys.length = 0;
    this.#values.length = 0;
    this.#table = null;
  }

  /** In the order in which their keys came, as a list of its own. */
  values(): V[] {
    return [...(this.#table === null ? this.#values : this.#table.values())];
  }

  #placeOf(key: string): number {
    const keys = this.#keys;
    for (let at = 0; at < keys.length; at++) if (keys[at] === key) return at;
    return -1;
  }

  #toTable(): Map<string, V> {
    this.#table = new Map();
    for (let at = 0; at < this.#keys.length; at++) {
      this.#table.set(this.#keys[at]!, this.#values[at]!);
    }
    this.#keys.length = 0;
    this.#values.length = 0;
    return this.#table;
  }
}
