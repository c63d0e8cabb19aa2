/**
 * Mean and population variance of the last `size` numbers.
 *
 * Blocks as in {@link RollingSum}, of distances from a pivot and of their squares. The pivot is the
 * previous block's newest number and so itself in the window: its distance from the mean is then at most
 * √size deviations, and the difference of squares loses no more than that many digits' worth. A flat
 * window has a variance of exactly zero, whatever came before it.
 */
export class RollingMoments {
  mean = NaN;
  variance = NaN;
  readonly #size: number;
  readonly #share: number;
  /** As in RollingSum: numbers of the current block, then sums of the previous block's tails. */
  readonly #line: Float64Array;
  readonly #tailSquares: Float64Array;
  #pivot = 0;
  #head = 0;
  #headSquares = 0;
  #at = 0;

  constructor(size: number) {
    this.#size = size;
    this.#share = 1 / size;
    this.#line = new Float64Array(size + 1);
    this.#tailSquares = new Float64Array(size + 1);
  }

  /** Takes a number; `mean` and `variance` are meaningful from the `size`-th number on. */
  next(x: number): void {
    const line = this.#line;
    const at = this.#at;
    line[at] = x;
    if (at + 1 === this.#size) {
      this.#turnBlock(x);
      return;
    }
    const distance = x - this.#pivot;
    this.#head += distance;
    this.#headSquares += distance * distance;
    this.#at = at + 1;
    this.#settle(line[at + 1]! + this.#head, this.#tailSquares[at + 1]! + this.#headSquares);
  }

  /** The window is the whole block: with its newest number as pivot, its last tail is its moments. */
  #turnBlock(pivot: number): void {
    const line = this.#line;
    let sum = 0;
    let squares = 0;
    for (let i = this.#size - 1; i >= 0; i -= 1) {
      const distance = line[i]! - pivot;
      sum += distance;
      squares += distance * distance;
      line[i] = sum;
      this.#tailSquares[i] = squares;
    }
    this.#pivot = pivot;
    this.#head = 0;
    this.#headSquares = 0;
    this.#at = 0;
    this.#settle(sum, squares);
  }

  #settle(sum: number, squares: number): void {
    const offset = sum * this.#share;
    this.mean = this.#pivot + offset;
    // A rounding error may make a variance that is almost zero negative.
    this.variance = Math.max(0, squares * this.#share - offset * offset);
  }
}
