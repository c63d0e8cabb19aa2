/**
 * Sum of the last `size` numbers, weighted 1 for the oldest to `size` for the newest.
 *
 * Built of blocks like {@link RollingSum}, for the same reason: it only adds.
 */
export class RollingWeightedSum {
  readonly #size: number;
  /** As in RollingSum, but for the tails' sums being weighted 1, 2, … */
  readonly #line: Float64Array;
  #head = 0;
  /** The current block's numbers, each times its index in the block. */
  #indexed = 0;
  #at = 0;

  constructor(size: number) {
    this.#size = size;
    this.#line = new Float64Array(size + 1);
  }

  /** Adds a number and returns the window's weighted sum; meaningful from the `size`-th number on. */
  next(x: number): number {
    const line = this.#line;
    const at = this.#at;
    line[at] = x;
    this.#head += x;
    this.#indexed += at * x;
    // The number at index j of the current block has weight (size − at) + j.
    const sum = line[at + 1]! + (this.#size - at) * this.#head + this.#indexed;
    if (at + 1 === this.#size) this.#turnBlock();
    else this.#at = at + 1;
    return sum;
  }

  #turnBlock(): void {
    const line = this.#line;
    let plain = 0;
    let weighted = 0;
    for (let i = this.#size - 1; i >= 0; i -= 1) {
      // Each earlier number raises the weights of all later ones by one.
      plain += line[i]!;
      weighted += plain;
      line[i] = weighted;
    }
    this.#head = 0;
    this.#indexed = 0;
    this.#at = 0;
  }
}
