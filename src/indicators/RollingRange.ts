/**
 * Highest high and lowest low of the last `size` bars; of fewer at first.
 *
 * Blocks as in {@link RollingSum}: the extremes of every tail of the previous block are found once a
 * block, so a bar costs two comparisons per line for any window size.
 */
export class RollingRange {
  highest = -Infinity;
  lowest = Infinity;
  readonly #size: number;
  /** As in RollingSum: values of the current block, then extremes of the previous block's tails. */
  readonly #highs: Float64Array;
  readonly #lows: Float64Array;
  #headHigh = -Infinity;
  #headLow = Infinity;
  #at = 0;

  constructor(size: number) {
    this.#size = size;
    this.#highs = new Float64Array(size + 1).fill(-Infinity);
    this.#lows = new Float64Array(size + 1).fill(Infinity);
  }

  /** Halfway between the two extremes, as Ichimoku's lines are drawn. */
  get middle(): number {
    return (this.highest + this.lowest) / 2;
  }

  next(high: number, low: number): void {
    const after = this.#at + 1;
    this.#highs[this.#at] = high;
    this.#lows[this.#at] = low;
    if (high > this.#headHigh) this.#headHigh = high;
    if (low < this.#headLow) this.#headLow = low;
    this.highest = Math.max(this.#headHigh, this.#highs[after]!);
    this.lowest = Math.min(this.#headLow, this.#lows[after]!);
    if (after === this.#size) this.#turnBlock();
    else this.#at = after;
  }

  #turnBlock(): void {
    const highs = this.#highs;
    const lows = this.#lows;
    for (let i = this.#size - 2; i >= 0; i -= 1) {
      highs[i] = Math.max(highs[i]!, highs[i + 1]!);
      lows[i] = Math.min(lows[i]!, lows[i + 1]!);
    }
    this.#headHigh = -Infinity;
    this.#headLow = Infinity;
    this.#at = 0;
  }
}
