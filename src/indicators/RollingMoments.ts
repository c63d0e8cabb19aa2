/**
 * Mean and population variance of the last `size` numbers.
 *
 * Blocks as in {@link RollingSum}: Welford's recurrence over the head of the current block, and over the
 * tails of the previous one once a block; the two are merged by their means' distance. Nowhere is a
 * large square subtracted from another, so a small deviation on a large price keeps its digits, and a
 * flat window has a variance of exactly zero.
 */
export class RollingMoments {
  mean = NaN;
  variance = NaN;
  readonly #size: number;
  readonly #block: Float64Array;
  readonly #tailMeans: Float64Array;
  /** Sums of squared distances from the tail's own mean. */
  readonly #tailSquares: Float64Array;
  /** `reciprocals[n]` is 1/n: a division a bar would be the slowest step. */
  readonly #reciprocals: Float64Array;
  #headMean = 0;
  #headSquares = 0;
  #at = 0;

  constructor(size: number) {
    this.#size = size;
    this.#block = new Float64Array(size);
    this.#tailMeans = new Float64Array(size + 1);
    this.#tailSquares = new Float64Array(size + 1);
    this.#reciprocals = Float64Array.from({ length: size + 1 }, (_, n) => 1 / n);
  }

  /** Takes a number; `mean` and `variance` are meaningful from the `size`-th number on. */
  next(x: number): void {
    const size = this.#size;
    const headCount = this.#at + 1;
    this.#block[this.#at] = x;
    const step = x - this.#headMean;
    this.#headMean += step * this.#reciprocals[headCount]!;
    this.#headSquares += step * (x - this.#headMean);
    const tailMean = this.#tailMeans[headCount]!;
    const distance = this.#headMean - tailMean;
    const share = headCount * this.#reciprocals[size]!;
    this.mean = tailMean + distance * share;
    const between = distance * distance * (size - headCount) * share;
    const squares = this.#tailSquares[headCount]! + this.#headSquares + between;
    this.variance = squares * this.#reciprocals[size]!;
    if (headCount === size) this.#turnBlock();
    else this.#at = headCount;
  }

  #turnBlock(): void {
    let mean = 0;
    let squares = 0;
    for (let i = this.#size - 1, count = 1; i >= 0; i -= 1, count += 1) {
      const x = this.#block[i]!;
      const step = x - mean;
      mean += step * this.#reciprocals[count]!;
      squares += step * (x - mean);
      this.#tailMeans[i] = mean;
      this.#tailSquares[i] = squares;
    }
    this.#headMean = 0;
    this.#headSquares = 0;
    this.#at = 0;
  }
}
