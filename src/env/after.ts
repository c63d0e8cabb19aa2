/**
 * Goes on when something is done: at once where it is done already, so that what waits for nothing costs
 * no promise.
 */
export function after<T, R>(
  work: T | Promise<T>,
  next: (result: T) => R | Promise<R>,
): R | Promise<R> {
  return work instanceof Promise ? work.then(next) : next(work);
}
