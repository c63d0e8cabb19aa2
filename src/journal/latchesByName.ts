import type { Latch } from './JournalStore.ts';

/** The latches of a store, each with its name, in the order of the names. */
export const latchesByName = (
  latches: ReadonlyMap<string, Latch>,
): Array<Latch & { name: string }> =>
  [...latches]
    .map(([name, latch]) => ({ name, ...latch }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
