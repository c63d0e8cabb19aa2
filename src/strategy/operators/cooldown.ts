import type { MonoTypeOperatorFunction } from 'rxjs';
import { requireCount } from './extremes.ts';
import { step } from './step.ts';

/**
 * After a value that passes, drops the next `count` ones. On a stream of bars it counts bars; on a stream of
 * signals it counts signals. It needs no clock, so a replay gives the same.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   filter(({ open, close }) => close > open),
 *   cooldown(3),
 * );
 * ```
 *
 * @throws RangeError unless `count` is a whole number of at least 1
 */
export function cooldown<T>(count: number): MonoTypeOperatorFunction<T> {
  requireCount(count);
  return step<T, T>(() => {
    let left = 0;
    return (value, out) => {
      if (left > 0) {
        left -= 1;
        return;
      }
      left = count;
      out.next(value);
    };
  });
}
