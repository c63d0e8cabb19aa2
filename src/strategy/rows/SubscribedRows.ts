import type { Interval } from '../../contract/index.ts';
import type { BarColumns, SpanControl } from '../../env/index.ts';
import type { ClosedBar } from '../Bar.ts';
import type { BarRows, RowColumn, RowSource } from './RowStage.ts';

const PRICES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
type Price = (typeof PRICES)[number];

/** Which row of its columns a subscription to bars stands at, whether a bar comes as an event or as a row. */
export class SubscribedRows implements BarRows, RowSource {
  bars: BarColumns | null = null;
  first = -1;
  readonly spans: SpanControl | undefined;
  readonly #symbol: string;
  readonly #interval: Interval;
  #row = -1;
  /** Bars that came before the first row. */
  #given = 0;
  #firstTime = NaN;
  /** The bars before the first row are no rows of the columns. */
  #isForeign = false;

  constructor(symbol: string, interval: Interval, spans?: SpanControl) {
    this.#symbol = symbol;
    this.#interval = interval;
    this.spans = spans;
  }

  get rows(): BarRows {
    return this;
  }

  /** A bar came as an event: the next row, once rows are known. */
  takeBar({ time }: ClosedBar): void {
    if (this.bars === null) {
      if (this.#given++ === 0) this.#firstTime = time;
      return;
    }
    // A service in the same process closes each bar of its feed once, and in order.
    this.#row += 1;
  }

  /**
   * The row is the next one.
   *
   * @returns whether it is known which row each bar of the subscription is
   */
  begin(bars: BarColumns, row: number): boolean {
    if (this.bars === bars) return true;
    if (this.#isForeign) return false;
    const first = row - this.#given;
    if (this.#given > 0 && bars.time[first] !== this.#firstTime) {
      this.#isForeign = true;
      return false;
    }
    this.bars = bars;
    this.first = first;
    this.#row = row - 1;
    return true;
  }

  /** The rows until this one are the past. */
  moveTo(row: number): void {
    if (this.bars !== null) this.#row = row;
  }

  row(): number {
    return this.#row;
  }

  /** A row as the bar that a plugin gets. */
  toBar(bars: BarColumns, row: number): ClosedBar {
    return {
      symbol: this.#symbol,
      interval: this.#interval,
      time: bars.time[row]!,
      open: bars.open[row]!,
      high: bars.high[row]!,
      low: bars.low[row]!,
      close: bars.close[row]!,
      volume: bars.volume[row]!,
      closed: true,
    };
  }

  column(path: readonly string[]): RowColumn | undefined {
    const [name, ...rest] = path;
    if (this.bars === null || rest.length > 0 || !PRICES.includes(name as Price)) return undefined;
    return { values: this.bars[name as Price], base: 0 };
  }

  fill(from: number): number {
    return from;
  }
}
