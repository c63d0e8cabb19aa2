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

/** A sum of sizes, base units, signed where both sides are added. */
export interface SizeSum {
  size: number;
  /** By how much the rounding of its sums may be off; 0 for a number that stands as it was written. */
  dust: number;
}

/**
 * Adds a size to a sum, which is 0 where no more is left than its rounding. A last step that is left is more: it counts,
 * however small a part it is of what was filled.
 */
export function addSize(sum: SizeSum, size: number): void {
  const next = sum.size + size;
  const dust = sum.dust + ROUNDING * Math.max(Math.abs(sum.size), Math.abs(size));
  const isNothing = Math.abs(next) <= dust;
  sum.size = isNothing ? 0 : next;
  sum.dust = isNothing ? 0 : dust;
}

export function sumSizes(sizes: Iterable<number>): SizeSum {
  const sum = { size: 0, dust: 0 };
  for (const size of sizes) addSize(sum, size);
  return sum;
}
