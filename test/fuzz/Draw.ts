import { createRandom } from '../../src/env/index.ts';

/** Seeded choices: the same seed makes the same requests, in the same order. */
export interface Draw {
  /** An integer from `low` to `high`, both inclusive. */
  int(low: number, high: number): number;
  /** Uniform between the two. */
  number(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
}

export function createDraw(seed: string | number): Draw {
  const random = createRandom(seed);
  const int = (low: number, high: number): number =>
    low + Math.floor(random.next() * (high - low + 1));
  return {
    int,
    number: (low, high) => low + random.next() * (high - low),
    pick: (list) => {
      if (list.length === 0) throw new Error('There is nothing to pick from.');
      return list[int(0, list.length - 1)]!;
    },
    chance: (probability) => random.next() < probability,
  };
}
