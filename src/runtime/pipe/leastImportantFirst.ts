/** A resting entry whose price follows a level; it takes one of the wallet's maintained rows. */
export interface TrackedEntry {
  orderId: string;
  symbol: string;
  /** Its present price, quote units. */
  price: number;
  /** Epoch milliseconds. */
  createdTime: number;
}

/**
 * Farthest from the market first, then oldest, then by id, so that equal books give equal results. An order
 * whose distance is unknown comes last: it is not given up on a guess.
 *
 * @param priceOf last price of a symbol, or undefined
 */
export function leastImportantFirst(
  entries: readonly TrackedEntry[],
  priceOf: (symbol: string) => number | undefined,
): TrackedEntry[] {
  const distances = new Map(entries.map((entry) => [entry, distanceBps(entry, priceOf)]));
  const distanceOf = (entry: TrackedEntry): number => distances.get(entry)!;
  return entries.toSorted(
    (a, b) =>
      distanceOf(b) - distanceOf(a) ||
      a.createdTime - b.createdTime ||
      (a.orderId < b.orderId ? -1 : 1),
  );
}

/** Distance from the last price in basis points; below every distance if there is none. */
export function distanceBps(
  { symbol, price }: Pick<TrackedEntry, 'symbol' | 'price'>,
  priceOf: (symbol: string) => number | undefined,
): number {
  const last = priceOf(symbol);
  return last === undefined ? -1 : (Math.abs(price - last) / last) * 10_000;
}
