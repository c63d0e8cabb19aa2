import { createEma, type ExponentialAverage } from './ExponentialAverage.ts';
import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';

/** Exponential moving average of closes, seeded with the mean of the first `period` ones. */
export function ema(params: KernelParams<'ema'>): Indicator {
  return new Ema(params);
}

class Ema extends IndicatorKernel {
  readonly #average: ExponentialAverage;

  constructor(params: KernelParams<'ema'>) {
    super('ema', params, [params.period]);
    this.#average = createEma(params.period);
  }

  next(_time: number, _open: number, _high: number, _low: number, close: number): boolean {
    this.values[0] = this.#average.next(close);
    return this.warm();
  }
}
