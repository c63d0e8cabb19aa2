import { exposureOf } from './exposureOf.ts';
import type { Entry, GuardSnapshot } from './Guard.ts';

/** Sum of the worst notionals over all symbols of the wallet, with the given entries. */
export function grossExposureOf(entries: readonly Entry[], snapshot: GuardSnapshot): number {
  const symbols = new Set(snapshot.exposedSymbols);
  for (const { symbol } of entries) symbols.add(symbol);
  let sum = 0;
  for (const symbol of symbols) sum += exposureOf(symbol, entries, snapshot);
  return sum;
}
