import type { GuardSnapshot } from './Guard.ts';

/** Last price of a symbol; infinite where none is known, so that no notional limit passes blindly. */
export function priceOf(symbol: string, snapshot: GuardSnapshot): number {
  return snapshot.market(symbol)?.price ?? Number.POSITIVE_INFINITY;
}
