/** Returns each number `bars` calls later; NaN until then. */
export class Delay {
  readonly #ring: Float64Array;
  #at = 0;

  constructor(bars: number) {
    this.#ring = new Float64Array(bars).fill(NaN);
  }

  next(x: number): number {
    const delayed = this.#ring[this.#at]!;
    this.#ring[this.#at] = x;
    this.#at = this.#at + 1 === this.#ring.length ? 0 : this.#at + 1;
    return delayed;
  }
}
