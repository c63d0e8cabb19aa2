import { createEma, createWilder, type ExponentialAverage } from './ExponentialAverage.ts';
import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';
import { TrueRange } from './TrueRange.ts';

/** Keltner channel: the EMA of closes, and `mult` average true ranges above and below it. */
export function keltner(params: KernelParams<'keltner'>): Indicator {
  return new Keltner(params);
}

class Keltner extends IndicatorKernel {
  readonly #factor: number;
  readonly #middle: ExponentialAverage;
  readonly #trueRange = new TrueRange();
  readonly #range: ExponentialAverage;

  constructor(params: KernelParams<'keltner'>) {
    const firstBand = Math.max(params.period, params.atr_period + 1);
    super('keltner', params, [firstBand, params.period, firstBand]);
    this.#factor = params.mult;
    this.#middle = createEma(params.period);
    this.#range = createWilder(params.atr_period);
  }

  next(_time: number, _open: number, high: number, low: number, close: number): boolean {
    const middle = this.#middle.next(close);
    const trueRange = this.#trueRange.next(high, low, close);
    const range = Number.isNaN(trueRange) ? NaN : this.#range.next(trueRange);
    const width = this.#factor * range;
    this.values[0] = middle + width;
    this.values[1] = middle;
    this.values[2] = middle - width;
    return this.warm();
  }
}
