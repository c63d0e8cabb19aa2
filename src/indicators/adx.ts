import { createWilder, type ExponentialAverage } from './ExponentialAverage.ts';
import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';
import { TrueRange } from './TrueRange.ts';

/**
 * Wilder's average directional index with its two directional indicators, each 0 to 100; a window
 * without range or without direction is 0. Every average starts with the mean of its first `period`
 * values, as Wilder and TradingView do; TA-Lib seeds the movements with one less, which shows for about
 * 150 bars.
 */
export function adx(params: KernelParams<'adx'>): Indicator {
  return new Adx(params);
}

class Adx extends IndicatorKernel {
  readonly #trueRange = new TrueRange();
  readonly #range: ExponentialAverage;
  readonly #plus: ExponentialAverage;
  readonly #minus: ExponentialAverage;
  readonly #average: ExponentialAverage;
  #previousHigh = NaN;
  #previousLow = NaN;

  constructor(params: KernelParams<'adx'>) {
    super('adx', params, [2 * params.period, params.period + 1, params.period + 1]);
    this.#range = createWilder(params.period);
    this.#plus = createWilder(params.period);
    this.#minus = createWilder(params.period);
    this.#average = createWilder(params.period);
  }

  next(_time: number, _open: number, high: number, low: number, close: number): boolean {
    const trueRange = this.#trueRange.next(high, low, close);
    const up = high - this.#previousHigh;
    const down = this.#previousLow - low;
    this.#previousHigh = high;
    this.#previousLow = low;
    if (!Number.isNaN(trueRange)) this.#move(trueRange, up, down);
    return this.warm();
  }

  #move(trueRange: number, up: number, down: number): void {
    const range = this.#range.next(trueRange);
    const plus = this.#plus.next(up > down && up > 0 ? up : 0);
    const minus = this.#minus.next(down > up && down > 0 ? down : 0);
    if (Number.isNaN(range)) return;
    const moved = plus + minus;
    this.values[0] = this.#average.next(moved > 0 ? (100 * Math.abs(plus - minus)) / moved : 0);
    this.values[1] = range > 0 ? (100 * plus) / range : 0;
    this.values[2] = range > 0 ? (100 * minus) / range : 0;
  }
}
