import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';
import { RollingMoments } from './RollingMoments.ts';

/** Bollinger bands: the mean of closes, and `std_dev` population deviations above and below it. */
export function bollinger(params: KernelParams<'bollinger'>): Indicator {
  return new Bollinger(params);
}

class Bollinger extends IndicatorKernel {
  readonly #factor: number;
  readonly #moments: RollingMoments;

  constructor(params: KernelParams<'bollinger'>) {
    super('bollinger', params, [params.period, params.period, params.period]);
    this.#factor = params.std_dev;
    this.#moments = new RollingMoments(params.period);
  }

  next(_time: number, _open: number, _high: number, _low: number, close: number): boolean {
    this.#moments.next(close);
    const { mean, variance } = this.#moments;
    const width = this.#factor * Math.sqrt(variance);
    this.values[0] = mean + width;
    this.values[1] = mean;
    this.values[2] = mean - width;
    return this.warm();
  }
}
