import type { FillRecord } from '../../contract/index.ts';

/** What the fills since a snapshot make of a position. */
export interface Tally {
  /** Every size that may be right: a fill of the snapshot's exact time may or may not be in it. */
  sizes: number[];
  /** The greatest size that took part; it determines the tolerance. */
  greatest: number;
  /**
   * A position frame arrived since both last agreed, so the contradiction comes from that frame and not from a
   * missing one.
   */
  isShown: boolean;
}

/** Beyond this many possible sizes nothing is reported until the next snapshot. */
const MOST_SIZES = 64;
const RELATIVE_TOLERANCE = 1e-6;
const LEAST_TOLERANCE = 1e-8;

/** @param size the snapshot's, signed */
export const createTally = (size: number): Tally => ({
  sizes: [size],
  greatest: Math.abs(size),
  isShown: false,
});

/** Whether too many sizes may be right for a tally to contradict anything. */
export const isUndecided = ({ sizes }: Tally): boolean => sizes.length > MOST_SIZES;

/** Whether a shown position is none of the sizes that may be right. */
export function contradicts(tally: Tally, shown: number): boolean {
  if (isUndecided(tally)) return false;
  const scale = Math.max(tally.greatest, Math.abs(shown));
  const tolerance = Math.max(LEAST_TOLERANCE, RELATIVE_TOLERANCE * scale);
  for (const one of tally.sizes) if (Math.abs(one - shown) <= tolerance) return false;
  return true;
}

/** @param snapshotTime epoch milliseconds; a fill of that time may or may not be in the snapshot */
export function addFill(
  tally: Tally,
  { side, size, time }: Pick<FillRecord, 'side' | 'size' | 'time'>,
  snapshotTime: number,
): void {
  const change = side === 'sell' ? -size : size;
  const [only] = tally.sizes;
  if (tally.sizes.length === 1 && time > snapshotTime) {
    const next = only! + change;
    tally.sizes = [next];
    tally.greatest = Math.max(tally.greatest, size, Math.abs(next));
    return;
  }
  const changed = tally.sizes.map((one) => one + change);
  // A clock that was set back stamps what came since with times before the snapshot's.
  const mayBeHeld = time <= snapshotTime;
  tally.sizes = mayBeHeld ? [...new Set([...changed, ...tally.sizes])] : changed;
  tally.greatest = Math.max(tally.greatest, size, ...changed.map(Math.abs));
}
