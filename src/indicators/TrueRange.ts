/** The true range of each bar; NaN for the first, which has no close before it. */
export class TrueRange {
  #previousClose = NaN;

  next(high: number, low: number, close: number): number {
    const previous = this.#previousClose;
    this.#previousClose = close;
    return Math.max(high - low, Math.abs(high - previous), Math.abs(low - previous));
  }
}
