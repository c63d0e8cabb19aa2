import { readerPath } from './readerPath.ts';
import type { RowColumn, RowSource, RowStage } from './RowStage.ts';

/**
 * The state of one crossing, taken value by value or by columns. Looking ahead it stops at the first row that crosses;
 * rows that it has looked at are not evaluated again when they come.
 */
export class CrossingRows implements RowStage {
  readonly #rising: readonly string[] | undefined;
  readonly #still: readonly string[] | undefined;
  #source: RowSource | undefined;
  #columns: readonly [RowColumn, RowColumn] | undefined;
  #wasBelow = false;
  /** Rows before it are evaluated. */
  #end = 0;
  /** The row that crosses, of those that were looked at; -1 if none does. */
  #found = -1;

  /** @param rising and `still` read the two lines */
  constructor(rising: (value: never) => number, still: (value: never) => number) {
    this.#rising = readerPath(rising);
    this.#still = readerPath(still);
  }

  attach(source: RowSource): void {
    this.#source = source;
  }

  isKnown(): boolean {
    this.#columns ??= this.#findColumns();
    return this.#columns !== undefined;
  }

  next(from: number, to: number): number {
    if (this.#found >= from) return Math.min(this.#found, to);
    if (this.#end < from) this.#end = from;
    if (this.#end < to) this.#look(to);
    return this.#found >= from && this.#found < to ? this.#found : to;
  }

  /** Whether the row that is being delivered crosses, if it was looked at; else undefined. */
  crossesAt(): boolean | undefined {
    const row = this.#source?.rows?.row() ?? -1;
    return row >= 0 && row < this.#end ? row === this.#found : undefined;
  }

  /** @returns whether the next value, of this distance of the two lines, crosses */
  takeDistance(distance: number): boolean {
    if (Number.isNaN(distance)) return false;
    const crosses = this.#wasBelow && distance > 0;
    this.#wasBelow = distance <= 0;
    return crosses;
  }

  #look(to: number): void {
    const [rising, still] = this.#columns!;
    let row = this.#source!.fill(this.#end, to);
    const [a, b] = [rising.values, still.values];
    const [baseA, baseB] = [rising.base, still.base];
    let wasBelow = this.#wasBelow;
    this.#end = to;
    for (; row < to; row++) {
      const distance = a[row - baseA]! - b[row - baseB]!;
      if (wasBelow) {
        if (distance > 0) {
          this.#found = row;
          this.#end = row + 1;
          wasBelow = false;
          break;
        }
      } else if (distance <= 0) wasBelow = true;
    }
    this.#wasBelow = wasBelow;
  }

  #findColumns(): readonly [RowColumn, RowColumn] | undefined {
    const rising = this.#rising && this.#source?.column(this.#rising);
    const still = this.#still && this.#source?.column(this.#still);
    return rising === undefined || still === undefined ? undefined : [rising, still];
  }
}
