import type { Random } from '../env/Random.ts';

/** How long to wait before the next attempt, in milliseconds. */
export interface Backoff {
  next(): number;
  reset(): void;
}

/**
 * Full jitter: uniform between 0 and a ceiling that doubles from `baseMs` to `capMs`, so that many clients that
 * lost the same service don't come back at the same time.
 */
export function createBackoff(random: Random, baseMs = 250, capMs = 30_000): Backoff {
  let failures = 0;
  return {
    next: () => random.next() * Math.min(capMs, baseMs * 2 ** failures++),
    reset: () => {
      failures = 0;
    },
  };
}
