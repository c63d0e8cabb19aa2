import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import { whilePosition, type Sized } from './whilePosition.ts';

/**
 * Only the values that come while there is no position; none while that isn't known yet.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   whenFlat(ctx.position(ctx.symbol)),
 *   map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.5 })),
 * );
 * ```
 */
export function whenFlat<T>(position$: Observable<Sized | null>): MonoTypeOperatorFunction<T> {
  return whilePosition(position$, false);
}
