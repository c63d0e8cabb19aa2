import type { Random } from '../env/index.ts';

const BASE_MS = 250;
const CAP_MS = 20_000;

/** Full jitter between 0.25 s and 20 s, doubling an attempt (the first attempt is 1). */
export function backoffMs(attempt: number, random: Random): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(attempt, 10));
  return BASE_MS + random.next() * (ceiling - BASE_MS);
}
