import { map, type OperatorFunction } from 'rxjs';
import type { ClosedBar } from '../Bar.ts';

/**
 * The open of each closed bar, in quote units. A selector has the plural of its field's name (`opens`,
 * `highs`, `lows`, `closes`, `volumes`); a window has a superlative and a length (`highest(20)`).
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(opens(), sma(20));
 * ```
 */
export function opens(): OperatorFunction<ClosedBar, number> {
  return map((bar) => bar.open);
}
