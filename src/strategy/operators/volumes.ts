import { map, type OperatorFunction } from 'rxjs';
import type { ClosedBar } from '../Bar.ts';

/**
 * The volume of each closed bar, in base units.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(volumes(), sma(20));
 * ```
 */
export function volumes(): OperatorFunction<ClosedBar, number> {
  return map((bar) => bar.volume);
}
