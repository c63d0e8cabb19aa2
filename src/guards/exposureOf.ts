import type { Entry, GuardSnapshot } from './Guard.ts';
import { priceOf } from './priceOf.ts';

/**
 * Worst notional of a symbol once everything pending and the given entries are filled on one side:
 * unknowns count with their full size, and opposite sides do not offset each other.
 */
export function exposureOf(
  symbol: string,
  entries: readonly Entry[],
  snapshot: GuardSnapshot,
): number {
  let bought = 0;
  let sold = 0;
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at]!;
    if (entry.symbol !== symbol) continue;
    if (entry.side === 'buy') bought += entry.size;
    else sold += entry.size;
  }
  const position = snapshot.position(symbol);
  const long = position + snapshot.pending(symbol, 'buy') + bought;
  const short = -position + snapshot.pending(symbol, 'sell') + sold;
  const size = Math.max(long, short, 0);
  return size === 0 ? 0 : size * priceOf(symbol, snapshot);
}
