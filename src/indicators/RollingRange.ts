/**
 * Highest high and lowest low of the last `size` bars, of fewer at first.
 *
 * Blocks as in {@link RollingSum}: the extremes of every tail of the previous block are found once a
 * block, so a bar costs two comparisons a line whatever the window's size.
 */
export class RollingRange {
  highest = -Infinity;
  lowest = Infinity;
  readonly #size: number;
  readonly #highs: Float64Array;
  readonly #lows: Float64Array;
  readonly #tailHighs: Float64Array;
  readonly #tailLows: Float64Array;
  #headHigh = -Infinity;
  #headLow = Infinity;
  #at = 0;

  constructor(size: number) {
    this.#size = size;
    this.#highs = new Float64Array(size);
    this.#lows = new Float64Array(size);
    this.#tailHighs = new Float64Array(size + 1).fill(-Infinity);
    this.#tailLows = new Float64Array(size + 1).fill(Infinity);
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
    this.highest = Math.max(this.#headHigh, this.#tailHighs[after]!);
    this.lowest = Math.min(this.#headLow, this.#tailLows[after]!);
    if (after === this.#size) this.#turnBlock();
    else this.#at = after;
  }

  #turnBlock(): void {
    let high = -Infinity;
    let low = Infinity;
    for (let i = this.#size - 1; i >= 0; i -= 1) {
      high = Math.max(high, this.#highs[i]!);
      low = Math.min(low, this.#lows[i]!);
      this.#tailHighs[i] = high;
      this.#tailLows[i] = low;
    }
    this.#headHigh = -Infinity;
    this.#headLow = Infinity;
    this.#at = 0;
  }
}
