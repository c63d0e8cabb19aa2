import { NumberColumn } from '../../src/paper/index.ts';

/** Columns by name that grow row by row, and the line that each row came from. */
export class RowColumns<Name extends string> {
  readonly #names: readonly Name[];
  readonly #columns: Record<Name, NumberColumn>;
  readonly #lines = new NumberColumn();

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#columns = Object.fromEntries(names.map((name) => [name, new NumberColumn()])) as Record<
      Name,
      NumberColumn
    >;
  }

  get rows(): number {
    return this.#lines.length;
  }

  push(line: number, values: Readonly<Record<Name, number>>): void {
    this.#lines.push(line);
    for (const name of this.#names) this.#columns[name].push(values[name]);
  }

  toArrays(): { line: Float64Array; columns: Record<Name, Float64Array> } {
    const arrays = this.#names.map((name) => [name, this.#columns[name].toArray()]);
    return {
      line: this.#lines.toArray(),
      columns: Object.fromEntries(arrays) as Record<Name, Float64Array>,
    };
  }
}

export const BAR_COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;
export const FUNDING_COLUMNS = ['time', 'rate'] as const;

export type ShownColumn = (typeof BAR_COLUMNS)[number] | (typeof FUNDING_COLUMNS)[number];
/** The displayed name of a column. */
export const SHOWN: Readonly<Record<ShownColumn, string>> = {
  time: 'timestamp',
  open: 'open',
  high: 'high',
  low: 'low',
  close: 'close',
  volume: 'volume',
  rate: 'funding_rate',
};
