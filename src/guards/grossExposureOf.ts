import { exposureOf } from './exposureOf.ts';
import type { Entry, GuardSnapshot } from './Guard.ts';

/** Sum of the worst notionals over all symbols of the wallet, with the given entries. */
export function grossExposureOf(entries: readonly Entry[], snapshot: GuardSnapshot): number {
  const entered = entries.map((entry) => entry.symbol);
  const symbols = [...new Set([...snapshot.exposedSymbols, ...entered])];
  return symbols
    .map((symbol) => exposureOf(symbol, entries, snapshot))
    .reduce((sum, exposure) => sum + exposure, 0);
}
