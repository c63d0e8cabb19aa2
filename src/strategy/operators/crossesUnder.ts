import type { MonoTypeOperatorFunction } from 'rxjs';
import { crossing, firstOfPair, secondOfPair, type ReadLine } from './crossing.ts';

type Pair = readonly [number, number];

/**
 * Only the values at which `a` passes from ≥ `b` to < `b`; the first value never does.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   withIndicators({ strength: rsi(5) }),
 *   crossesUnder(
 *     ({ strength }) => strength,
 *     () => 50,
 *   ),
 * );
 * ```
 *
 * @param a and `b` read the two lines; left out, the stream is one of pairs `[a, b]`
 */
export function crossesUnder<T extends Pair>(): MonoTypeOperatorFunction<T>;
export function crossesUnder<T>(
  a: ReadLine<NoInfer<T>>,
  b: ReadLine<NoInfer<T>>,
): MonoTypeOperatorFunction<T>;
export function crossesUnder<T>(
  a = firstOfPair as ReadLine<unknown> as ReadLine<T>,
  b = secondOfPair as ReadLine<unknown> as ReadLine<T>,
): MonoTypeOperatorFunction<T> {
  return crossing(b, a);
}
