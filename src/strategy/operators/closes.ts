import { map, type OperatorFunction } from 'rxjs';
import type { ClosedBar } from '../Bar.ts';

/**
 * The close of each closed bar, in quote units.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(closes(), sma(20));
 * ```
 */
export function closes(): OperatorFunction<ClosedBar, number> {
  return map((bar) => bar.close);
}
