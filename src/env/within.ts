import type { Timers } from './Clock.ts';

/** Resolves with the work, well or badly ended, or after so long without it. */
export function within(timers: Timers, work: Promise<void>, limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = timers.after(limitMs, resolve);
  void work.then(() => (cancel(), resolve()), resolve);
  return promise;
}
