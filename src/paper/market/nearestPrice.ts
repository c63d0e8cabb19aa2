import { toValidPrice, type PriceGrid } from '../../contract/index.ts';

/** Distance from half a step below which the decimal digits must decide. */
const TIE_MARGIN = 1e-6;

/**
 * {@link toValidPrice} for prices that are computed at every quote: without a conversion to text, except
 * where binary rounding could decide a tie the other way.
 */
export function nearestPrice(price: number, grid: PriceGrid): number {
  const integerDigits = Math.floor(Math.log10(price)) + 1;
  const figures = grid.price_significant_figures - integerDigits;
  const decimals = Math.max(0, Math.min(grid.price_decimals, figures));
  const power = POWERS[decimals] ?? 10 ** decimals;
  const steps = price * power;
  const rest = steps - Math.floor(steps);
  if (Math.abs(rest - 0.5) < TIE_MARGIN) return toValidPrice(price, grid);
  return Math.round(steps) / power;
}

const POWERS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
