import type { IndicatorId } from '../../contract/index.ts';
import type { Indicator } from '../../indicators/index.ts';
import type { Reading } from '../createReadings.ts';
import { sharedSeries, type IndicatorSeries } from './IndicatorSeries.ts';
import type { BarRows, RowColumn, RowSource, RowStage } from './RowStage.ts';

/** Indicators by the names of their values. */
export type NamedIndicators = ReadonlyArray<readonly [name: string, indicator: Indicator]>;

export function named(names: readonly string[], running: readonly object[]): NamedIndicators {
  return names.map((name, at) => [name, running[at] as Indicator]);
}

/**
 * The indicators of one subscription by columns. Once it was looked ahead for them, their values come from the series of
 * the feed, and the operator's own kernels only show those of the present row.
 */
export class IndicatorRows implements RowStage, RowSource {
  readonly #indicators: NamedIndicators;
  readonly #reading: Reading;
  readonly #behind: RowStage | undefined;
  #source: RowSource | undefined;
  #series: readonly IndicatorSeries[] | undefined;
  /** The row whose values the kernels show. */
  #shown = -1;

  /** @param behind the stage of who receives its values; undefined if it isn't known */
  constructor(indicators: NamedIndicators, reading: Reading, behind: RowStage | undefined) {
    this.#indicators = indicators;
    this.#reading = reading;
    this.#behind = behind;
    behind?.attach(this);
  }

  attach(source: RowSource): void {
    this.#source = source;
  }

  get isLast(): boolean {
    return this.#behind === undefined;
  }

  get rows(): BarRows | undefined {
    return this.#source?.rows;
  }

  /** Whether the values come from series, and no longer from the operator's own kernels. */
  get isAhead(): boolean {
    return this.#series !== undefined;
  }

  isKnown(): boolean {
    // Only bars themselves are what an indicator takes.
    if (this.#behind === undefined || this.#source !== this.#source?.rows) return false;
    this.#series ??= this.#openSeries();
    return this.#behind.isKnown();
  }

  next(from: number, to: number): number {
    return this.#behind!.next(from, to);
  }

  column([name, line, ...beyond]: readonly string[]): RowColumn | undefined {
    // Of a number nothing more is read.
    if (beyond.length > 0) return undefined;
    if (name === 'bar') return line === undefined ? undefined : this.#source!.column([line]);
    const at = this.#indicators.findIndex(([own]) => own === name);
    if (at < 0) return undefined;
    const { series } = this.#indicators[at]![1];
    if (series.length === 1) return line === undefined ? this.#series![at]!.columns[0] : undefined;
    return this.#series![at]!.columns[series.indexOf(line!)];
  }

  fill(from: number, to: number): number {
    let first = from;
    const present = Math.min(from, this.rows!.row());
    for (const series of this.#series!) {
      series.fill(present, to);
      if (series.readyRow > first) first = series.readyRow;
    }
    return first < to ? first : to;
  }

  /**
   * Makes the kernels show the values of the row that is being delivered.
   *
   * @returns whether every one is ready
   */
  load(): boolean {
    return this.#load(this.rows!.row());
  }

  #load(row: number): boolean {
    if (row !== this.#shown) {
      if (this.fill(row, row + 1) > row) return false;
      for (const [at, [, { values }]] of this.#indicators.entries()) {
        const { columns } = this.#series![at]!;
        for (let line = 0; line < columns.length; line++) {
          const { values: column, base } = columns[line]!;
          values[line] = column[row - base]!;
        }
      }
      this.#shown = row;
    }
    return true;
  }

  #openSeries(): readonly IndicatorSeries[] {
    const rows = this.rows!;
    const { bars, first } = rows;
    this.#reading.refresh = () => {
      rows.spans?.bringUp();
      const row = rows.row();
      if (row !== this.#shown && this.#load(row)) this.#reading.at(rows.toBar(bars!, row));
    };
    return this.#indicators.map(([, { id, params }]) =>
      sharedSeries(bars!, { indicator: id as IndicatorId, params, first }),
    );
  }
}
