import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';
import { RollingWeightedSum } from './RollingWeightedSum.ts';

/** Weighted moving average of closes: weight 1 for the oldest to `period` for the newest. */
export function wma(params: KernelParams<'wma'>): Indicator {
  return new Wma(params);
}

class Wma extends IndicatorKernel {
  readonly #weights: number;
  readonly #sum: RollingWeightedSum;

  constructor(params: KernelParams<'wma'>) {
    super('wma', params, [params.period]);
    this.#weights = (params.period * (params.period + 1)) / 2;
    this.#sum = new RollingWeightedSum(params.period);
  }

  next(_time: number, _open: number, _high: number, _low: number, close: number): boolean {
    this.values[0] = this.#sum.next(close) / this.#weights;
    return this.warm();
  }
}
