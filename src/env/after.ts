/**
 * Continues when something is done: synchronously if it is done already, so that without waiting there is no
 * cost of a promise.
 */
export function after<T, R>(
  work: T | Promise<T>,
  next: (result: T) => R | Promise<R>,
): R | Promise<R> {
  return work instanceof Promise ? work.then(next) : next(work);
}
