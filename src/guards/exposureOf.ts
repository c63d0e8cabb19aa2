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
  const added = { buy: 0, sell: 0 };
  for (const entry of entries) if (entry.symbol === symbol) added[entry.side] += entry.size;
  const position = snapshot.position(symbol);
  const long = position + snapshot.pending(symbol, 'buy') + added.buy;
  const short = -position + snapshot.pending(symbol, 'sell') + added.sell;
  const size = Math.max(long, short, 0);
  return size === 0 ? 0 : size * priceOf(symbol, snapshot);
}
