/**
 * Quantile with linear interpolation between the two nearest ranks, at (n − 1) × share of the sorted values: the default
 * of NumPy and pandas (Hyndman and Fan's type 7). NaN of none.
 *
 * @param share 0 to 1
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (below === undefined || above === undefined) return NaN;
  return below + (above - below) * (place - Math.floor(place));
}
