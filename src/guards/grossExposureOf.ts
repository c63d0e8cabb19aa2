import { exposureOf } from './exposureOf.ts';
import type { Entry, GuardSnapshot } from './Guard.ts';

/** Two guards ask for it of the same intent at the same instant. */
const last: { entries?: readonly Entry[]; snapshot?: GuardSnapshot; value: number } = { value: 0 };

/** Sum of the worst notionals over all symbols of the wallet, with the given entries. */
export function grossExposureOf(entries: readonly Entry[], snapshot: GuardSnapshot): number {
  if (last.entries === entries && last.snapshot === snapshot) return last.value;
  last.value = sumOf(entries, snapshot);
  last.entries = entries;
  last.snapshot = snapshot;
  return last.value;
}

function sumOf(entries: readonly Entry[], snapshot: GuardSnapshot): number {
  const exposed = snapshot.exposedSymbols;
  let sum = 0;
  for (let at = 0; at < exposed.length; at++) sum += exposureOf(exposed[at]!, entries, snapshot);
  for (let at = 0; at < entries.length; at++) {
    const { symbol } = entries[at]!;
    const isCounted = exposed.includes(symbol) || isAmongFirst(entries, at);
    if (!isCounted) sum += exposureOf(symbol, entries, snapshot);
  }
  return sum;
}

/** Whether an earlier entry is of the same symbol. */
function isAmongFirst(entries: readonly Entry[], at: number): boolean {
  for (let before = 0; before < at; before++) {
    if (entries[before]!.symbol === entries[at]!.symbol) return true;
  }
  return false;
}
