import { map, type OperatorFunction } from 'rxjs';
import type { ClosedBar } from '../Bar.ts';

/**
 * The low of each closed bar, in quote units.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(lows(), sma(20));
 * ```
 */
export function lows(): OperatorFunction<ClosedBar, number> {
  return map((bar) => bar.low);
}
