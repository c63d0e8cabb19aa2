import { exposureOf } from './exposureOf.ts';
import type { Entry, GuardSnapshot } from './Guard.ts';

const MOST_NAMED = 3;

/**
 * The part of the wallet's exposure on symbols whose price the bot does not follow, as the end of a reason:
 * another's order may be all that denies an entry, and would be hard to find otherwise. Empty if there is none.
 */
export function foreignExposure(entries: readonly Entry[], snapshot: GuardSnapshot): string {
  const named = snapshot.exposedSymbols.flatMap((symbol) => {
    if (snapshot.market(symbol) !== undefined) return [];
    const value = exposureOf(symbol, entries, snapshot);
    if (value === 0) return [];
    const what = snapshot.reference?.(symbol)?.what ?? 'what is in flight';
    const worth = Number.isFinite(value) ? value.toFixed(2) : 'of no known price';
    return [`${symbol} (${what}) ${worth}`];
  });
  if (named.length === 0) return '';
  const more = named.length > MOST_NAMED ? `, and ${named.length - MOST_NAMED} more` : '';
  return `; of it on symbols that the bot does not follow: ${named.slice(0, MOST_NAMED).join(', ')}${more}`;
}
