/** Number of values in each of equally wide bins. */
export interface Histogram {
  /** Lower edge of the first bin, and the width of each. */
  from: number;
  width: number;
  counts: number[];
}

/**
 * Counts values in bins from the smallest to the largest; the last bin includes its upper edge: `numpy.histogram`. Equal
 * values are in one bin of width zero; null of none.
 */
export function histogram(values: readonly number[], bins: number): Histogram | null {
  if (values.length === 0) return null;
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (low === high) return { from: low, width: 0, counts: [values.length] };
  const counts = Array<number>(bins).fill(0);
  for (const value of values) {
    counts[Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))]! += 1;
  }
  return { from: low, width: (high - low) / bins, counts };
}
