import { map, type OperatorFunction } from 'rxjs';
import type { ClosedBar } from '../Bar.ts';

/**
 * The high of each closed bar, in quote units.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(highs(), sma(20));
 * ```
 */
export function highs(): OperatorFunction<ClosedBar, number> {
  return map((bar) => bar.high);
}
