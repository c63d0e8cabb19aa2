import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';
import { RollingRange } from './RollingRange.ts';
import { RollingSum } from './RollingSum.ts';

/**
 * Stochastic oscillator: `k`, the position of the close in the window's range, 0 to 100, unsmoothed; `d`,
 * the plain mean of the last `d_period` of them. A flat window is 0.
 */
export function stochastic(params: KernelParams<'stochastic'>): Indicator {
  return new Stochastic(params);
}

class Stochastic extends IndicatorKernel {
  readonly #smoothing: number;
  readonly #range: RollingRange;
  readonly #sum: RollingSum;

  constructor(params: KernelParams<'stochastic'>) {
    super('stochastic', params, [params.k_period, params.k_period + params.d_period - 1]);
    this.#smoothing = params.d_period;
    this.#range = new RollingRange(params.k_period);
    this.#sum = new RollingSum(params.d_period);
  }

  next(_time: number, _open: number, high: number, low: number, close: number): boolean {
    this.#range.next(high, low);
    const { highest, lowest } = this.#range;
    const k = highest > lowest ? (100 * (close - lowest)) / (highest - lowest) : 0;
    // Values of the range's own warm-up pass through the sum too; they have left it by the first full
    // one.
    this.values[0] = k;
    this.values[1] = this.#sum.next(k) / this.#smoothing;
    return this.warm();
  }
}
