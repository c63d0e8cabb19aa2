import type { Timers } from './Clock.ts';

/** Resolves after this many milliseconds of the given timers. */
export function pause(timers: Timers, delayMs: number): Promise<void> {
  return new Promise((resolve) => void timers.after(delayMs, resolve));
}
