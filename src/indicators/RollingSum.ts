/**
 * Sum of the last `size` numbers.
 *
 * The window is the tail of the previous block of `size` numbers and the head of the current one. The
 * tails' sums are made anew once a block, so nothing is ever subtracted: no drift, no residue of a spike
 * that has left the window, and a window of zeros sums to exactly zero.
 */
export class RollingSum {
  readonly #size: number;
  readonly #block: Float64Array;
  /** `tails[i]` is the sum of the previous block from its index `i` on; the last one is 0. */
  readonly #tails: Float64Array;
  #head = 0;
  #at = 0;

  constructor(size: number) {
    this.#size = size;
    this.#block = new Float64Array(size);
    this.#tails = new Float64Array(size + 1);
  }

  /** Takes a number and gives the window's sum; of less than `size` numbers at first. */
  next(x: number): number {
    const after = this.#at + 1;
    this.#block[this.#at] = x;
    this.#head += x;
    const sum = this.#tails[after]! + this.#head;
    if (after === this.#size) this.#turnBlock();
    else this.#at = after;
    return sum;
  }

  #turnBlock(): void {
    let sum = 0;
    for (let i = this.#size - 1; i >= 0; i -= 1) {
      sum += this.#block[i]!;
      this.#tails[i] = sum;
    }
    this.#head = 0;
    this.#at = 0;
  }
}
