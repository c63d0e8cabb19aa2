import type { FillRecord } from '../../contract/index.ts';
import { addSize, type SizeSum } from '../../contract/sizes.ts';

/** What fills make of a position. */
export interface Holding extends SizeSum {
  entryPrice: number;
  realizedPnl: number;
  /** Of an adopted position what it had earned when it was, as far as it is still open; quote units. */
  adopted: number;
}

export const FLAT: Readonly<Holding> = {
  size: 0,
  dust: 0,
  entryPrice: 0,
  realizedPnl: 0,
  adopted: 0,
};

/** @returns what it earned, quote units before its fee */
export function applyFill(held: Holding, { side, size: units, price }: FillRecord): number {
  const signed = side === 'buy' ? units : -units;
  const reduces = held.size !== 0 && Math.sign(signed) !== Math.sign(held.size);
  const closing = reduces ? Math.min(Math.abs(signed), Math.abs(held.size)) : 0;
  const earned = closing * (price - held.entryPrice) * Math.sign(held.size);
  held.realizedPnl += earned;
  if (closing > 0) held.adopted *= 1 - closing / Math.abs(held.size);
  const flipped = reduces && Math.abs(signed) > Math.abs(held.size);
  if (flipped || held.size === 0) held.entryPrice = price;
  else if (!reduces)
    held.entryPrice = (held.size * held.entryPrice + signed * price) / (held.size + signed);
  addSize(held, signed);
  return earned;
}

/** The holding itself, with the fill in it. */
export const applied = (held: Holding, fill: FillRecord): Holding => {
  applyFill(held, fill);
  return held;
};
