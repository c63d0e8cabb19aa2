import type { Entry } from './ledger.ts';
import { nameOf, type Patch } from './Patch.ts';

/**
 * What fails a run: what survived and has no reason to, and what could not be played. A row of an equivalent is excused
 * for surviving alone: one whose text was edited since asks for its renewal like any other.
 */
export function failuresOf(patches: readonly Patch[], results: readonly Entry[]): Entry[] {
  const excused = new Set(patches.filter(({ equivalent }) => equivalent).map(nameOf));
  return results.filter(
    ({ result, patch }) => result === 'invalid' || (result === 'survived' && !excused.has(patch)),
  );
}
