import { isUrgent, type Lane } from './lanes.ts';

/** So often an urgent request leaves although others seem to have spent the budget. */
const TRY_MS = 1_000;

/**
 * What others have spent is known from one answer, and not when it was spent: it counts for a window, though it may have
 * left the service's by then. Cancels, stops and exits don't wait for that: one a second tries, and its answer says what
 * remains.
 */
export interface Trials {
  /** A request leaves. */
  left(lane: Lane): void;
  /** When a request of this lane may try, if nothing but others' spending keeps it back; Infinity if it may not. */
  next(lane: Lane): number;
}

/** @param now milliseconds of the clock by which the service's budget is counted */
export function createTrials(now: () => number): Trials {
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    left(lane) {
      if (isUrgent(lane)) lastAt = now();
    },
    next: (lane) => (isUrgent(lane) ? lastAt + TRY_MS : Infinity),
  };
}
