import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';

/**
 * Wilder's parabolic stop and reverse. The first direction is down when the second bar's low falls by
 * more than its high rises, else up, and the first stop is the first bar's far extreme (as TA-Lib).
 */
export function psar(params: KernelParams<'psar'>): Indicator {
  return new Psar(params);
}

class Psar extends IndicatorKernel {
  readonly #step: number;
  readonly #max: number;
  #rising = true;
  #acceleration: number;
  /** The highest high of a rise, or the lowest low of a fall, since the last reversal. */
  #extreme = NaN;
  /** The stop for the coming bar. */
  #stop = NaN;
  #previousHigh = NaN;
  #previousLow = NaN;

  constructor(params: KernelParams<'psar'>) {
    super('psar', params, [2]);
    this.#max = params.max;
    this.#step = Math.min(params.step, params.max);
    this.#acceleration = this.#step;
  }

  next(_time: number, _open: number, high: number, low: number): boolean {
    const first = Number.isNaN(this.#previousHigh);
    if (!first) {
      if (!this.ready) this.#start(high, low);
      this.values[0] = this.#rising ? this.#rise(high, low) : this.#fall(high, low);
    }
    this.#previousHigh = high;
    this.#previousLow = low;
    return this.warm();
  }

  #start(high: number, low: number): void {
    const fallen = this.#previousLow - low;
    this.#rising = !(fallen > 0 && fallen > high - this.#previousHigh);
    this.#extreme = this.#rising ? high : low;
    this.#stop = this.#rising ? this.#previousLow : this.#previousHigh;
    // The second bar is its own predecessor, so that its stop isn't held back by the first bar.
    this.#previousHigh = high;
    this.#previousLow = low;
  }

  #rise(high: number, low: number): number {
    if (low <= this.#stop) return this.#reverseToFall(high, low);
    const stop = this.#stop;
    if (high > this.#extreme) this.#extend(high);
    this.#stop = Math.min(this.#projected(stop), this.#previousLow, low);
    return stop;
  }

  #fall(high: number, low: number): number {
    if (high >= this.#stop) return this.#reverseToRise(high, low);
    const stop = this.#stop;
    if (low < this.#extreme) this.#extend(low);
    this.#stop = Math.max(this.#projected(stop), this.#previousHigh, high);
    return stop;
  }

  #reverseToFall(high: number, low: number): number {
    const stop = Math.max(this.#extreme, high);
    this.#reverse(low);
    this.#stop = Math.max(this.#projected(stop), this.#previousHigh, high);
    return stop;
  }

  #reverseToRise(high: number, low: number): number {
    const stop = Math.min(this.#extreme, low);
    this.#reverse(high);
    this.#stop = Math.min(this.#projected(stop), this.#previousLow, low);
    return stop;
  }

  #extend(extreme: number): void {
    this.#extreme = extreme;
    this.#acceleration = Math.min(this.#acceleration + this.#step, this.#max);
  }

  #reverse(extreme: number): void {
    this.#rising = !this.#rising;
    this.#extreme = extreme;
    this.#acceleration = this.#step;
  }

  #projected(stop: number): number {
    return stop + this.#acceleration * (this.#extreme - stop);
  }
}
