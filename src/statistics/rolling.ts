/** A figure over each window of this many periods, from the first complete window on. */
export function rolling(
  count: number,
  window: number,
  figure: (from: number, until: number) => number | null,
): (number | null)[] {
  const windows = Math.max(0, count - window + 1);
  return Array.from({ length: windows }, (_none, start) => figure(start, start + window));
}
