import { crc32 } from 'node:zlib';
import type { SQLInputValue } from 'node:sqlite';
import { FIGURES, isRun, type PointFigures, type PointResult } from '../PointResult.ts';
import { shownValue } from '../ParamRange.ts';
import type { SweepJob } from '../SweepPlan.ts';
import type { PointOutline } from './SweepResults.ts';

/** A row of `points`, as SQLite returns it. */
export type PointRow = Record<string, unknown>;

/** The cells of a row in the order of its columns, the checksum last. */
export type PointCells = readonly SQLInputValue[];

/** Names of the columns for these parameters, in the order of {@link cellsOf}. */
export function columnsOf(params: readonly { name: string }[]): string[] {
  const own = params.map(({ name }) => `param_${name}`);
  return ['job', 'window', 'part', ...own, 'fault', ...FIGURES, ...CURVES, CHECKSUM];
}

/** 64-bit floats, little-endian, one after another. */
export const CURVES = ['daily_returns', 'edge_returns', 'trade_pnls'] as const;
const CHECKSUM = 'crc32';

export function cellsOf(job: SweepJob, result: PointResult): PointCells {
  const head = [job.index, job.window, job.part, ...job.values.map(typed)];
  const body = isRun(result)
    ? [
        null,
        ...FIGURES.map((name) => storable(result.figures[name])),
        bytesOf(result.returns),
        bytesOf(result.edges),
        bytesOf(result.trades),
      ]
    : [result.fault, ...FIGURES.map(() => null), ...CURVES.map(() => null)];
  const cells = [...head, ...body];
  return [...cells, checksumOf(cells)];
}

/** A file has no NaN, and zero without a sign. */
function storable(figure: number | string | null): SQLInputValue {
  if (typeof figure !== 'number') return figure;
  return Number.isNaN(figure) ? null : figure + 0;
}

/** The cells of a row that was read, or null if its checksum is not that of its content. */
export function verifiedCells(row: PointRow, columns: readonly string[]): PointCells | null {
  const cells = columns.map((name) => row[name] as SQLInputValue);
  return checksumOf(cells.slice(0, -1)) === cells.at(-1) ? cells : null;
}

/** Covers what SQLite's own check does not: a bit that changed inside of a cell. */
function checksumOf(cells: readonly SQLInputValue[]): number {
  const plain = cells.filter((cell) => !ArrayBuffer.isView(cell));
  const start = crc32(JSON.stringify(plain));
  return cells.reduce<number>(
    (sum, cell) => (ArrayBuffer.isView(cell) ? crc32(cell as Uint8Array, sum) : sum),
    start,
  );
}

/** Whether two rows hold the same result. */
export const isSameRow = (a: PointCells, b: PointCells): boolean =>
  a.length === b.length &&
  a.every((cell, at) => {
    const other = b[at];
    if (!ArrayBuffer.isView(cell) || !ArrayBuffer.isView(other)) return Object.is(cell, other);
    return Buffer.compare(cell as Uint8Array, other as Uint8Array) === 0;
  });

export function resultOf(row: PointRow): PointResult {
  const index = Number(row['job']);
  if (typeof row['fault'] === 'string') return { index, fault: row['fault'] };
  const [head = 0, tail = 0] = floatsOf(row['edge_returns']);
  return {
    index,
    figures: figuresOf(row),
    returns: [...floatsOf(row['daily_returns'])],
    edges: [head, tail],
    trades: [...floatsOf(row['trade_pnls'])],
  };
}

export function outlineOf(row: PointRow): PointOutline {
  const index = Number(row['job']);
  if (typeof row['fault'] === 'string') return { index, fault: row['fault'] };
  return { index, figures: figuresOf(row), days: Number(row['days_of_returns']) };
}

const figuresOf = (row: PointRow): PointFigures =>
  Object.fromEntries(FIGURES.map((name) => [name, row[name]])) as unknown as PointFigures;

const bytesOf = (values: readonly number[]): Uint8Array =>
  new Uint8Array(Float64Array.from(values).buffer);

/** A column's floats, without a copy where its memory is aligned. */
export function floatsOf(cell: unknown): Float64Array {
  const { buffer, byteOffset, byteLength } = cell as Uint8Array<ArrayBuffer>;
  const count = Math.floor(byteLength / Float64Array.BYTES_PER_ELEMENT);
  if (byteOffset % Float64Array.BYTES_PER_ELEMENT === 0) {
    return new Float64Array(buffer, byteOffset, count);
  }
  return new Float64Array(Uint8Array.from(cell as Uint8Array).buffer, 0, count);
}

/** A number if the value is one, so that it sorts and compares as such; a text in quotes stays a text. */
function typed(given: string): SQLInputValue {
  const value = shownValue(given);
  if (value !== given) return value;
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}
