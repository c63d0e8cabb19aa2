import { createWilder, type ExponentialAverage } from './ExponentialAverage.ts';
import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';
import { TrueRange } from './TrueRange.ts';

/** Wilder's average true range. The first bar has no true range and is left out. */
export function atr(params: KernelParams<'atr'>): Indicator {
  return new Atr(params);
}

class Atr extends IndicatorKernel {
  readonly #trueRange = new TrueRange();
  readonly #average: ExponentialAverage;

  constructor(params: KernelParams<'atr'>) {
    super('atr', params, [params.period + 1]);
    this.#average = createWilder(params.period);
  }

  next(_time: number, _open: number, high: number, low: number, close: number): boolean {
    const trueRange = this.#trueRange.next(high, low, close);
    if (!Number.isNaN(trueRange)) this.values[0] = this.#average.next(trueRange);
    return this.warm();
  }
}
