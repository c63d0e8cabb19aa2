import { fileFault, type FeedResult } from '../../src/paper/index.ts';

type Columns = Record<string, Float64Array>;

/** Validated rows of one file: ascending. */
export interface Part<C> {
  file: string;
  line: Float64Array;
  /** As in the rows of a file. */
  written?: ReadonlyMap<string, string>;
  columns: C;
}

/**
 * Rows of several files in the order of their times, whatever order the files were named in. A row that
 * is in two files (a month and its days) counts once; two that differ are refused.
 */
export function joinRows<C extends { time: Float64Array }>(
  parts: ReadonlyArray<Part<C>>,
): FeedResult<{ columns: C; repeated: number }> {
  if (parts.length === 1) return { ok: true, value: { columns: parts[0]!.columns, repeated: 0 } };
  const names = Object.keys(parts[0]!.columns);
  const all = concat(parts, names);
  const time = all.columns['time']!;
  // The files are almost always consecutive, so nothing has to be sorted.
  const order = Uint32Array.from(time.keys());
  if (time.some((at, row) => row > 0 && at <= time[row - 1]!)) {
    order.sort((a, b) => time[a]! - time[b]! || a - b);
  }
  const unique = new Uint32Array(order.length);
  let count = 0;
  for (const row of order) {
    const before = unique[count - 1];
    if (count === 0 || time[row] !== time[before!]) unique[count++] = row;
    else if (names.some((name) => all.columns[name]![row] !== all.columns[name]![before!])) {
      const [one, other] = [all.placeOf(before!), all.placeOf(row)];
      const what = `differs from ${one.file}:${one.line}, which has the same time.`;
      return fileFault(other.file, what, 'Leave one of the files out.', other.line);
    }
  }
  const rows = unique.subarray(0, count);
  const columns = names.map((name) => [
    name,
    Float64Array.from(rows, (row) => all.columns[name]![row]!),
  ]);
  const repeated = order.length - count;
  return { ok: true, value: { columns: Object.fromEntries(columns) as unknown as C, repeated } };
}

function concat<C extends { time: Float64Array }>(
  parts: ReadonlyArray<Part<C>>,
  names: readonly string[],
) {
  const starts: number[] = [];
  let rows = 0;
  for (const { line } of parts) {
    starts.push(rows);
    rows += line.length;
  }
  const columns: Columns = {};
  for (const name of names) {
    columns[name] = new Float64Array(rows);
    for (const [index, part] of parts.entries()) {
      columns[name].set((part.columns as unknown as Columns)[name]!, starts[index]);
    }
  }
  const placeOf = (row: number): { file: string; line: number } => {
    const index = starts.findLastIndex((start) => start <= row);
    return { file: parts[index]!.file, line: parts[index]!.line[row - starts[index]!]! };
  };
  return { columns, placeOf };
}
