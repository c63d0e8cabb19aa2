import type { OperatorFunction } from 'rxjs';
import { step } from './step.ts';

/** A value and the one before it. */
export interface WithPrevious<T> {
  readonly previous: T;
  readonly current: T;
}

/**
 * Each value with the one before it, from the second value on.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   withPrevious(),
 *   filter(({ previous, current }) => current.low > previous.low),
 * );
 * ```
 */
export function withPrevious<T>(): OperatorFunction<T, WithPrevious<T>> {
  return step(() => {
    let started = false;
    let last: T;
    return (current, out) => {
      const previous = last;
      last = current;
      if (started) out.next({ previous, current });
      started = true;
    };
  });
}
