/**
 * A recursive average that starts with the plain mean of its first `period` numbers, as TA-Lib and
 * TradingView start theirs; NaN before.
 */
export class ExponentialAverage {
  value = NaN;
  readonly #period: number;
  readonly #weight: number;
  #count = 0;
  #sum = 0;

  /** @param weight of the newest number: 2/(period + 1) for an EMA, 1/period for Wilder's average */
  constructor(period: number, weight: number) {
    this.#period = period;
    this.#weight = weight;
  }

  next(x: number): number {
    if (this.#count === this.#period) this.value += (x - this.value) * this.#weight;
    else this.#seed(x);
    return this.value;
  }

  #seed(x: number): void {
    this.#count += 1;
    this.#sum += x;
    if (this.#count === this.#period) this.value = this.#sum / this.#period;
  }
}

/** The exponential moving average of the last numbers. */
export function createEma(period: number): ExponentialAverage {
  return new ExponentialAverage(period, 2 / (period + 1));
}

/** Wilder's smoothing, which RSI, ATR and ADX share. */
export function createWilder(period: number): ExponentialAverage {
  return new ExponentialAverage(period, 1 / period);
}
