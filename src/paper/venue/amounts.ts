/**
 * Sums of sizes carry binary dust (0.1 + 0.2); a size has at most `decimals` decimals, so snapping to
 * them restores the intended number.
 */
export function snapSize(size: number, decimals: number): number {
  const power = 10 ** decimals;
  return Math.round(size * power) / power;
}

/**
 * The largest valid size that is not above `size`; the rounding error of a sum does not cost a whole
 * step.
 */
export function floorSize(size: number, decimals: number): number {
  const power = 10 ** decimals;
  return Math.max(0, Math.floor(size * power + 1e-6) / power);
}
