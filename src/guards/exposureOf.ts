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
  const added = (side: Entry['side']): number =>
    entries
      .filter((entry) => entry.symbol === symbol && entry.side === side)
      .reduce((sum, entry) => sum + entry.size, 0);
  const position = snapshot.position(symbol);
  const long = position + snapshot.pending(symbol, 'buy') + added('buy');
  const short = -position + snapshot.pending(symbol, 'sell') + added('sell');
  const size = Math.max(long, short, 0);
  return size === 0 ? 0 : size * priceOf(symbol, snapshot);
}
