import type { MonoTypeOperatorFunction, Observable } from 'rxjs';
import { whilePosition, type Sized } from './whilePosition.ts';

/**
 * Only the values that come while a position is open; none while that isn't known yet.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   filter(({ open, close }) => close < open),
 *   whenOpen(ctx.position(ctx.symbol)),
 *   map(() => closePosition.atMarket(ctx.symbol)),
 * );
 * ```
 */
export function whenOpen<T>(position$: Observable<Sized | null>): MonoTypeOperatorFunction<T> {
  return whilePosition(position$, true);
}
