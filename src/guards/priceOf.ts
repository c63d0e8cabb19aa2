import type { GuardSnapshot } from './Guard.ts';

/**
 * Last price of a symbol; of one that the bot does not follow, the price of the wallet's records on it or one
 * that was read; infinite if none is known, so that no notional limit passes blindly.
 */
export function priceOf(symbol: string, snapshot: GuardSnapshot): number {
  const last = snapshot.market(symbol)?.price;
  return last ?? snapshot.reference?.(symbol)?.price ?? Number.POSITIVE_INFINITY;
}
