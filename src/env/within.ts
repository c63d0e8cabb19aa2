import type { Timers } from './Clock.ts';

/** Resolves when the work settles, whether it succeeded or failed, or after this time. */
export function within(timers: Timers, work: Promise<void>, limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = timers.after(limitMs, resolve);
  void work.then(() => (cancel(), resolve()), resolve);
  return promise;
}
