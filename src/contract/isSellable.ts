import type { PriceGrid } from './priceGrid.ts';
import { floorSize } from './sizes.ts';

/** Less than a step can't be ordered, and counts as nothing; without an instrument every size counts. */
export const isSellable = (size: number, grid: PriceGrid | undefined): boolean =>
  size > 0 && (grid === undefined || floorSize(size, grid.size_decimals) > 0);
