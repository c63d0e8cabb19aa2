/**
 * Sum of the last `size` numbers.
 *
 * The window is the tail of the previous block of `size` numbers and the head of the current one. The
 * tails' sums are recomputed once per block, so nothing is ever subtracted: no drift, no residue of a
 * spike that has left the window, and a window of zeros sums to exactly zero.
 */
export class RollingSum {
  readonly #size: number;
  /**
   * Before the current position: the current block's numbers. After it: at `i`, the sum of the previous
   * block from its index `i` on. The last element is an empty tail.
   */
  readonly #line: Float64Array;
  #head = 0;
  #at = 0;

  constructor(size: number) {
    this.#size = size;
    this.#line = new Float64Array(size + 1);
  }

  /** Adds a number and returns the window's sum; of fewer than `size` numbers at first. */
  next(x: number): number {
    const line = this.#line;
    const at = this.#at;
    const head = this.#head + x;
    line[at] = x;
    if (at + 1 === this.#size) return this.#turnBlock(head);
    this.#head = head;
    this.#at = at + 1;
    return line[at + 1]! + head;
  }

  #turnBlock(head: number): number {
    const line = this.#line;
    let sum = 0;
    for (let i = this.#size - 1; i >= 0; i -= 1) {
      sum += line[i]!;
      line[i] = sum;
    }
    this.#head = 0;
    this.#at = 0;
    return head;
  }
}
