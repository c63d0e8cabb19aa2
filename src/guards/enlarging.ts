import type { Entry } from './Guard.ts';

/**
 * Entries that add to what is resting or running already. A new price or a resume adds nothing: as an entry it
 * is evaluated by gate, age of data and collar, and by no limit on sizes.
 */
export function enlarging(entries: readonly Entry[]): readonly Entry[] {
  for (let at = 0; at < entries.length; at++) {
    if (!(entries[at]!.size > 0)) return entries.filter(({ size }) => size > 0);
  }
  return entries;
}
