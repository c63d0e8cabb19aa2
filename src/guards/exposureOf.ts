import type { Side } from '../contract/index.ts';
import type { Entry, GuardSnapshot } from './Guard.ts';
import { priceOf } from './priceOf.ts';

/**
 * Worst notional of a symbol in any order in which everything pending and the given entries may fill: unknowns
 * count with their full size, opposite sides do not offset each other, and a position offsets only what is left
 * of it once everything that reduces it has filled. A position is worth the last price, or the highest one for which
 * an entry on its side waits: it is reached before that entry fills.
 */
export function exposureOf(
  symbol: string,
  entries: readonly Entry[],
  snapshot: GuardSnapshot,
): number {
  const position = snapshot.position(symbol);
  const long = reachOf(symbol, 'buy', position, entries, snapshot);
  const short = reachOf(symbol, 'sell', -position, entries, snapshot);
  return Math.max(
    worthOf(long, highestOf(symbol, 'buy', entries, snapshot)),
    worthOf(short, highestOf(symbol, 'sell', entries, snapshot)),
  );
}

/** Of nothing it is 0, whatever the price: infinite if none is known. */
const worthOf = (size: number, price: number): number => (size <= 0 ? 0 : size * price);

/** The last price of a symbol, or one for which an entry on a side waits, if that is higher. */
function highestOf(
  symbol: string,
  side: Side,
  entries: readonly Entry[],
  snapshot: GuardSnapshot,
): number {
  let highest = Math.max(priceOf(symbol, snapshot), snapshot.highestTrigger(symbol, side));
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at]!;
    if (entry.symbol !== symbol || entry.side !== side) continue;
    highest = Math.max(highest, entry.triggeredAt ?? 0);
  }
  return highest;
}

/**
 * How far one side may get, base units.
 *
 * @param held of the position on this side: negative if the position is on the other one
 */
function reachOf(
  symbol: string,
  side: Side,
  held: number,
  entries: readonly Entry[],
  snapshot: GuardSnapshot,
): number {
  let added = 0;
  let addedAtOnce = 0;
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at]!;
    if (entry.symbol !== symbol || entry.side !== side) continue;
    added += entry.size;
    if (entry.isAtOnce === true) addedAtOnce += entry.size;
  }
  const filled = snapshot.pending(symbol, side) + added;
  if (held >= 0 || filled === 0) return held + filled;
  const closing = snapshot.closing(symbol, side);
  const left = Math.min(0, held + closing);
  // What fills at once is not there any more when a price is reached.
  const leftOfArmed = Math.min(0, left + snapshot.armed(symbol, side));
  return Math.max(filled + left, filled - addedAtOnce + leftOfArmed);
}
