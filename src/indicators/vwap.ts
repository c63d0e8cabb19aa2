import { INTERVAL_MS } from '../contract/index.ts';
import type { Indicator } from './Indicator.ts';
import { IndicatorKernel } from './IndicatorKernel.ts';
import { typicalPrice } from './typicalPrice.ts';

/**
 * Volume-weighted average of typical prices since 00:00 UTC of the bar's day.
 *
 * Until something has been traded that day there is no weight, and the value is the bar's own typical
 * price: a valid level, which the first traded bar continues. The day of the first bar counts from that bar on, as
 * the published values do: what was traded before it is not known.
 */
export function vwap(): Indicator {
  return new Vwap();
}

class Vwap extends IndicatorKernel {
  #day = NaN;
  #turnover = 0;
  #volume = 0;

  constructor() {
    super('vwap', {}, [1]);
  }

  next(
    time: number,
    _open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): boolean {
    const day = Math.floor(time / INTERVAL_MS['1d']);
    if (day !== this.#day) this.#startDay(day);
    const price = typicalPrice(high, low, close);
    this.#turnover += price * volume;
    this.#volume += volume;
    this.values[0] = this.#volume > 0 ? this.#turnover / this.#volume : price;
    return this.warm();
  }

  #startDay(day: number): void {
    this.#day = day;
    this.#turnover = 0;
    this.#volume = 0;
  }
}
