/** Rows sorted by time, without those that have none; rows of the same time keep their order. */
export function orderOf(time: Float64Array): Uint32Array {
  const order = Uint32Array.from(time.keys()).filter((row) => Number.isFinite(time[row]));
  const isSorted = order.every(
    (row, index) => index === 0 || time[order[index - 1]!]! <= time[row]!,
  );
  return isSorted ? order : order.sort((a, b) => time[a]! - time[b]! || a - b);
}

export interface Gap {
  /** Of the row after it. */
  index: number;
  missing: number;
}

/**
 * Gaps: missing steps between consecutive times.
 *
 * @param time ascending
 * @param stepBefore the expected distance of the row at this index from the one before
 */
export function findGaps(time: Float64Array, stepBefore: (index: number) => number): Gap[] {
  const gaps: Gap[] = [];
  for (let index = 1; index < time.length; index++) {
    const missing = Math.round((time[index]! - time[index - 1]!) / stepBefore(index)) - 1;
    if (missing > 0) gaps.push({ index, missing });
  }
  return gaps;
}
