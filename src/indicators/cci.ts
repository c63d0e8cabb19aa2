import type { Indicator } from './Indicator.ts';
import { IndicatorKernel, type KernelParams } from './IndicatorKernel.ts';
import { typicalPrice } from './typicalPrice.ts';

/** Lambert's constant, chosen so that most values fall between −100 and 100. */
const SCALE = 0.015;

/** Lambert's commodity channel index over typical prices; a flat window is 0. */
export function cci(params: KernelParams<'cci'>): Indicator {
  return new Cci(params);
}

class Cci extends IndicatorKernel {
  readonly #prices: Float64Array;
  #at = 0;

  constructor(params: KernelParams<'cci'>) {
    super('cci', params, [params.period]);
    this.#prices = new Float64Array(params.period);
  }

  next(_time: number, _open: number, high: number, low: number, close: number): boolean {
    const price = typicalPrice(high, low, close);
    this.#prices[this.#at] = price;
    this.#at = this.#at + 1 === this.#prices.length ? 0 : this.#at + 1;
    this.values[0] = this.#index(price);
    return this.warm();
  }

  /**
   * A mean absolute deviation can't be updated incrementally, so the window is read again. Prices are
   * taken relative to the newest: a flat window gives exact zeros, at whatever price.
   */
  #index(price: number): number {
    const prices = this.#prices;
    const size = prices.length;
    let offset = 0;
    for (let i = 0; i < size; i += 1) offset += prices[i]! - price;
    offset /= size;
    let deviation = 0;
    for (let i = 0; i < size; i += 1) deviation += Math.abs(prices[i]! - price - offset);
    return deviation > 0 ? -offset / (SCALE * (deviation / size)) : 0;
  }
}
