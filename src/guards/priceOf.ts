import type { GuardSnapshot } from './Guard.ts';

/**
 * Last price of a symbol, or of one that the bot does not follow what the wallet has on it bears itself or was
 * read; infinite where none is known, so that no notional limit passes blindly.
 */
export function priceOf(symbol: string, snapshot: GuardSnapshot): number {
  const last = snapshot.market(symbol)?.price;
  return last ?? snapshot.reference?.(symbol)?.price ?? Number.POSITIVE_INFINITY;
}
