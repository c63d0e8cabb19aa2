import {
  isValidPrice,
  isValidSize,
  toPlainDecimal,
  toValidPrice,
  toValidSize,
  type InstrumentRecord,
} from '../../contract/index.ts';
import { counted } from '../../env/counted.ts';
import { fieldFault } from '../engine/fieldFault.ts';

/** Prices and sizes that a user sends are checked, never rounded (conventions §6, RULE-1). */
export function checkSize(path: string, size: number, instrument: InstrumentRecord): void {
  if (isValidSize(size, instrument)) return;
  checkLargest(path, size, MOST_STEPS / 10 ** instrument.size_decimals);
  const { symbol, size_decimals: decimals } = instrument;
  const next = size > 0 ? toValidSize(size, instrument) : 0;
  const rule = `a size of ${symbol} has at most ${counted(decimals, 'decimal')} and is above zero`;
  const message = `${toPlainDecimal(size)} is off the grid: ${rule}. ${remedy('roundSize', next)}`;
  throw fieldFault(path, 'size_grid', message);
}

export function checkPrice(path: string, price: number, instrument: InstrumentRecord): void {
  if (isValidPrice(price, instrument)) return;
  checkLargest(path, price, MOST_STEPS);
  const { symbol, price_decimals: decimals, price_significant_figures: figures } = instrument;
  const next = price > 0 && Number.isFinite(price) ? toValidPrice(price, instrument) : 0;
  const rule = `a price of ${symbol} has at most ${figures} significant figures and ${counted(decimals, 'decimal')}`;
  const message = `${toPlainDecimal(price)} is off the grid: ${rule}. ${remedy('roundPrice', next)}`;
  throw fieldFault(path, 'price_grid', message);
}

/**
 * The valid price nearest to one that the service computes. A level may be zero or less, as a channel wider
 * than the price is, or larger than any price that may be sent, even no number any more, as a multiple of a range is;
 * that is no price, and it is refused, never clamped.
 */
export function resolvedPrice(path: string, level: number, instrument: InstrumentRecord): number {
  checkLargest(path, level, MOST_STEPS);
  const price = level > 0 ? toValidPrice(level, instrument) : 0;
  if (price > 0) return price;
  const message = `It resolves at ${toPlainDecimal(level)}, and a price is above zero.`;
  throw fieldFault(path, 'price_not_positive', message);
}

/** A double counts whole steps up to here; beyond it sums would be wrong. */
const MOST_STEPS = Number.MAX_SAFE_INTEGER;

function checkLargest(path: string, value: number, most: number): void {
  if (value <= most) return;
  const message = `${toPlainDecimal(value)} is too large: the most that is exact here is ${toPlainDecimal(most)}.`;
  throw fieldFault(path, 'too_big', message);
}

/** Names the rounding method of a strategy's context, and its result if that is valid. */
function remedy(rounding: 'roundSize' | 'roundPrice', next: number): string {
  const call = `Round it, as a strategy does with ctx.instrument(symbol).${rounding}`;
  return next > 0 ? `${call}: ${toPlainDecimal(next)}.` : `${call}.`;
}
