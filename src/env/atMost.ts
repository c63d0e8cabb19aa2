import type { Timers } from './Clock.ts';

/** The result of the work, or undefined after this time without one; errors are passed on. */
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
