import type { Entry } from './Guard.ts';

/**
 * Entries that add to what is resting or running already. A new price or a resume adds nothing: as an entry it
 * is evaluated by gate, age of data and collar, and by no limit on sizes.
 */
export function enlarging(entries: readonly Entry[]): readonly Entry[] {
  return entries.every(({ size }) => size > 0) ? entries : entries.filter(({ size }) => size > 0);
}
