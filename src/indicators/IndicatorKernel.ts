import { indicatorEntry, withCode, type IndicatorId, type INDICATORS } from '../contract/index.ts';
import type { Indicator } from './Indicator.ts';

/** An indicator's parameters with every default filled in. */
export type KernelParams<I extends IndicatorId> = {
  readonly [P in keyof (typeof INDICATORS)[I]['params']]: number;
};

/**
 * The common part of the fourteen indicators; each adds its `next`, which writes `values` and ends with
 * `warm`.
 */
export abstract class IndicatorKernel implements Indicator {
  readonly id: IndicatorId;
  readonly params: Readonly<Record<string, number>>;
  readonly series: readonly string[];
  readonly barsNeeded: number;
  readonly values: Float64Array;
  ready = false;
  readonly #firstBars: readonly number[];
  #bars = 0;

  /** @param firstBars the bar, counted from 1, of each series' first value, in the catalogue's order */
  constructor(
    id: IndicatorId,
    params: Readonly<Record<string, number>>,
    firstBars: readonly number[],
  ) {
    this.id = id;
    this.params = params;
    this.series = indicatorEntry(id).series;
    this.barsNeeded = Math.max(...firstBars);
    this.values = new Float64Array(this.series.length).fill(NaN);
    this.#firstBars = firstBars;
  }

  abstract next(
    time: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): boolean;

  value(series?: string): number {
    return this.values[this.#indexOf(series)]!;
  }

  barsNeededFor(series?: string): number {
    return this.#firstBars[this.#indexOf(series)]!;
  }

  /** Ends a bar: during warm-up it resets the values that the definition doesn't have yet. */
  protected warm(): boolean {
    return this.ready || this.#warmUp();
  }

  #warmUp(): boolean {
    this.#bars += 1;
    for (let at = 0; at < this.values.length; at += 1) {
      if (this.#bars < this.#firstBars[at]!) this.values[at] = NaN;
    }
    this.ready = this.#bars >= this.barsNeeded;
    return this.ready;
  }

  #indexOf(series?: string): number {
    const at =
      series === undefined && this.series.length === 1 ? 0 : this.series.indexOf(series ?? '');
    if (at < 0)
      throw withCode(
        'TRIMTAB_INDICATOR_UNKNOWN',
        new RangeError(`Name a series of ${this.id}: ${this.series.join(', ')}.`),
      );
    return at;
  }
}
