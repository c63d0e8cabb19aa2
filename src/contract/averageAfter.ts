/**
 * The average price once more was filled at `price`: that price itself if nothing was filled at another. The quotient of
 * doubles often is not (98.3 × 0.7 ÷ 0.7 is below 98.3), and would show a price that was never traded.
 *
 * @param before the average so far; null: nothing was filled
 * @param notional of all fills, the last one too, as is `size`
 */
export function averageAfter(
  before: number | null,
  price: number,
  notional: number,
  size: number,
): number {
  return before === null || before === price ? price : notional / size;
}
