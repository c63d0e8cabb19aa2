import type { Timers } from './Clock.ts';

/** How soon a long wait notices that it is needed no more. */
const LOOK_MS = 1_000;

/** Resolves after this many milliseconds of the given timers. */
export function pause(timers: Timers, delayMs: number): Promise<void> {
  return new Promise((resolve) => void timers.after(delayMs, resolve));
}

/**
 * The same, or within a second once it is over: Node ends no process that has a timer, so that a wait which nobody
 * needs any more would keep a bot that has stopped alive.
 */
export function pauseUnless(timers: Timers, delayMs: number, isOver: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const wait = (leftMs: number): void => {
      if (leftMs <= 0 || isOver()) return resolve();
      const stepMs = Math.min(leftMs, LOOK_MS);
      timers.after(stepMs, () => wait(leftMs - stepMs));
    };
    wait(delayMs);
  });
}
