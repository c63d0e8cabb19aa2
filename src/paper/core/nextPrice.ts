import { tickAt, toValidPrice, type InstrumentRecord } from '../../contract/index.ts';

type Grid = Pick<
  InstrumentRecord,
  'price_decimals' | 'price_significant_figures' | 'size_decimals'
>;

/**
 * The valid price next to another one, above (1) or below (-1); null: there is none. A power of ten has a finer tick below
 * than above, by the significant figures.
 */
export function nextPrice(price: number, grid: Grid, direction: 1 | -1): number | null {
  return direction > 0 ? priceAbove(price, grid) : priceBelow(price, grid);
}

function priceAbove(price: number, grid: Grid): number | null {
  const up = toValidPrice(price, grid, 'up');
  if (up > price) return up;
  const next = toValidPrice(price + tickAt(price, grid), grid);
  return next > price ? next : null;
}

function priceBelow(price: number, grid: Grid): number | null {
  const down = toValidPrice(price, grid, 'down');
  if (down < price) return down > 0 ? down : null;
  const coarse = price - tickAt(price, grid);
  if (!(coarse > 0)) return null;
  const next = toValidPrice(price - tickAt(coarse, grid), grid);
  return next < price ? next : null;
}
