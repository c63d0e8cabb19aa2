import type { IndicatorId } from '../contract/index.ts';

/**
 * One indicator at work: closed bars in, one value per series out, in constant memory (MKT-4).
 *
 * `next` allocates nothing, and `values` is the same array at every bar: copy what has to outlive the
 * next call. Once `ready` it stays so, and no value is ever NaN again.
 */
export interface Indicator {
  readonly id: IndicatorId;
  /** The parameters in force, defaults filled in. */
  readonly params: Readonly<Record<string, number>>;
  /** Names of the lines, in the catalogue's order. */
  readonly series: readonly string[];
  /** Closed bars until every series has its first value. */
  readonly barsNeeded: number;
  readonly ready: boolean;
  /** One value per series, in the catalogue's order; NaN before `ready`. */
  readonly values: Float64Array;
  /**
   * Takes the next closed bar.
   *
   * @param time open time of the bar, epoch milliseconds; only `vwap` reads it
   * @returns `ready`
   */
  next(
    time: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): boolean;
  /**
   * The current value of a series; NaN before `ready`.
   *
   * @param series may be left out where the indicator has a single one
   * @throws RangeError when the series doesn't exist, or none is named and there are several
   */
  value(series?: string): number;
}
