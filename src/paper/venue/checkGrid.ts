import { isValidPrice, isValidSize, type InstrumentRecord } from '../../contract/index.ts';
import { fieldFault } from '../engine/fieldFault.ts';

/** Prices and sizes that a user sends are judged, never rounded (conventions §6, RULE-1). */
export function checkSize(path: string, size: number, instrument: InstrumentRecord): void {
  if (isValidSize(size, instrument)) return;
  const message = `At most ${instrument.size_decimals} decimals, above zero.`;
  throw fieldFault(path, 'size_grid', message);
}

export function checkPrice(path: string, price: number, instrument: InstrumentRecord): void {
  if (isValidPrice(price, instrument)) return;
  const { price_decimals: decimals, price_significant_figures: figures } = instrument;
  const message = `At most ${figures} significant figures and ${decimals} decimals.`;
  throw fieldFault(path, 'price_grid', message);
}
