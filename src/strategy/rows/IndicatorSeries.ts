import type { BarColumns } from '../../env/index.ts';
import { createIndicator, type Indicator } from '../../indicators/index.ts';
import type { IndicatorId } from '../../contract/index.ts';
import type { RowColumn } from './RowStage.ts';

/** Rows that are kept. A span has at most half as many, and whoever reads the same series stands within a span. */
const ROOM = 16_384;
/** Rows before the present one that stay readable. */
const BEHIND = 1_024;
/** More are computed at once than are asked for. */
const CHUNK = 1_024;

/** The values of an indicator of the catalogue over the rows of a feed, computed once for all who read it. */
export class IndicatorSeries {
  readonly columns: ReadonlyArray<RowColumn & { base: number }>;
  readonly #bars: BarColumns;
  readonly #start: () => Indicator;
  readonly #first: number;
  #kernel: Indicator;
  /** Rows from `columns.base` up to here are computed. */
  #end: number;
  #ready = Infinity;

  /** @param first row of the first bar that the indicator takes */
  constructor(bars: BarColumns, first: number, start: () => Indicator) {
    this.#bars = bars;
    this.#start = start;
    this.#first = first;
    this.#kernel = start();
    this.#end = first;
    this.columns = this.#kernel.series.map(() => ({ values: new Float64Array(ROOM), base: first }));
  }

  /** The first row at which every line has a value; Infinity until it was computed. */
  get readyRow(): number {
    return this.#ready;
  }

  /** Makes the rows [from, to) readable, of which there are at most half the room; `from` is where its readers stand. */
  fill(from: number, to: number): void {
    const base = this.columns[0]!.base;
    if (from < base) this.#startOver();
    if (to <= this.#end) return;
    const rows = this.#bars.time.length;
    const end = Math.min(Math.max(to, this.#end + CHUNK), rows);
    while (this.#end < end) {
      const chunkEnd = Math.min(end, this.#end + CHUNK);
      if (chunkEnd - this.columns[0]!.base > ROOM) this.#moveTo(Math.min(from, this.#end) - BEHIND);
      this.#compute(chunkEnd);
    }
  }

  #compute(end: number): void {
    const { time, open, high, low, close, volume } = this.#bars;
    const kernel = this.#kernel;
    const { values } = kernel;
    const { columns } = this;
    const { base } = columns[0]!;
    const lines = columns.length;
    const first = columns[0]!.values;
    for (let row = this.#end; row < end; row++) {
      const isReady = kernel.next(
        time[row]!,
        open[row]!,
        high[row]!,
        low[row]!,
        close[row]!,
        volume[row]!,
      );
      if (isReady && this.#ready === Infinity) this.#ready = row;
      first[row - base] = values[0]!;
      for (let line = 1; line < lines; line++) columns[line]!.values[row - base] = values[line]!;
    }
    this.#end = end;
  }

  /** Drops the rows before one. */
  #moveTo(row: number): void {
    const { base } = this.columns[0]!;
    if (row <= base) return;
    for (const column of this.columns) {
      column.values.copyWithin(0, row - base, Math.max(this.#end - base, row - base));
      column.base = row;
    }
  }

  /** A reader that stands far behind the others: rare, and exact all the same. */
  #startOver(): void {
    this.#kernel = this.#start();
    this.#end = this.#first;
    this.#ready = Infinity;
    for (const column of this.columns) column.base = this.#first;
  }
}

/** By the rows of a run: two readers share a series if its first bar and its parameters agree. */
const known = new WeakMap<BarColumns, Map<string, IndicatorSeries>>();

export interface SeriesKey {
  indicator: IndicatorId;
  params: Readonly<Record<string, number>>;
  /** Row of the first bar. */
  first: number;
}

export function sharedSeries(bars: BarColumns, key: SeriesKey): IndicatorSeries {
  const ofBars = known.get(bars) ?? new Map<string, IndicatorSeries>();
  known.set(bars, ofBars);
  const { indicator, params, first } = key;
  const name = JSON.stringify([indicator, params, first]);
  const found = ofBars.get(name);
  if (found !== undefined) return found;
  const series = new IndicatorSeries(bars, first, () => createIndicator(indicator, params));
  ofBars.set(name, series);
  return series;
}
