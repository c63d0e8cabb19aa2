import type { FeedProblem } from './FeedProblem.ts';
import { parseDecimal, textOf } from './parseDecimal.ts';

const COMMA = 0x2c;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

export type CsvFault = { ok: false; problem: FeedProblem };

/**
 * A CSV file row by row, its columns by name. Fields are parsed from the bytes on demand; the formats
 * that are read here have no quoted fields. For a format without a header the columns are passed in.
 */
export class CsvRows {
  readonly header: readonly string[];
  /** Line of the current row; 1 is the header. */
  line = 0;
  readonly #bytes: Uint8Array;
  readonly #file: string;
  #at = 0;
  /** Start and end of the fields of the current row. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  constructor(bytes: Uint8Array, file: string, columns?: readonly string[]) {
    this.#bytes = bytes;
    this.#file = file;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.#at = 3;
    if (columns !== undefined) {
      this.header = columns;
      return;
    }
    this.next();
    this.header = this.#starts.map((_start, field) => columnName(this.text(field)));
  }

  /** Index of the first of these columns that the file has; −1 if it has none. */
  column(...names: string[]): number {
    const name = names.find((each) => this.header.includes(each));
    return name === undefined ? -1 : this.header.indexOf(name);
  }

  /** Advances to the next row; false after the last. Empty lines are skipped. */
  next(): boolean {
    const bytes = this.#bytes;
    while (this.#at < bytes.length) {
      this.#split();
      this.line++;
      if (this.#starts.length > 1 || this.#ends[0]! > this.#starts[0]!) return true;
    }
    return false;
  }

  get fields(): number {
    return this.#starts.length;
  }

  number(field: number): number {
    return parseDecimal(this.#bytes, this.#starts[field]!, this.#ends[field]!);
  }

  text(field: number): string {
    return textOf(this.#bytes, this.#starts[field]!, this.#ends[field]!);
  }

  isEmpty(field: number): boolean {
    return this.#starts[field] === this.#ends[field];
  }

  /** Null if the row has as many fields as the header, else the problem. */
  checkCount(): CsvFault | null {
    const [found, wanted] = [this.fields, this.header.length];
    if (found === wanted) return null;
    const remedy =
      found < wanted
        ? 'Is the file cut off?'
        : 'Write numbers without quotes and thousands separators, and no comma at the end of a row.';
    return this.fault(null, `has ${found} columns, not ${wanted}.`, remedy);
  }

  /** A problem with a field of the current row, or with the whole row. */
  fault(field: number | null, message: string, remedy: string): CsvFault {
    const column = field === null ? null : (this.header[field] ?? null);
    const value = field === null ? null : this.text(field);
    const problem = { file: this.#file, line: this.line, column, value, message, remedy };
    return { ok: false, problem };
  }

  #split(): void {
    const bytes = this.#bytes;
    const { length } = bytes;
    this.#starts.length = 0;
    this.#ends.length = 0;
    let start = this.#at;
    for (let at = start; ; at++) {
      const code = at < length ? bytes[at]! : NEWLINE;
      if (code !== COMMA && code !== NEWLINE) continue;
      const end = code === NEWLINE && at > start && bytes[at - 1] === RETURN ? at - 1 : at;
      this.#starts.push(start);
      this.#ends.push(end);
      start = at + 1;
      if (code === NEWLINE) break;
    }
    this.#at = start;
  }
}

/** A column's name in lower case. OKX's older files add the Chinese name, in another encoding: `price/价格`. */
export function columnName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/\/\P{ASCII}.*$/u, '');
}
