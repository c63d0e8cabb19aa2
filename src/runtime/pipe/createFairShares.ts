import type { Lane } from '../../budget/index.ts';
import type { Approved } from './stations.ts';

/**
 * Chooses the next instance within a lane. Each instance has a clock that its weight, divided by its share,
 * advances; the one that is furthest behind goes first. A flood then waits behind itself, and no instance saves
 * up turns by being idle (start-time fair queueing).
 */
export interface FairShares {
  /** @param items of one lane, not empty, in the order of emission */
  first(items: readonly Approved[]): Approved;
  /** Its weight was spent. */
  charge(item: Approved): void;
}

interface LaneClock {
  /** Start of the item that was served last. */
  now: number;
  /** Earliest start of each instance's next item. */
  next: Map<string, number>;
}

/** @param shareOf above 0; only the ratio between instances counts */
export function createFairShares(shareOf: (instance: string) => number): FairShares {
  const lanes = new Map<Lane, LaneClock>();

  function clockOf(lane: Lane): LaneClock {
    const known = lanes.get(lane);
    if (known !== undefined) return known;
    const fresh = { now: 0, next: new Map<string, number>() };
    lanes.set(lane, fresh);
    return fresh;
  }

  const startOf = ({ lane, emission }: Approved): number => {
    const { now, next } = clockOf(lane);
    return Math.max(now, next.get(emission.instance) ?? 0);
  };

  return {
    first(items) {
      // All items of an instance have the same start, so the first of the minimum is its oldest.
      let best = items[0]!;
      let bestStart = startOf(best);
      for (let at = 1; at < items.length; at++) {
        const start = startOf(items[at]!);
        if (start >= bestStart) continue;
        best = items[at]!;
        bestStart = start;
      }
      return best;
    },
    charge(item) {
      const clock = clockOf(item.lane);
      const { instance } = item.emission;
      clock.now = startOf(item);
      clock.next.set(instance, clock.now + item.weight / shareOf(instance));
    },
  };
}
