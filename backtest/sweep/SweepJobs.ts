import type { SweepJob } from './SweepPlan.ts';

/** Jobs by index, each made when it is asked for: as objects, a million would fill the memory. */
export interface SweepJobs extends Iterable<SweepJob> {
  readonly length: number;
  /** Windows of a walk-forward that they train, each with as many jobs; 0 without one. */
  readonly windows: number;
  /** @throws RangeError for an index that no job has */
  at(index: number): SweepJob;
}

export function createSweepJobs(
  { length, windows = 0 }: { length: number; windows?: number },
  make: (index: number) => SweepJob,
): SweepJobs {
  const at = (index: number): SweepJob => {
    if (index >= 0 && index < length) return make(index);
    throw new RangeError(`There is no job ${index}; the sweep has ${length}.`);
  };
  return {
    length,
    windows,
    at,
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield make(index);
    },
  };
}
