import type { MonoTypeOperatorFunction } from 'rxjs';
import { crossing, firstOfPair, secondOfPair, type ReadLine } from './crossing.ts';

type Pair = readonly [number, number];

/**
 * Only the values at which `a` passes from ≤ `b` to > `b`; the first value never does.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   withIndicators({ fast: ema(5), slow: ema(15) }),
 *   crossesOver(
 *     ({ fast }) => fast,
 *     ({ slow }) => slow,
 *   ),
 * );
 * ```
 *
 * @param a and `b` read the two lines; left out, the stream is one of pairs `[a, b]`
 */
export function crossesOver<T extends Pair>(): MonoTypeOperatorFunction<T>;
export function crossesOver<T>(
  a: ReadLine<NoInfer<T>>,
  b: ReadLine<NoInfer<T>>,
): MonoTypeOperatorFunction<T>;
export function crossesOver<T>(
  a = firstOfPair as ReadLine<unknown> as ReadLine<T>,
  b = secondOfPair as ReadLine<unknown> as ReadLine<T>,
): MonoTypeOperatorFunction<T> {
  return crossing(a, b);
}
