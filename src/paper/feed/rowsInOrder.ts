import type { BookRows } from './Tape.ts';

/** Sorts rows by time; those of the same millisecond keep their order. */
export function rowsInOrder({ time, depth, cells }: Omit<BookRows, 'kind'>): BookRows {
  if (time.every((at, index) => index === 0 || at >= time[index - 1]!)) {
    return { kind: 'rows', time, depth, cells };
  }
  const width = depth * 4;
  const order = Array.from(time.keys()).sort((a, b) => time[a]! - time[b]! || a - b);
  const sorted = new Float64Array(cells.length);
  for (const [to, from] of order.entries()) {
    sorted.set(cells.subarray(from * width, (from + 1) * width), to * width);
  }
  const times = Float64Array.from(order, (index) => time[index]!);
  return { kind: 'rows', time: times, depth, cells: sorted };
}
