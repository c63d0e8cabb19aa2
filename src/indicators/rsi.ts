import { createWilder, type ExponentialAverage } from './ExponentialAverage.ts';
import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';

/** Wilder's relative strength index, 0 to 100; 100 if there was no loss, a flat market included. */
export function rsi(params: KernelParams<'rsi'>): Indicator {
  return new Rsi(params);
}

class Rsi extends IndicatorKernel {
  readonly #gains: ExponentialAverage;
  readonly #losses: ExponentialAverage;
  #previousClose = NaN;

  constructor(params: KernelParams<'rsi'>) {
    super('rsi', params, [params.period + 1]);
    this.#gains = createWilder(params.period);
    this.#losses = createWilder(params.period);
  }

  next(_time: number, _open: number, _high: number, _low: number, close: number): boolean {
    const change = close - this.#previousClose;
    this.#previousClose = close;
    if (Number.isNaN(change)) return this.warm();
    const gain = this.#gains.next(change > 0 ? change : 0);
    const loss = this.#losses.next(change < 0 ? -change : 0);
    this.values[0] = loss === 0 ? 100 : (100 * gain) / (gain + loss);
    return this.warm();
  }
}
