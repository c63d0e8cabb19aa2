import type { OperatorFunction } from 'rxjs';
import type { ClosedBar } from '../Bar.ts';
import { extremes } from './extremes.ts';

/**
 * The highest of the last `count` numbers, or high of the last `count` bars, this one included; silent
 * until there are as many.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(highest(20));
 * ```
 *
 * @throws RangeError unless `count` is a whole number of at least 1
 */
export function highest(count: number): OperatorFunction<ClosedBar | number, number> {
  return extremes('highest', count);
}
