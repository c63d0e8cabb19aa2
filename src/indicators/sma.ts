import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';
import { RollingSum } from './RollingSum.ts';

/** Simple moving average of closes. */
export function sma(params: KernelParams<'sma'>): Indicator {
  return new Sma(params);
}

class Sma extends IndicatorKernel {
  readonly #period: number;
  readonly #sum: RollingSum;

  constructor(params: KernelParams<'sma'>) {
    super('sma', params, [params.period]);
    this.#period = params.period;
    this.#sum = new RollingSum(params.period);
  }

  next(_time: number, _open: number, _high: number, _low: number, close: number): boolean {
    this.values[0] = this.#sum.next(close) / this.#period;
    return this.warm();
  }
}
