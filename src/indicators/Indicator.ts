import type { IndicatorId } from '../contract/index.ts';

/**
 * A running indicator: closed bars in, one value per series out, in constant memory (MKT-4).
 *
 * `next` allocates nothing, and `values` is the same array at every bar: copy what has to outlive the
 * next call. A series is NaN until the bar where its definition has a first value, and never after; the
 * series of one indicator may start at different bars (MACD's line before its signal).
 */
export interface Indicator {
  readonly id: IndicatorId;
  /** The parameters in force, defaults filled in. */
  readonly params: Readonly<Record<string, number>>;
  /** Names of the lines, in the catalogue's order. */
  readonly series: readonly string[];
  /** Closed bars until every series has its first value. */
  readonly barsNeeded: number;
  /** Whether every series has a value; once true, it stays so. */
  readonly ready: boolean;
  /** The current value of each series, in the catalogue's order; NaN before its first. */
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
   * The current value of a series; NaN before its first.
   *
   * @param series may be omitted if the indicator has a single one
   * @throws RangeError when the series doesn't exist, or none is named and there are several
   */
  value(series?: string): number;
  /** Closed bars until this one series has its first value; `series` and errors as in `value`. */
  barsNeededFor(series?: string): number;
}
