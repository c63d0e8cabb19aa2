const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * By how much the heap grew over the second half of a run: caches, code and the history that
 * retention allows have filled up by then.
 *
 * @param heapBytes heap after collection at equal distances over the run
 */
export function heapGrowth(heapBytes: readonly number[]): number {
  const half = Math.floor(heapBytes.length / 2);
  const third = Math.max(1, Math.floor(half / 2));
  return median(heapBytes.slice(-third)) - median(heapBytes.slice(half, half + third));
}
