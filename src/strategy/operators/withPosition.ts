import { withLatestFrom, type Observable, type OperatorFunction } from 'rxjs';

/**
 * Adds the latest position to each value: `null` when flat.
 *
 * Until the position is known, values are dropped and not queued: a signal that waited for an answer would be
 * outdated.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   withPosition(ctx.position(ctx.symbol)),
 *   filter(({ position, close }) => position !== null && close > (position.entry_price ?? 0)),
 * );
 * ```
 */
export function withPosition<T extends object, P extends object>(
  position$: Observable<P | null>,
): OperatorFunction<T, T & { readonly position: P | null }> {
  return withLatestFrom(position$, (value: T, position) => ({ ...value, position }));
}
