import { indicatorEntry, type IndicatorId, type INDICATORS } from '../contract/index.ts';
import type { Indicator } from './Indicator.ts';

/** An indicator's parameters with every default filled in. */
export type KernelParams<I extends IndicatorId> = {
  readonly [P in keyof (typeof INDICATORS)[I]['params']]: number;
};

/** What the fourteen have in common; each adds its `next`, which fills `values` once it is `ready`. */
export abstract class IndicatorKernel implements Indicator {
  readonly id: IndicatorId;
  readonly params: Readonly<Record<string, number>>;
  readonly series: readonly string[];
  readonly barsNeeded: number;
  readonly values: Float64Array;
  ready = false;
  #bars = 0;

  constructor(id: IndicatorId, params: Readonly<Record<string, number>>, barsNeeded: number) {
    this.id = id;
    this.params = params;
    this.series = indicatorEntry(id).series;
    this.barsNeeded = barsNeeded;
    this.values = new Float64Array(this.series.length).fill(NaN);
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
    const name = series ?? (this.series.length === 1 ? this.series[0]! : '');
    const at = this.series.indexOf(name);
    if (at < 0) throw new RangeError(`Name a series of ${this.id}: ${this.series.join(', ')}.`);
    return this.values[at]!;
  }

  /** Counts one bar of the warm-up; true from the bar on that completes it. */
  protected counted(): boolean {
    if (this.ready) return true;
    this.#bars += 1;
    this.ready = this.#bars >= this.barsNeeded;
    return this.ready;
  }
}
