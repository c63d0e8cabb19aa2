import type { CandleRecord } from '../contract/records.ts';
import type { BarColumns } from '../env/BarSpan.ts';

/** Bars that follow each other: records as they came, or rows of columns. */
type Piece = { records: CandleRecord[]; bars?: undefined } | Rows;

interface Rows {
  bars: BarColumns;
  from: number;
  to: number;
  records?: undefined;
}

const sizeOf = (piece: Piece): number =>
  piece.records === undefined ? piece.to - piece.from : piece.records.length;

/** The newest closed bars, for later listeners. A row of columns costs nothing until somebody asks for it. */
export class RetainedBars {
  readonly #size: number;
  #pieces: Piece[] = [];
  #count = 0;
  /** The last piece, if it is one of rows. */
  #lastRows: Rows | null = null;

  /** @param size bars that are kept at least */
  constructor(size: number) {
    this.#size = size;
  }

  push(bar: CandleRecord): void {
    const last = this.#pieces.at(-1);
    this.#lastRows = null;
    if (last?.records !== undefined) last.records.push(bar);
    else this.#pieces.push({ records: [bar] });
    this.#count++;
    // Trimmed rarely and by half, so that a bar costs no shift of the whole window.
    if (this.#count > 2 * this.#size) this.#trim();
  }

  /** The rows [from, to). */
  pushRows(bars: BarColumns, from: number, to: number): void {
    const last = this.#lastRows;
    if (last?.bars === bars && last.to === from) last.to = to;
    else {
      this.#lastRows = { bars, from, to };
      this.#pieces.push(this.#lastRows);
    }
    this.#count += to - from;
    if (this.#count > 2 * this.#size) this.#trim();
  }

  /** The last of them, oldest first; fewer if there are no more. */
  last(count: number): CandleRecord[] {
    const found: CandleRecord[] = [];
    for (let at = this.#pieces.length - 1; at >= 0 && found.length < count; at--) {
      const piece = this.#pieces[at]!;
      const missing = count - found.length;
      found.unshift(...rowsOf(piece, Math.min(missing, sizeOf(piece))));
    }
    return found;
  }

  clear(): void {
    this.#pieces = [];
    this.#lastRows = null;
    this.#count = 0;
  }

  #trim(): void {
    let dropped = 0;
    let excess = this.#count - this.#size;
    while (sizeOf(this.#pieces[dropped]!) <= excess) excess -= sizeOf(this.#pieces[dropped++]!);
    this.#pieces.splice(0, dropped);
    const first = this.#pieces[0]!;
    if (first.records === undefined) first.from += excess;
    else first.records = first.records.slice(excess);
    this.#count = this.#size;
  }
}

function rowsOf(piece: Piece, count: number): CandleRecord[] {
  if (piece.records !== undefined) return count === 0 ? [] : piece.records.slice(-count);
  const { bars, to } = piece;
  return Array.from({ length: count }, (_none, index) => recordAt(bars, to - count + index));
}

/** The row as the channel `candles` would have sent it. */
export function recordAt(bars: BarColumns, at: number): CandleRecord {
  return {
    time: bars.time[at]!,
    open: bars.open[at]!,
    high: bars.high[at]!,
    low: bars.low[at]!,
    close: bars.close[at]!,
    volume: bars.volume[at]!,
    closed: true,
  };
}
