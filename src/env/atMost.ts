import type { Timers } from './Clock.ts';

/** What the work comes to, or undefined after so long without it; what it throws, it throws. */
export function atMost<T>(
  timers: Timers,
  work: T | Promise<T>,
  limitMs: number,
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const cancel = timers.after(limitMs, () => resolve(undefined));
  void Promise.resolve(work)
    .then(resolve, reject)
    .finally(() => cancel());
  return promise;
}
