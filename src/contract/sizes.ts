/**
 * Sums of sizes carry binary dust (0.1 + 0.2); a size has at most `decimals` decimals, so snapping to
 * them restores the intended number.
 */
export function snapSize(size: number, decimals: number): number {
  const power = 10 ** decimals;
  return Math.round(size * power) / power;
}

/** The share that `part` is of `whole`, by their whole steps: 0.005 of 0.05 is 0.1. */
export function shareOf(part: number, whole: number, decimals: number): number {
  const power = 10 ** decimals;
  return Math.round(part * power) / Math.round(whole * power);
}

/** Steps by which a sum of small sizes misses a whole one. */
const DUST = 1e-6;
/** Of a large size a double's own last digits are more than that: its share of the steps, with room for a sum. */
const ROUNDING = 2 ** -51;

/**
 * The largest valid size that is not above `size`; the rounding error of a sum does not cost a whole
 * step.
 */
export function floorSize(size: number, decimals: number): number {
  const power = 10 ** decimals;
  const steps = size * power;
  const nearest = Math.round(steps);
  const isWhole = Math.abs(steps - nearest) <= Math.max(DUST, steps * ROUNDING);
  return Math.max(0, (isWhole ? nearest : Math.floor(steps)) / power);
}
